package redact

import "strings"

// form is what kind of thing a member is.
type form uint8

const (
	asText    form = iota
	asConfig       // configuration space
	asPcap         // netlink messages
	asACPI         // an ACPI table
	asGzip         // a text inside gzip
	asBytes        // no grammar: only what is known from elsewhere is replaced
	asSniffed      // not known by name: text or bytes, by what is in it
)

// stance is what is done with a member.
type stance struct {
	form  form
	rules rules
}

// stances chooses by the name of a member, or by what it begins with where the
// pattern ends in a slash or a star. The first that fits counts. Every source of
// a capture has its row; all that a bundle of another tool has besides takes the
// last.
//
// A text without rules holds states, counters, models and names of devices. It
// still may hold what is an identity by its form, and what other members name:
// the interface enx..., a drive's serial number in the name of a link.
var stances = []struct {
	pattern string
	stance
}{
	{"*/hostname", stance{asSniffed, labels | logs | addresses | hosts}},
	{"*/hosts", stance{asSniffed, labels | logs | addresses | hosts}},
	{"hostname", stance{asSniffed, labels | logs | addresses | hosts}},
	{"cmd/lspci", stance{asText, labels | rows | models}},
	{"cmd/dmesg", stance{asText, logs | addresses}},
	{"cmd/journal", stance{asText, logs | addresses}},
	{"dev/kmsg", stance{asText, logs | addresses}},
	{"proc/cmdline", stance{asText, logs | addresses | command}},
	{"proc/version", stance{asText, logs}}, // who built the kernel
	{"proc/config.gz", stance{form: asGzip}},
	{"proc/cpuinfo", stance{asText, models}},
	{"proc/*", stance{form: asText}},
	{"etc/os-release", stance{asText, models}},
	{"sys/firmware/acpi/tables/.list", stance{form: asText}},
	{"sys/firmware/acpi/tables/*", stance{form: asACPI}},
	{"sys/*/config", stance{form: asConfig}},
	{"sys/class/dmi/", stance{asText, models}},
	{"sys/devices/virtual/dmi/", stance{asText, models}},
	{"sys/firmware/devicetree/", stance{asText, models}},
	{"sys/*/model", stance{asText, models}},
	{"sys/*", stance{form: asText}},
	{"netlink/*", stance{form: asPcap}},
	{"cmd/dmidecode", stance{asText, labels | dmi | models}},
	{"cmd/ras-mc-ctl", stance{asText, logs | labels}},
	{"cmd/rasdaemon-active", stance{form: asText}},
	{"cmd/nvme-list", stance{asText, labels | columns | models}},
	{"cmd/nvme-smart-log", stance{asText, labels}},
	{"cmd/sensors", stance{form: asText}},
	{"cmd/dmsetup", stance{asText, labels | mappings}},
	{"cmd/nvidia-smi", stance{asText, labels}},
	{"cmd/lscpu", stance{asText, models}},
	{"cmd/locale", stance{form: asText}},
	{"cmd/ethtool", stance{asText, labels}},
	{"samples/links.jsonl", stance{asText, labels | logs | addresses}}, // names a command
	{"manifest.json", stance{asText, labels | logs | addresses}},
	{"", stance{asSniffed, labels | logs | addresses | rows}},
}

// stanceOf returns what is done with a member, by its name below the folder of
// the capture. Standard error of a command says what programs and the kernel
// say.
func stanceOf(member string) stance {
	if strings.HasSuffix(member, ".err") {
		return stance{asText, labels | logs | addresses}
	}
	for _, s := range stances {
		if matches(s.pattern, member) {
			return s.stance
		}
	}
	return stance{form: asSniffed}
}

// matches reports whether a name begins like the pattern; a star stands for
// anything, and what follows it is how the name ends.
func matches(pattern, name string) bool {
	head, tail, star := strings.Cut(pattern, "*")
	return strings.HasPrefix(name, head) && (!star || strings.HasSuffix(name[len(head):], tail))
}
