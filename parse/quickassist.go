package parse

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/qat"
	"hwcap/parse/sysfs"
)

const qatPrefix = "sys/kernel/debug/qat_"

// maxQAT is how many QAT devices are kept. A server has eight, each with up to
// 64 virtual functions, which have folders too.
const (
	maxQAT       = 2000
	maxQATValues = 200_000 // of all: a configuration has up to a thousand
)

// qatParser reads the files of a QuickAssist device's folder in debugfs,
// qat_c6xx_0000:3d:00.0 (drivers/crypto/intel/qat/qat_common/adf_dbgfs.c); nil
// for those that give no fact.
func qatParser(name string) parser {
	folder, rest, ok := strings.Cut(strings.TrimPrefix(name, "sys/kernel/debug/"), "/")
	if !ok {
		return nil
	}
	device := func(b *builder) *fact.QAT {
		if b.qat[folder] == nil && len(b.qat) >= maxQAT {
			b.skip(name, "more QAT devices came than are kept")
			return &fact.QAT{}
		}
		if b.qat[folder] == nil {
			b.qat[folder] = &fact.QAT{Folder: "sys/kernel/debug/" + folder, Address: qat.Address(folder)}
		}
		return b.qat[folder]
	}
	switch rest {
	case "dev_cfg":
		return qatFile(device, qat.ParseConfig, func(d *fact.QAT, values []fact.ConfigValue, _ string) int {
			d.Config, d.ConfigState = values, fact.Present
			if len(values) == 0 {
				d.ConfigState = fact.Empty
			}
			return len(values)
		})
	case "fw_counters":
		return qatFile(device, qat.ParseCounters, func(d *fact.QAT, counts qat.Counts, name string) int {
			qat.SetCounters(d, counts, fact.Line{File: name})
			return len(counts.Engines) + len(counts.Silent)
		})
	case "cnv_errors":
		return qatFile(device, qat.ParseCnvErrors, func(d *fact.QAT, counts []fact.EngineCount, name string) int {
			d.CnvErrors = valOf(counts, name)
			return len(counts)
		})
	case "pm_status":
		return qatFile(device, qat.ParsePower, func(d *fact.QAT, values []fact.ConfigValue, _ string) int {
			d.Power = values
			return len(values)
		})
	case "heartbeat/queries_sent", "heartbeat_sent":
		return qatNumber(device, func(d *fact.QAT) *fact.Val[int64] { return &d.HeartbeatSent })
	case "heartbeat/queries_failed", "heartbeat_failed":
		return qatNumber(device, func(d *fact.QAT) *fact.Val[int64] { return &d.HeartbeatFailed })
	case "heartbeat/config":
		return qatNumber(device, func(d *fact.QAT) *fact.Val[int64] { return &d.HeartbeatPeriod })
	case "telemetry/control":
		return qatNumber(device, func(d *fact.QAT) *fact.Val[int64] { return &d.TelemetryControl })
	case "version/fw":
		return func(b *builder, r io.Reader, name string) parsed {
			v := b.tree.Word(name, r)
			return parsed{amount: 1, add: func() { device(b).Firmware = v }}
		}
	}
	if file, ok := strings.CutPrefix(rest, "telemetry/"); ok && (file == "device_data" || strings.HasPrefix(file, "rp_")) {
		return qatFile(device, qat.ParseTelemetry, func(d *fact.QAT, metrics []fact.Metric, _ string) int {
			d.Telemetry = append(d.Telemetry, metrics...)
			return len(metrics)
		})
	}
	return nil
}

// qatFile reads a file with parse and adds what it holds to its device.
func qatFile[T any](device func(*builder) *fact.QAT, parse func(io.Reader, string) (T, []fact.Problem, error), add func(d *fact.QAT, got T, name string) int) parser {
	return func(b *builder, r io.Reader, name string) parsed {
		got, problems, err := parse(r, name)
		return parsed{amount: 1, add: func() {
			into := device(b)
			d := *into
			if b.qatValues += add(&d, got, name); b.qatValues > maxQATValues {
				b.skip(name, "QAT devices have more values than are kept")
				return
			}
			*into = d
			b.note(name, err, problems)
		}}
	}
}

func qatNumber(device func(*builder) *fact.QAT, into func(*fact.QAT) *fact.Val[int64]) parser {
	return func(b *builder, r io.Reader, name string) parsed {
		v := b.tree.Number(name, r)
		return parsed{amount: 1, add: func() { *into(device(b)) = v }}
	}
}

// looseQAT reads files of debugfs that were copied out of their folders, and
// what adf_ctl printed.
func looseQAT(b *builder, r io.Reader, name string) parsed {
	got, err := qat.ParseLoose(r, name)
	amount := len(got.Devices)
	for _, d := range got.Devices {
		amount += len(d.Config) + len(d.Telemetry) + len(d.Power)
	}
	return parsed{amount: amount, unread: got.Unread, add: func() {
		b.m.QAT = append(b.m.QAT, got.Devices...)
		b.note(name, err, got.Problems)
	}}
}

// quickAssist joins the places that speak of a QuickAssist device, by address:
// debugfs goes before texts that were copied and the folders of its PCI
// function.
func (b *builder) quickAssist() {
	var all []fact.QAT
	for _, folder := range slices.Sorted(maps.Keys(b.qat)) {
		all = append(all, *b.qat[folder])
	}
	all = append(all, b.m.QAT...)
	b.m.QAT = nil
	known := map[string]int{}
	for i := range all {
		q := &all[i]
		if at, ok := known[q.Address]; ok && q.Address != "" {
			qat.Merge(&b.m.QAT[at], q)
			continue
		}
		known[q.Address] = len(b.m.QAT)
		b.m.QAT = append(b.m.QAT, *q)
	}
	slices.SortStableFunc(b.m.QAT, func(x, y fact.QAT) int {
		return cmp.Or(sysfs.CompareAddresses(x.Address, y.Address), cmp.Compare(x.Folder, y.Folder))
	})
	for i := range b.m.QAT {
		q := &b.m.QAT[i]
		if q.Address == "" {
			b.problem(q.Folder, "no PCI address in its name")
		}
		slices.SortStableFunc(q.Telemetry, func(x, y fact.Metric) int { return cmp.Compare(x.File, y.File) })
	}
}
