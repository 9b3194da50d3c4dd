package fact

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// populate sets every field to something.
func populate(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		populate(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			populate(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		populate(v.Index(0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		value := reflect.New(v.Type().Elem()).Elem()
		populate(value)
		v.SetMapIndex(reflect.ValueOf("x"), value)
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(1)
	default:
		panic("populate does not know " + v.Kind().String())
	}
	if v.Type() == reflect.TypeFor[State]() {
		v.SetString(string(Present))
	}
}

// TestFillForgetsNoField holds that a device of which nothing is known becomes
// the other one, and that one which knows all stays as it is.
func TestFillForgetsNoField(t *testing.T) {
	var full Device
	populate(reflect.ValueOf(&full).Elem())
	want := full
	want.Listings = 0
	var d Device
	d.Fill(&full, func(name string, _ Line) { t.Errorf("nothing differs from %s", name) })
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("a device without facts is not the other one (-want +got):\n%s", diff)
	}
	d = full
	d.Fill(&Device{}, nil)
	if diff := cmp.Diff(full, d); diff != "" {
		t.Errorf("nothing changed a device (-want +got):\n%s", diff)
	}
	for _, of := range []func(*Device){
		func(d *Device) { d.Express = &Express{} }, func(d *Device) { d.AER = &AER{} }, func(d *Device) { d.ACS = &ACS{} },
		func(d *Device) { d.DPC = &DPC{} }, func(d *Device) { d.L1SS = &L1SS{} },
	} {
		d = Device{}
		of(&d)
		d.Fill(&full, nil)
		if diff := cmp.Diff(want, d); diff != "" {
			t.Errorf("a capability without registers is not the other one (-want +got):\n%s", diff)
		}
	}
}

func TestFill(t *testing.T) {
	text, row := Line{File: "lspci", Line: 1, Text: "printed"}, Line{File: "lspci", Line: 9, Text: "70: 10 00"}
	flags := func(at Line, bits map[string]bool) *Flags { return &Flags{Bits: bits, At: []Line{at}} }
	yes := true
	tests := map[string]struct {
		d, more, want Device
		differ        []string
	}{
		"the first speaks": {
			d:    Device{Vendor: "8086", Power: Of("D0", text), Express: &Express{Type: Endpoint, LinkSta: &Link{Speed: 5, Width: 8, Note: "downgraded", At: text}, At: text}},
			more: Device{Vendor: "8086", Power: Of("D0", row), Express: &Express{Type: Endpoint, LinkSta: &Link{Speed: 5, Width: 8, At: row}, At: row}},
			want: Device{Vendor: "8086", Power: Of("D0", text), Express: &Express{Type: Endpoint, LinkSta: &Link{Speed: 5, Width: 8, Note: "downgraded", At: text}, At: text}},
		},
		"both speak and differ": {
			d: Device{Vendor: "8086", Power: Of("D0", text), Bus: &BusRange{Secondary: 1, At: text},
				Express: &Express{LinkSta: &Link{Speed: 5, Width: 8, At: text}, LinkCtl: &LinkCtl{At: text}, DevSta: flags(text, map[string]bool{"CorrErr": false}), At: text}},
			more: Device{Vendor: "8087", Power: Of("D3", row), Bus: &BusRange{Secondary: 2, At: row},
				Express: &Express{LinkSta: &Link{Speed: 5, Width: 16, At: row}, LinkCtl: &LinkCtl{Disabled: true, At: row}, DevSta: flags(row, map[string]bool{"CorrErr": true}), At: row}, From: row},
			want: Device{Vendor: "8086", Power: Of("D0", text), Bus: &BusRange{Secondary: 1, At: text},
				Express: &Express{LinkSta: &Link{Speed: 5, Width: 8, At: text}, LinkCtl: &LinkCtl{At: text}, DevSta: flags(text, map[string]bool{"CorrErr": false}), At: text}, From: row},
			differ: []string{"vendor 9", "bus 9", "express.linkSta 9", "express.linkCtl 9", "express.devSta 9", "power 9"},
		},
		"a version that does not know the bit": {
			d:    Device{AER: &AER{UESta: flags(text, map[string]bool{"DLP": false}), At: text}},
			more: Device{AER: &AER{UESta: flags(row, map[string]bool{"DLP": false, "IDECheck": true}), CESta: flags(row, map[string]bool{"RxErr": true}), At: row}},
			want: Device{AER: &AER{UESta: &Flags{Bits: map[string]bool{"DLP": false, "IDECheck": true}, At: []Line{text, row}}, CESta: flags(row, map[string]bool{"RxErr": true}), At: text}},
		},
		"a speed without a word": {
			d:    Device{Express: &Express{LinkSta: &Link{Width: 4, Note: "ok", At: text}}},
			more: Device{Express: &Express{LinkSta: &Link{Speed: 32, Width: 4, At: row}}},
			want: Device{Express: &Express{LinkSta: &Link{Speed: 32, Width: 4, Note: "ok", At: row}}},
		},
		"a value that was denied":         {d: Device{MSI: Missing[bool](Denied, text)}, more: Device{MSI: Of(true, row)}, want: Device{MSI: Of(true, row)}},
		"denied is less than read":        {d: Device{CapsState: Denied}, more: Device{CapsState: Present}, want: Device{CapsState: Present}},
		"read is more than denied":        {d: Device{CapsState: Present}, more: Device{CapsState: Denied}, want: Device{CapsState: Present}},
		"denied is more than not printed": {d: Device{}, more: Device{CapsState: Denied}, want: Device{CapsState: Denied}},
		"no driver is one that is known":  {d: Device{DriverKnown: true}, more: Device{Driver: "nvme", DriverKnown: true, DriverAt: row}, want: Device{DriverKnown: true}},
		"a driver where none was printed": {d: Device{}, more: Device{Driver: "nvme", DriverKnown: true, DriverAt: row}, want: Device{Driver: "nvme", DriverKnown: true, DriverAt: row}},
		"a slot that was printed":         {d: Device{Express: &Express{Slot: &yes}}, more: Device{Express: &Express{Slot: &yes}}, want: Device{Express: &Express{Slot: &yes}}},
		"sizes of regions": {
			d:    Device{Regions: []Region{{Index: 0, Kind: "mem", Address: "e0000000"}}},
			more: Device{Regions: []Region{{Index: 0, Kind: "mem", Address: "e0000000", Size: 4096}}},
			want: Device{Regions: []Region{{Index: 0, Kind: "mem", Address: "e0000000", Size: 4096}}},
		},
		"regions with sizes stand": {
			d:    Device{Regions: []Region{{Index: 0, Size: 4096}}},
			more: Device{Regions: []Region{{Index: 0}, {Index: 2}}},
			want: Device{Regions: []Region{{Index: 0, Size: 4096}}},
		},
		"windows that were not printed": {
			d:    Device{Windows: []Window{{Kind: "mem", Open: true, At: text}}},
			more: Device{Windows: []Window{{Kind: "io", At: row}, {Kind: "mem", At: row}}},
			want: Device{Windows: []Window{{Kind: "mem", Open: true, At: text}, {Kind: "io", At: row}}},
		},
		"listings are those of the text": {d: Device{Listings: 2}, more: Device{Listings: 5}, want: Device{Listings: 2}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var differ []string
			test.d.Fill(&test.more, func(name string, at Line) { differ = append(differ, name+" "+string(rune('0'+at.Line))) })
			if diff := cmp.Diff(test.want, test.d); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.differ, differ); diff != "" {
				t.Errorf("what differs (-want +got):\n%s", diff)
			}
		})
	}
}
