package qat

import "hwcap/parse/fact"

// SetCounters gives a device its counters. Where no engine answered there are
// none, which is no zero.
func SetCounters(d *fact.QAT, c Counts, at fact.Line) {
	d.Silent = c.Silent
	d.Counters = fact.Of(c.Engines, at)
	if len(c.Engines) == 0 {
		d.Counters = fact.Missing[[]fact.EngineCount](fact.Failed, at)
	}
}

// Merge adds to d what another place says of the same device, as far as d does
// not speak of it.
func Merge(d, from *fact.QAT) {
	first(&d.Address, from.Address)
	first(&d.Folder, from.Folder)
	if d.ConfigState == "" {
		d.Config, d.ConfigState = from.Config, from.ConfigState
	}
	if d.Counters.IsZero() {
		d.Counters, d.Silent = from.Counters, from.Silent
	}
	if len(d.Telemetry) == 0 {
		d.Telemetry = from.Telemetry
	}
	if len(d.Power) == 0 {
		d.Power = from.Power
	}
	if d.Status == nil {
		d.Status = from.Status
	}
	val(&d.CnvErrors, from.CnvErrors)
	for _, v := range []struct {
		into *fact.Val[int64]
		from fact.Val[int64]
	}{
		{&d.HeartbeatSent, from.HeartbeatSent}, {&d.HeartbeatFailed, from.HeartbeatFailed}, {&d.HeartbeatPeriod, from.HeartbeatPeriod},
		{&d.TelemetryControl, from.TelemetryControl}, {&d.RingPairs, from.RingPairs},
		{&d.Correctable, from.Correctable}, {&d.NonFatal, from.NonFatal}, {&d.Fatal, from.Fatal},
	} {
		val(v.into, v.from)
	}
	for _, v := range []struct {
		into *fact.Val[string]
		from fact.Val[string]
	}{
		{&d.Firmware, from.Firmware}, {&d.Package, from.Package}, {&d.Up, from.Up}, {&d.Services, from.Services},
		{&d.AutoReset, from.AutoReset}, {&d.PMIdle, from.PMIdle},
	} {
		val(v.into, v.from)
	}
}

func first(into *string, from string) {
	if *into == "" {
		*into = from
	}
}

func val[T any](into *fact.Val[T], from fact.Val[T]) {
	if into.IsZero() {
		*into = from
	}
}
