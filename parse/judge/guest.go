package judge

import (
	"strings"

	"hwcap/parse/fact"
)

// guestIdentities are how the firmware of virtual machines presents itself:
// vendor and product of DMI, as the kernel's line "DMI: ..." starts with them.
// The host's own instances of a provider that rents both carry a mark.
var guestIdentities = []struct{ starts, unless, name string }{
	{"QEMU", "", "QEMU"},
	{"VMware", "", "VMware"},
	{"Xen ", "", "Xen"},
	{"innotek GmbH", "", "VirtualBox"},
	{"Parallels", "", "Parallels"},
	{"Microsoft Corporation Virtual Machine", "", "Hyper-V"},
	{"Google Google Compute Engine", "", "Google Compute Engine"},
	{"Amazon EC2", ".metal", "Amazon EC2"},
	{"OpenStack Foundation", "", "OpenStack"},
	{"Red Hat KVM", "", "KVM"},
	{"Bochs", "", "Bochs"},
	{"ChromiumOS crosvm", "", "crosvm"},
	{"Apple Inc. Apple Virtualization", "", "Apple Virtualization"},
	{"Alibaba Cloud Alibaba Cloud ECS", "", "Alibaba Cloud ECS"},
}

// nameless is the name of a hypervisor that does not give one.
const nameless = "hypervisor"

// hypervisor returns the name of the hypervisor that runs the machine and the
// line that says so: DMI, the kernel log, or the processor's flag, which gives
// no name.
func hypervisor(m *fact.Machine) (name string, at fact.Line, ok bool) {
	p := &m.Platform
	flag, flagged := p.Hypervisor.Get()
	if flagged && flag != nameless {
		return flag, p.Hypervisor.At, true
	}
	if name, found := guestIdentity(p.Vendor.V + " " + p.Product.V); found {
		return name, p.Vendor.At, true
	}
	for _, n := range m.Log.Of("hypervisor") {
		return n.Fields["name"], n.At, true
	}
	for _, n := range m.Log.Of("machine") {
		if name, found := guestIdentity(n.Fields["text"]); found {
			return name, n.At, true
		}
	}
	return flag, p.Hypervisor.At, flagged
}

// guestIdentity looks for the identity of a virtual machine.
func guestIdentity(text string) (name string, ok bool) {
	for _, g := range guestIdentities {
		if strings.HasPrefix(text, g.starts) && (g.unless == "" || !strings.Contains(text, g.unless)) {
			return g.name, true
		}
	}
	return "", false
}

// isGuest reports whether a source says that a hypervisor runs the machine.
func isGuest(m *fact.Machine) bool {
	_, _, ok := hypervisor(m)
	return ok
}
