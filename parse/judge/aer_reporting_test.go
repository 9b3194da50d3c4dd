package judge

import (
	"testing"

	"hwcap/parse/fact"
)

func reportEnables(address string, names ...string) func(*fact.Machine) {
	return func(m *fact.Machine) { m.Device(address).Express.DevCtl = statusBits(420, names...) }
}

func errorMasks(address string, ce, ue []string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.Device(address).AER.CEMsk, m.Device(address).AER.UEMsk = statusBits(431, ce...), statusBits(432, ue...)
	}
}

func kernelIs(release string) func(*fact.Machine) {
	return func(m *fact.Machine) { m.Platform.Kernel = fact.Of(release, lineAt("proc/version", 1, release)) }
}

// driverIs says which driver has the drive.
func driverIs(name string, known bool) func(*fact.Machine) {
	return func(m *fact.Machine) { m.Device(drive).Driver, m.Device(drive).DriverKnown = name, known }
}

func TestReportingOff(t *testing.T) {
	off := []string{"CorrErr-", "NonFatalErr-", "FatalErr-"}
	play(t, aerReportingOff, []scene{
		{"all on", server(bothPorts), []string{"on machine"}},
		{"an advisory mask is as it should be", server(bothPorts, errorMasks(drive, []string{"AdvNonFatalErr+", "RxErr-"}, []string{"UnsupReq+", "UncorrIntErr+"})), []string{"on machine"}},
		{"the port itself is off", server(bothPorts, reportEnables(port, off...)), []string{"port-off " + port}},
		{"the port passes nothing on", server(bothPorts, func(m *fact.Machine) {
			m.Device(port).AER.RootCmd = statusBits(440, "CERptEn-", "NFERptEn+", "FERptEn+")
		}), []string{"port-off " + port}},
		{"a device is off", server(bothPorts, reportEnables(drive, off...)), []string{"off " + drive}},
		{"a device is off, and the kernel leaves that to drivers", server(bothPorts, reportEnables(drive, off...), kernelIs("5.15.0-91-generic")), []string{"left-off " + drive}},
		{"a device is off that no driver has", server(bothPorts, reportEnables(drive, off...), driverIs("", true)), []string{"unbound " + drive}},
		{"a device is off of which nobody knows the driver", server(bothPorts, reportEnables(drive, off...), driverIs("", false)), []string{"off " + drive}},
		{"a device is off that no driver has, and the kernel leaves that to drivers", server(bothPorts, reportEnables(drive, off...), driverIs("", true), kernelIs("5.15.0-91-generic")), []string{"left-off " + drive}},
		{"receiver errors masked", server(bothPorts, errorMasks(drive, []string{"RxErr+", "AdvNonFatalErr+"}, nil)), []string{"masked " + drive}},
		{"timeouts alone masked, as on some laptops", server(bothPorts, errorMasks(drive, nil, []string{"CmpltTO+", "UnsupReq+"})), []string{"masked-timeout " + drive}},
		{"timeouts and receiver errors masked", server(bothPorts, errorMasks(drive, []string{"RxErr+"}, []string{"CmpltTO+"})), []string{"masked " + drive}},
		{"masked by Linux above a chip that raises it by mistake", server(bothPorts, errorMasks(port, []string{"Timeout+"}, nil), withLog(logNote("aer-masked", port, "mask Replay Timer Timeout Correctable Errors due to "+drive+" hardware defect", "cause", drive))), []string{"on machine"}},
		{"going down masked where things are plugged", server(bothPorts, errorMasks(port, nil, []string{"SDES+"}), func(m *fact.Machine) {
			m.Device(port).Express.HotPlug = fact.Of(true, lineAt("cmd/lspci-vvv.txt", 215, "SltCap"))
		}), []string{"on machine"}},
		{"Linux does not handle errors here", server(reportEnables(drive, off...)), nil},
		{"a guest", server(bothPorts, reportEnables(drive, off...), func(m *fact.Machine) {
			m.Platform.Hypervisor = fact.Of("KVM", lineAt("proc/cpuinfo", 20, "hypervisor"))
		}), nil},
		{"virtual function", server(bothPorts, virtualFunction), []string{"on machine"}},
		{"without root", server(bothPorts, asUser), []string{"unread machine"}},
		{"lspci missing", server(bothPorts, withoutSource("lspci-vvv", fact.Absent)), []string{"unread machine"}},
	})
}
