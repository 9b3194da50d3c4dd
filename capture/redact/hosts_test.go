package redact

import (
	"strings"
	"testing"
)

func TestHosts(t *testing.T) {
	testDrawn(t, []drawn{
		{"etc/hosts", "etc/hosts", "127.0.0.1\tlocalhost.localdomain localhost\n127.0.1.1 «wurzelhost».«firma-nord.test» «wurzelhost»\n" +
			"::1     ip6-localhost ip6-loopback\n«192.0.2.5» «nas5» # behind the switch\n# a comment alone"},
		{"etc/hosts of a bundle", "files/etc/hosts", "«2001:db8::7»\t«nas5»"},
		{"etc/hostname", "etc/hostname", "«wurzelhost»"},
		{"etc/hostname with a domain", "sosreport/etc/hostname", "«wurzelhost».«firma-nord.test»"},
		{"kernel's own", "proc/sys/kernel/hostname", "«wurzelhost»"},
		{"no hosts", "etc/ansible/hosts", "[webservers] of all\nall:children x"},
		{"array of a host", other, "           Name : «wurzelhost»:0  (local to host «wurzelhost»)"},
		{"GUID of a partition in JSON", other, `{"id":"volume:0","configuration":{"guid":"«5e3fda33-1a2b-4c5d-8e9f-0a1b2c3d4e5f»"}}`},
		{"GUIDs of sgdisk", other, "Partition GUID code: 0FC63DAF-8483-4772-8E79-3D69D8477DE4 (Linux filesystem)\n" +
			"Partition unique GUID: «5E3FDA33-1A2B-4C5D-8E9F-0A1B2C3D4E5F»\nDisk identifier (GUID): «5E3FDA33-1A2B-4C5D-8E9F-0A1B2C3D4E5E»"},
		{"types of partitions", other, `{"name":"sda1","parttype":"c12a7328-f81f-11d2-ba4b-00a0c93ec93b","partuuid":"«5e3fda33-1a2b-4c5d-8e9f-0a1b2c3d4e5f»"}` +
			"\nE: ID_PART_ENTRY_TYPE=9d275380-40ad-11db-bf97-000c2911d1b8"},
		{"GUID of an interface", dmesg, "acpi PNP0C14:00: duplicate WMI GUID 05901221-D566-11D1-B2F0-00A0C9062910 (first instance was on PNP0C14:01)"},
	})
}

// TestHostCalledLikeItsModel: the name is replaced where it is the host's, and
// stays where it is the product's.
func TestHostCalledLikeItsModel(t *testing.T) {
	r := New(testKey)
	if err := r.Learn(dmesg, strings.NewReader("systemd[1]: Hostname set to <thinkpad>.\n")); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		member, line string
		stays        bool
	}{
		{dmesg, "login on thinkpad", false},
		{other, "the thinkpad again", false},
		{dmesg, "DMI: LENOVO 20L50000GE/ThinkPad T480, BIOS N24ET76W", true},
		{dmesg, "Hardware name: LENOVO 20L50000GE/ThinkPad T480, BIOS N24ET76W", true},
		{"cmd/dmidecode.txt", "\tVersion: ThinkPad T480", true},
		{"sys/class/dmi/id/product_version", "ThinkPad T480", true},
		{lspci, "\tSubsystem: Lenovo ThinkPad T480", true},
	} {
		var b strings.Builder
		if err := r.Rewrite(test.member, &b, strings.NewReader(test.line)); err != nil {
			t.Fatal(err)
		}
		if stays := b.String() == test.line; stays != test.stays {
			t.Errorf("%s: %q became %q", test.member, test.line, b.String())
		}
	}
}
