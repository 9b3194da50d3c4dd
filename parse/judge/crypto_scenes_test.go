package judge_test

import (
	"fmt"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// A step changes a machine; a scene is built of steps.
type step func(*fact.Machine)

func machine(steps ...step) *fact.Machine {
	m := &fact.Machine{Settings: map[string]fact.Val[string]{}, Lists: map[string]fact.List{}}
	for _, s := range steps {
		s(m)
	}
	return m
}

// place makes up a line of a capture.
func place(file string, n int, text string) fact.Line {
	return fact.Line{File: file, Line: n, Text: text}
}

// impl is one registered implementation: flags 0 leaves netlink out.
type impl struct {
	name, driver, kind string
	priority           int
	flags              uint32
}

const (
	tested = 0x400
	alloc  = 0x10000
	async  = 0x80
)

// crypto registers implementations, as /proc/crypto and, where flags are given,
// the netlink dump list them.
func crypto(all ...impl) step {
	return func(m *fact.Machine) {
		m.Crypto.Proc = fact.Present
		m.Sources = append(m.Sources, fact.Source{Name: "proc-crypto", State: fact.Present, At: place("manifest.json", 3, `{"name":"proc-crypto"}`)})
		for i, a := range all {
			alg := fact.Algorithm{
				Name: a.name, Driver: a.driver, Type: a.kind, Priority: a.priority, SelfTest: "passed",
				From:       place("proc/crypto", 10*i+1, "name         : "+a.name),
				DriverAt:   place("proc/crypto", 10*i+2, "driver       : "+a.driver),
				PriorityAt: place("proc/crypto", 10*i+4, fmt.Sprintf("priority     : %d", a.priority)),
			}
			if a.kind == "skcipher" || a.kind == "aead" {
				yes := a.flags&async != 0
				alg.Async = &yes
			}
			if offload := alg.Driver; len(offload) > 3 && offload[:3] == "qat" {
				alg.Module = "intel_qat"
			}
			if a.flags != 0 {
				m.Crypto.Netlink = fact.Present
				alg.Frame = fact.Line{File: "netlink/crypto.pcap", Frame: i + 1, Text: fmt.Sprintf("%s %s priority=%d flags=0x%08x", a.name, a.driver, a.priority, a.flags)}
				alg.Flags = fact.Of(a.flags, alg.Frame)
			}
			m.Crypto.Algorithms = append(m.Crypto.Algorithms, alg)
		}
	}
}

// workstation are the implementations of a machine with QAT and AES
// instructions, flags as the kernel gives them.
var workstation = []impl{
	{"pkcs1(rsa,sha512)", "pkcs1(qat-rsa,sha512)", "sig", 1000, 0x407},
	{"deflate", "qat_deflate", "acomp", 4001, 0x1048a},
	{"dh", "qat-dh", "kpp", 1000, 0x508},
	{"rsa", "qat-rsa", "akcipher", 1000, 0x406},
	{"authenc(hmac(sha256),cbc(aes))", "qat_aes_cbc_hmac_sha256", "aead", 100, 0x10483},
	{"xts(aes)", "qat_aes_xts", "skcipher", 100, 0x10585},
	{"ctr(aes)", "qat_aes_ctr", "skcipher", 100, 0x10485},
	{"cbc(aes)", "qat_aes_cbc", "skcipher", 100, 0x10485},
	{"xts(aes)", "xts-aes-vaes-avx2", "skcipher", 600, 0x405},
	{"ctr(aes)", "ctr-aes-aesni", "skcipher", 400, 0x405},
	{"cbc(aes)", "cbc-aes-aesni", "skcipher", 400, 0x405},
	{"xts(aes)", "xts-aes-aesni", "skcipher", 401, 0x405},
	{"rsa", "rsa-generic", "akcipher", 100, 0x406},
	{"dh", "dh-generic", "kpp", 100, 0x408},
	{"deflate", "deflate-generic", "scomp", 0, 0x4040b},
	{"sha256", "sha256-lib", "shash", 300, 0x40e},
}

// without returns the implementations but those of the drivers named.
func without(all []impl, drivers ...string) []impl {
	return slices.DeleteFunc(slices.Clone(all), func(a impl) bool { return slices.Contains(drivers, a.driver) })
}

// flagless returns the implementations as /proc/crypto alone shows them.
func flagless(all []impl) []impl {
	out := slices.Clone(all)
	for i := range out {
		out[i].flags = 0
	}
	return out
}

// untested takes the passed self-test from an implementation.
func untested(driver string) step {
	return func(m *fact.Machine) {
		for i := range m.Crypto.Algorithms {
			if a := &m.Crypto.Algorithms[i]; a.Driver == driver {
				a.SelfTest = "unknown"
				if a.Flags.Known() {
					a.Flags.V &^= tested
				}
			}
		}
	}
}

// cryptoCut ends both lists early: after n entries, not to their end.
func cryptoCut(n int) step {
	return func(m *fact.Machine) {
		m.Crypto.Algorithms = m.Crypto.Algorithms[:n]
		m.Crypto.Proc = fact.Truncated
		if m.Crypto.Netlink == fact.Present {
			m.Crypto.Netlink = fact.Truncated
		}
	}
}

func kernel(release, version string) step {
	return func(m *fact.Machine) {
		text := "Linux version " + release + " (builder@example.org) " + version
		m.Platform.Version = fact.Of(text, place("proc/version", 1, text))
		m.Platform.Kernel = fact.Of(release, place("proc/version", 1, text))
	}
}

func setting(path, value string) step {
	return func(m *fact.Machine) {
		at := place(path, 1, value)
		m.Settings[path] = fact.Of(value, at)
	}
}

func zswap(enabled, compressor string) step {
	return func(m *fact.Machine) {
		setting("sys/module/zswap/parameters/enabled", enabled)(m)
		setting("sys/module/zswap/parameters/compressor", compressor)(m)
	}
}

// source records how a source ended.
func source(name string, state fact.State) step {
	return func(m *fact.Machine) {
		m.Sources = slices.DeleteFunc(m.Sources, func(s fact.Source) bool { return s.Name == name })
		m.Sources = append(m.Sources, fact.Source{Name: name, State: state, At: place("manifest.json", 4, `{"name":"`+name+`"}`)})
	}
}

// device adds a PCI function; driver "" is none, "?" not known.
func device(address, id, class, driver string, more ...func(*fact.Device)) step {
	return func(m *fact.Machine) {
		d := fact.Device{
			Address: address, Vendor: id[:4], Device: id[5:], Class: class, CapsState: fact.Present, ExtCaps: true,
			Driver: driver, DriverKnown: true, Listings: 1, Express: &fact.Express{Type: fact.Endpoint},
			From: place("cmd/lspci-vvv.txt", len(m.PCI)+1, address+" "+class+" ["+id+"]"),
		}
		if driver == "?" {
			d.Driver, d.DriverKnown = "", false
		}
		for _, change := range more {
			change(&d)
		}
		m.PCI = append(m.PCI, d)
	}
}

// port makes a bridge of a function; acs nil: it has no ACS capability.
func port(kind string, acs *fact.ACS) func(*fact.Device) {
	return func(d *fact.Device) { d.Express, d.ACS = &fact.Express{Type: kind}, acs }
}

func vfs(offered, active int) func(*fact.Device) {
	return func(d *fact.Device) {
		d.SRIOV = &fact.SRIOV{TotalVFs: offered, NumVFs: active, At: place("cmd/lspci-vvv.txt", 90, "Total VFs")}
	}
}

// qat adds the debugfs folder of a device; pairs are requests and responses.
func qat(address string, pairs ...[2]int64) step {
	return func(m *fact.Machine) {
		q := fact.QAT{Address: address, Folder: "qat_" + address}
		var engines []fact.EngineCount
		for i, p := range pairs {
			at := place("sys/kernel/debug/qat_x/fw_counters", i+2, fmt.Sprintf("%2d: %16d %16d", i, p[0], p[1]))
			engines = append(engines, fact.EngineCount{Engine: i, Requests: p[0], Responses: p[1], At: at})
		}
		if len(pairs) > 0 {
			q.Counters = fact.Of(engines, engines[0].At)
		}
		m.QAT = append(m.QAT, q)
	}
}

// qatChange changes the first QAT folder.
func qatChange(change func(*fact.QAT)) step { return func(m *fact.Machine) { change(&m.QAT[0]) } }

// log adds a message; fields are pairs.
func note(kind, device, text string, fields ...string) step {
	return func(m *fact.Machine) {
		n := fact.Note{Kind: kind, Device: device, Fields: map[string]string{}, At: place("cmd/dmesg.txt", len(m.Log.Notes)+1, text)}
		for i := 0; i < len(fields); i += 2 {
			n.Fields[fields[i]] = fields[i+1]
		}
		if m.Log.State == "" {
			m.Log.State = fact.Present
		}
		m.Log.Notes = append(m.Log.Notes, n)
	}
}

// wholeLog says that the log starts with the boot.
func wholeLog(m *fact.Machine) {
	m.Log.State = fact.Present
	m.Log.FromBoot = fact.Of(true, place("cmd/dmesg.txt", 1, "Linux version"))
}

func cmdline(words string) step {
	return func(m *fact.Machine) { m.Platform.Cmdline = fact.Of(words, place("proc/cmdline", 1, words)) }
}

// bareMetal is an x86 machine without a hypervisor; guest one with.
func bareMetal(m *fact.Machine) {
	m.Capture.Arch = "x86_64"
	at := place("proc/cpuinfo", 20, "flags\t\t: fpu aes")
	m.Platform.CPUFlags = fact.Of([]string{"fpu", "aes"}, at)
	m.Platform.Hypervisor = fact.Missing[string](fact.Absent, at)
}

func guest(name string) step {
	return func(m *fact.Machine) {
		bareMetal(m)
		m.Platform.Hypervisor = fact.Of(name, place("proc/cpuinfo", 20, "flags\t\t: fpu hypervisor"))
	}
}

// groups makes IOMMU groups of the types named, each with the devices given for
// its number.
func groups(types []string, devices map[int][]string) step {
	return func(m *fact.Machine) {
		m.IOMMU.State = fact.Present
		for i, kind := range types {
			id := fmt.Sprint(i)
			g := fact.Group{ID: id}
			if kind != "" {
				g.Type = fact.Of(kind, place("sys/kernel/iommu_groups/"+id+"/type", 1, kind))
			}
			for j, d := range devices[i] {
				g.Devices = append(g.Devices, fact.Entry{Name: d, At: place("sys/kernel/iommu_groups/"+id+"/devices/.list", j+1, d)})
			}
			m.IOMMU.Groups = append(m.IOMMU.Groups, g)
		}
		source("iommu-groups", fact.Present)(m)
	}
}

func units(names ...string) step {
	return func(m *fact.Machine) {
		m.IOMMU.UnitsState = fact.Present
		for i, n := range names {
			m.IOMMU.Units = append(m.IOMMU.Units, fact.Entry{Name: n, At: place("sys/class/iommu/.list", i+1, n)})
		}
	}
}

func tables(names ...string) step {
	return func(m *fact.Machine) {
		l := fact.List{State: fact.Present}
		for i, n := range names {
			l.Entries = append(l.Entries, fact.Entry{Name: n, At: place("sys/firmware/acpi/tables/.list", i+1, n)})
		}
		m.Lists["sys/firmware/acpi/tables"] = l
	}
}

// selfTests is the kernel's file that only kernels with self-tests have.
func selfTests(value string) step {
	return func(m *fact.Machine) {
		m.Crypto.FIPS = fact.Of(value, place("proc/sys/crypto/fips_enabled", 1, value))
	}
}

func option(name, value string) step {
	return func(m *fact.Machine) {
		m.Crypto.Config = map[string]fact.Val[string]{name: fact.Of(value, place("proc/config.gz", 900, "CONFIG_"+name+"="+value))}
	}
}

// cpuFlags are those of an x86 processor, features of an Arm one.
func cpuFlags(words ...string) step { return cpuinfo("flags", words) }
func features(words ...string) step { return cpuinfo("Features", words) }

func cpuinfo(label string, words []string) step {
	return func(m *fact.Machine) {
		at := place("proc/cpuinfo", 20, label+"\t\t: "+strings.Join(words, " "))
		m.Platform.CPUFlags = fact.Of(words, at)
		if label == "flags" {
			m.Capture.Arch = "x86_64"
			m.Platform.Hypervisor = fact.Missing[string](fact.Absent, at)
		}
	}
}

// under says that a hypervisor runs the machine.
func under(name string) step {
	return func(m *fact.Machine) {
		m.Platform.Hypervisor = fact.Of(name, place("sys/class/dmi/id/sys_vendor", 1, name))
	}
}

// sensor adds a hwmon folder; address "" is one of no PCI function.
func sensor(address string) step {
	return func(m *fact.Machine) {
		id := fmt.Sprintf("hwmon%d", len(m.Sensors))
		m.Sensors = append(m.Sensors, fact.Sensor{ID: id, Device: address, At: place("sys/class/hwmon/.list", len(m.Sensors)+1, id+" -> ../../devices/"+address)})
		source("hwmon", fact.Present)(m)
	}
}

// figure is one measurement, in MiB/s.
func figure(tool, what string, block, threads int, mib float64, more ...func(*fact.Measurement)) step {
	return func(m *fact.Machine) {
		at := place("attach/figures.txt", len(m.Measurements)+1, fmt.Sprintf("%s %d %d %.1f", what, block, threads, mib))
		f := fact.Measurement{Tool: tool, What: what, Block: block, Threads: threads, BytesPerSecond: fact.Of(mib*(1<<20), at), Clock: fact.ElapsedTime, From: at}
		for _, change := range more {
			change(&f)
		}
		m.Measurements = append(m.Measurements, f)
	}
}

func steps(all ...step) step {
	return func(m *fact.Machine) {
		for _, s := range all {
			s(m)
		}
	}
}
