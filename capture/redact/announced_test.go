package redact

import (
	"regexp"
	"strings"
	"testing"
)

const dmesg, lspci, other = "cmd/dmesg.txt", "cmd/lspci-vvv.txt", "attach/some.txt"

// drawn is a text of a member with « » around what must be replaced; all else
// must stay.
type drawn struct{ name, member, text string }

func TestAnnounced(t *testing.T) {
	testDrawn(t, []drawn{
		{"part number in a field of the maker", lspci, "\t\t\t[V2] Vendor specific: MCX623106AN-CDAT\n\t\t\t[PN] Part number: MCX623106AN-CDAT"},
		{"model among fields of the maker", lspci, "\t\t\t[VA] Vendor specific: MLX:MN=MLNX:CSKU=V2:UUID=V3:PCI=V0:MODL=CX623106A"},
		{"serial number in JSON on one line", other, `{"SerialNumber" : "«S4EWNX0R500000W»", "ModelNumber" : "Maker SSD 970 1TB"}`},
		{"behind model in udev's form", other, "E: ID_SERIAL=Maker_WD40EFRX-68N32N0_«WD-WCC7K0000CDE»\nE: ID_SERIAL_SHORT=«WD-WCC7K0000CDE»"},
		{"S/N", dmesg, "smartd: /dev/sda, Maker SSD, S/N:«S4EWNX0R500000W», FW:82.00A82, 4.00 TB"},
		{"Device Serial Number in an error record", dmesg, "{1}[Hardware Error]:   serial number: 0x«00e1b2c3», 0x«d4f5a6b7»"},
		{"hexadecimal serial number", dmesg, "cxl_pci 0000:35:00.0: serial=0x«c100e2a3b4c5d6e7»"},
		{"GUID in groups", dmesg, "mlx5_ib0: node_guid «0200:0003:001a:2b3c»"},
		{"ports of Fibre Channel", other, "host_traddr=nn-0x«2000000000123456»:pn-0x«2100000000123456»"},
		{"EUI-64 as smartctl groups it", other, "IEEE EUI-64:                        «020000 5b11b0a1c2»"},
		{"address behind a label", "cmd/dmidecode.txt", "\tRedfish Service IP Address: «192.0.2.118»\n\tIPv4 Mask: 255.255.0.0"},
		{"host in ip=", dmesg, "Command line: ip=«192.0.2.15»::«192.0.2.1»:255.255.255.0:«pxe-node7»:eth0:off ro"},
		{"host in ip= behind IPv6", dmesg, "Command line: ip=[«2001:db8::15»]::[«2001:db8::1»]:64:«pxe-node7»:eth0:off"},
		{"device in ip=", dmesg, "Command line: ip=eth0:dhcp quiet"},
		{"host in a URL that is a value", dmesg, "Command line: inst.ks=http://«ks7.firma.test»:8080/ks.cfg inst.rootpw=«Sommer»"},
		{"URL of a project", dmesg, "see https://bugzilla.kernel.org/show_bug.cgi?id=1"},
		{"name in rd.luks.name", dmesg, "rd.luks.name=«5e3fda33-1a2b-4c5d-8e9f-0a1b2c3d4e5f»=«tresorbox» ro"},
		{"time with a fraction", dmesg, "Aug 12 21:14:00.123456 «wurzelhost» systemd[1]: Started."},
		{"host called like its system", dmesg, "systemd[1]: Hostname set to <«truenas»>.\nWelcome to TrueNAS 24.10!"},
		{"no name", dmesg, "     host=«pxe-node7», domain=(none), nis-domain=(none)"},
		{"word behind hostname that is none", dmesg, "<info> hostname: hostname changed from (none)"},
		{"UUIDs of ZFS and LVM", other, `UUID="«12345678901234567890»" UUID_SUB="«9876543210987654321»"` + "\n  VG UUID               «AbCdEf-GhIj-KlMn-OpQr-StUv-WxYz-012345»"},
		{"keys", other, "PrivateKey = «yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=»\n" + `"token": "«abcdef0123»"`},
	})
}

func testDrawn(t *testing.T, tests []drawn) {
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			plain := strings.NewReplacer("«", "", "»", "").Replace(test.text)
			once := redactOne(t, Key{1}, test.member, plain)
			if twice := redactOne(t, Key{2}, test.member, once); twice != once {
				t.Errorf("a second run made\n%s\nof\n%s", twice, once)
			}
			var want strings.Builder
			for i, part := range regexp.MustCompile("[«»]").Split(test.text, -1) {
				if i%2 == 0 {
					want.WriteString(regexp.QuoteMeta(part))
					continue
				}
				want.WriteString("(.+)")
				if strings.Contains(once, part) {
					t.Errorf("%q is still in\n%s", part, once)
				}
			}
			if !regexp.MustCompile("^" + want.String() + "$").MatchString(once) {
				t.Errorf("got\n%s\nof\n%s", once, plain)
			}
		})
	}
}

func redactOne(t *testing.T, key Key, member, text string) string {
	t.Helper()
	r := New(key)
	if err := r.Learn(member, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := r.Rewrite(member, &b, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
