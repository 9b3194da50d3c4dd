package fact

import (
	"reflect"
	"slices"
	"strings"
)

// Fill adds to d what more, another source of the same function, says beyond
// it. What d says stands, register by register and, within one that was printed
// by an older program, flag by flag; a capability that could not be read gives
// way to one that was. How often d is listed stays.
//
// Differ, if it is not nil, is called for each field of configuration space of
// which both speak and which is not the same, with its name in the JSON form
// ("express.linkSta") and its place in more. Addresses of regions and windows,
// which the kernel assigns, and lspci's remarks in words are not compared.
func (d *Device) Fill(more *Device, differ func(name string, at Line)) {
	other := *more
	other.Listings = 0
	if d.DriverKnown { // none is a driver, too
		other.Driver, other.DriverAt = "", Line{}
	}
	f := filler{differ}
	f.fill(reflect.ValueOf(d).Elem(), reflect.ValueOf(other), "", more.From)
}

type filler struct {
	differ func(name string, at Line)
}

// fill does it for one struct, d's and more's, whose name ends in a dot.
func (f *filler) fill(into, from reflect.Value, name string, at Line) {
	if place := from.FieldByName("At"); place.IsValid() {
		at = place.Interface().(Line)
	}
	for i := range into.NumField() {
		have, more := into.Field(i), from.Field(i)
		if more.IsZero() {
			continue
		}
		f.field(have, more, func() string {
			tag, _, _ := strings.Cut(into.Type().Field(i).Tag.Get("json"), ",")
			return name + tag
		}, at)
	}
}

// field does it for one field, of which from says something.
func (f *filler) field(into, from reflect.Value, name func() string, at Line) {
	switch have := into.Addr().Interface().(type) {
	case *State:
		if more := State(from.String()); *have == "" || more == Present {
			*have = more
		}
		return
	case *[]Region:
		more := from.Interface().([]Region)
		if len(*have) == 0 || !sized(*have) && sized(more) {
			*have = more
		}
		return
	case *[]Window:
		for _, w := range from.Interface().([]Window) {
			if !slices.ContainsFunc(*have, func(v Window) bool { return v.Kind == w.Kind }) {
				*have = append(*have, w)
			}
		}
		return
	}
	if into.IsZero() || !known(into) && known(from) {
		into.Set(from)
		return
	}
	switch have := into.Interface().(type) {
	case *Flags:
		f.flags(have, from.Interface().(*Flags), name)
	case *Link:
		if more := from.Interface().(*Link); have.Speed == 0 && more.Speed > 0 { // "unknown" to an older lspci
			*have = Link{Speed: more.Speed, Width: more.Width, Port: more.Port, ASPM: have.ASPM, Note: have.Note, At: more.At}
		} else if have.Speed != more.Speed || have.Width != more.Width {
			f.report(name(), more.At)
		}
	case *LinkCtl:
		if more := from.Interface().(*LinkCtl); have.Disabled != more.Disabled {
			f.report(name(), more.At)
		}
	case *Express, *AER, *ACS, *DPC, *L1SS:
		f.fill(into.Elem(), from.Elem(), name()+".", at)
	case Line, *Sysfs:
	default:
		if !same(into, from) {
			f.report(name(), placeOf(from, at))
		}
	}
}

// flags adds the bits that have lacks.
func (f *filler) flags(have, more *Flags, name func() string) {
	added, differs := false, false
	for bit, on := range more.Bits {
		if was, ok := have.Bits[bit]; !ok {
			have.Bits[bit], added = on, true
		} else if was != on {
			differs = true
		}
	}
	if added {
		have.At = append(have.At, more.At...)
	}
	if differs && len(more.At) > 0 {
		f.report(name(), more.At[0])
	}
}

func (f *filler) report(name string, at Line) {
	if f.differ != nil {
		f.differ(name, at)
	}
}

func sized(regions []Region) bool {
	return slices.ContainsFunc(regions, func(r Region) bool { return r.Size > 0 })
}

// known tells a Val that was not read from everything else.
func known(v reflect.Value) bool {
	val, ok := v.Interface().(interface{ Known() bool })
	return !ok || val.Known()
}

// placeOf returns the At of a Val or of a register's struct, else at.
func placeOf(v reflect.Value, at Line) Line {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() == reflect.Struct {
		if place := v.FieldByName("At"); place.IsValid() {
			return place.Interface().(Line)
		}
	}
	return at
}

// same compares two values without their places.
func same(a, b reflect.Value) bool {
	switch {
	case a.Type() == reflect.TypeFor[Line]():
		return true
	case a.Kind() == reflect.Pointer && !a.IsNil() && !b.IsNil():
		return same(a.Elem(), b.Elem())
	case a.Kind() == reflect.Struct:
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case a.Kind() == reflect.Slice && a.Len() == b.Len():
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}
