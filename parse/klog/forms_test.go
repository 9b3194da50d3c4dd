package klog

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hwcap/parse/fact"
)

// spoken is a boot that each form below says in its own way.
var spoken = []struct {
	usec    int
	message string
}{
	{0, "Linux version 6.12.30 (builder@host) (gcc-14) #1 SMP"},
	{100000, "ACPI: PCI Root Bridge [PC07] (domain 0000 [bus c2-c9])"},
	{100001, "acpi PNP0A08:07: _OSC: OS now controls [PCIeHotplug PME AER PCIeCapability LTR]"},
	{200000, `efi: EFI v2.7 by ACME "quoted" back\slash`},
	{900000, "pcieport 0000:c2:05.0: AER: enabled with IRQ 27"},
	{61000000, "pcieport 0000:c2:05.0: AER: Correctable error message received from 0000:c7:00.0"},
	{61000001, "nvme 0000:c7:00.0: PCIe Bus Error: severity=Correctable, type=Physical Layer, (Receiver ID)"},
	{61000002, "nvme 0000:c7:00.0:   device [144d:a824] error status/mask=00000001/00000000"},
	{61000003, "nvme 0000:c7:00.0:    [ 0] RxErr                  (First)"},
	{112000004, "DMAR: [DMA Read NO_PASID] Request device [0b:00.0] fault addr 0xffffe000 [fault reason 0x06] PTE Read access is not set"},
}

// told is one form: what each message looks like and what stands around all.
type told struct {
	format         string
	before, after  string
	say            func(usec int, message string) string
	timed, clocked bool
}

func clockOf(usec int) string {
	s := usec / 1e6
	return fmt.Sprintf("%02d:%02d:%02d", 12+s/3600, 14+s/60%60, s%60)
}

func secondsOf(usec int) string { return fmt.Sprintf("%5d.%06d", usec/1e6, usec%1e6) }

// quote writes a string as JSON does, with nothing escaped for the sake of HTML.
func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

// numbers writes a text as the journal writes what is no UTF-8.
func numbers(s string) string {
	var out []string
	for i := range len(s) {
		out = append(out, fmt.Sprint(s[i]))
	}
	return "[ " + strings.Join(out, ", ") + " ]"
}

// exported writes a field as journalctl -o export writes what is no text.
func exported(name, value string) string {
	size := binary.LittleEndian.AppendUint64(nil, uint64(len(value)))
	return name + "\n" + string(size) + value + "\n"
}

const bootID = "0123456789abcdef0123456789abcdef"

var forms = map[string]told{
	"dmesg":                     {format: "dmesg", timed: true, say: func(u int, m string) string { return "[" + secondsOf(u) + "] " + m }},
	"dmesg with callers":        {format: "dmesg", timed: true, say: func(u int, m string) string { return "[" + secondsOf(u) + "][  T358] " + m }},
	"dmesg with processors":     {format: "dmesg", timed: true, say: func(u int, m string) string { return "[" + secondsOf(u) + "] [     C0] " + m }},
	"dmesg -r":                  {format: "dmesg -r", timed: true, say: func(u int, m string) string { return "<6>[" + secondsOf(u) + "] " + m }},
	"dmesg -x":                  {format: "dmesg -x", timed: true, say: func(u int, m string) string { return "kern  :notice: [" + secondsOf(u) + "] " + m }},
	"dmesg -x --time-format -":  {format: "dmesg -x", clocked: true, say: func(u int, m string) string { return "kern  :info  : [Mon Nov 30 " + clockOf(u) + " 2026] " + m }},
	"dmesg -d":                  {format: "dmesg -d", timed: true, say: func(u int, m string) string { return "[" + secondsOf(u) + " <    0.000001>] " + m }},
	"dmesg --time-format delta": {format: "dmesg -d", say: func(u int, m string) string { return "[<    0.000001>] " + m }},
	"dmesg -T":                  {format: "dmesg -T", clocked: true, say: func(u int, m string) string { return "[Mon Nov 30 " + clockOf(u) + " 2026] " + m }},
	"dmesg -T -d":               {format: "dmesg -T", clocked: true, say: func(u int, m string) string { return "[Mon Nov 30 " + clockOf(u) + " 2026 <    0.000001>] " + m }},
	"dmesg -T in German":        {format: "dmesg -T", clocked: true, say: func(u int, m string) string { return "[Mo Mär  3 " + clockOf(u) + " 2025] " + m }},
	"dmesg -T in Chinese":       {format: "dmesg -T", clocked: true, say: func(u int, m string) string { return "[一 11月 30 " + clockOf(u) + " 2026] " + m }},
	"dmesg -T and seconds": {format: "dmesg", timed: true, say: func(u int, m string) string {
		return "[" + secondsOf(u) + "] [Mon Nov 30 " + clockOf(u) + " 2026] " + m
	}},
	"dmesg -e": {format: "dmesg -e", say: func(u int, m string) string { return "[  +0.000001] " + m }},
	"dmesg -t": {format: "dmesg -t", say: func(u int, m string) string { return m }},
	"dmesg --time-format iso": {format: "dmesg iso", clocked: true, say: func(u int, m string) string {
		return "2026-11-30T" + clockOf(u) + ",000000+00:00 " + m
	}},
	"dmesg --json": {format: "dmesg --json", timed: true, before: "{\n   \"dmesg\": [\n      {\n", after: "      }\n   ]\n}", say: func(u int, m string) string {
		between := ""
		if u > 0 {
			between = "      },{\n"
		}
		return between + fmt.Sprintf("         \"pri\": 6,\n         \"time\": %s,\n         \"caller\": \"T1\",\n         \"msg\": %s", secondsOf(u), quote(m))
	}},
	"dmesg --json -x": {format: "dmesg --json", timed: true, before: "{\n   \"dmesg\": [\n", after: "   ]\n}", say: func(u int, m string) string {
		return fmt.Sprintf("      {\n         \"fac\": \"kern\",\n         \"pri\": \"info\",\n         \"time\": %s,\n         \"msg\": %s\n      },", secondsOf(u), quote(m))
	}},
	"dmesg --json -T": {format: "dmesg --json", clocked: true, before: "{\n   \"dmesg\": [\n", after: "   ]\n}", say: func(u int, m string) string {
		return fmt.Sprintf("      {\n         \"pri\": 6,\n         \"time\": [Mon Nov 30 %s 2026] ,\n         \"msg\": %s\n      },", clockOf(u), quote(m))
	}},
	"dmesg --json in one line": {format: "dmesg --json", timed: true, before: `{"dmesg":[`, after: "]}", say: func(u int, m string) string {
		return fmt.Sprintf(`{"pri":6,"time":%s,"msg":%s},`, strings.TrimSpace(secondsOf(u)), quote(m))
	}},
	"kmsg": {format: "kmsg", timed: true, say: func(u int, m string) string {
		return fmt.Sprintf("6,%d,%d,-;%s\n SUBSYSTEM=x", u+100, u, strings.ReplaceAll(m, `\`, `\x5c`))
	}},
	"kmsg with callers": {format: "kmsg", timed: true, say: func(u int, m string) string {
		return fmt.Sprintf("6,%d,%d,-,caller=T1;%s", u+100, u, strings.ReplaceAll(m, `\`, `\x5c`))
	}},
	"netconsole with the release": {format: "kmsg", timed: true, say: func(u int, m string) string {
		return fmt.Sprintf("6.12.30-rc1,6,%d,%d,-;%s", u+100, u, strings.ReplaceAll(m, `\`, `\x5c`))
	}},
	"journalctl -o short":         {format: "journal short", clocked: true, say: func(u int, m string) string { return "Nov 30 " + clockOf(u) + " host kernel: " + m }},
	"journalctl -o short, German": {format: "journal short", clocked: true, say: func(u int, m string) string { return "Mär 03 " + clockOf(u) + " host kernel: " + m }},
	"journalctl -o short-precise": {format: "journal short", clocked: true, say: func(u int, m string) string { return "Nov 30 " + clockOf(u) + ".000001 host kernel: " + m }},
	"journalctl -o short-iso":     {format: "journal short-iso", clocked: true, say: func(u int, m string) string { return "2026-11-30T" + clockOf(u) + "+0000 host kernel: " + m }},
	"journalctl -o short-iso-precise": {format: "journal short-iso", clocked: true, say: func(u int, m string) string {
		return "2026-11-30T" + clockOf(u) + ".000001+00:00 host kernel: " + m
	}},
	"journalctl -o short-full": {format: "journal short-full", clocked: true, say: func(u int, m string) string {
		return "Mon 2026-11-30 " + clockOf(u) + " UTC host kernel: " + m
	}},
	"journalctl -o with-unit, no host": {format: "journal short-full", clocked: true, say: func(u int, m string) string {
		return "Mo 2026-11-30 " + clockOf(u) + " CET kernel: " + m
	}},
	"journalctl -o short-unix": {format: "journal short-unix", clocked: true, say: func(u int, m string) string {
		return fmt.Sprintf("%d.%06d host kernel: %s", 1764504896+u/1e6, u%1e6, m)
	}},
	"journalctl -o short-monotonic": {format: "journal short-monotonic", timed: true, say: func(u int, m string) string { return "[" + secondsOf(u) + "] host kernel: " + m }},
	"journalctl -o short-delta": {format: "journal short-monotonic", timed: true, say: func(u int, m string) string {
		if u == 0 {
			return "[" + secondsOf(u) + "                ] host kernel: " + m
		}
		return "[" + secondsOf(u) + " <    0.000001 >] host kernel: " + m
	}},
	"journalctl -o cat": {format: "dmesg -t", say: func(u int, m string) string { return m }},
	"journalctl -o verbose": {format: "journal verbose", timed: true, say: func(u int, m string) string {
		return "Mon 2026-11-30 " + clockOf(u) + ".000001 UTC [s=01;i=1;b=" + bootID + ";m=1;t=1;x=1]\n" +
			fmt.Sprintf("    _SOURCE_MONOTONIC_TIMESTAMP=%d\n    _TRANSPORT=kernel\n    PRIORITY=6\n    MESSAGE=%s\n    _BOOT_ID=%s", u, m, bootID)
	}},
	"journalctl -o export": {format: "journal export", timed: true, say: func(u int, m string) string {
		return fmt.Sprintf("__CURSOR=s=01;i=1\n__MONOTONIC_TIMESTAMP=%d\n_BOOT_ID=%s\n_TRANSPORT=kernel\nMESSAGE=%s\n_SOURCE_MONOTONIC_TIMESTAMP=%d\n", u+5000, bootID, m, u)
	}},
	"journalctl -o export, binary": {format: "journal export", timed: true, say: func(u int, m string) string {
		return fmt.Sprintf("__CURSOR=s=01;i=1\n__MONOTONIC_TIMESTAMP=%d\n_BOOT_ID=%s\n_TRANSPORT=kernel\n%s%s", u, bootID, exported("MESSAGE", m), exported("OTHER", "a\nMESSAGE=b\n"))
	}},
	"journalctl -o json": {format: "journal json", timed: true, say: func(u int, m string) string {
		return fmt.Sprintf(`{"__CURSOR":"s=01","_TRANSPORT":"kernel","__MONOTONIC_TIMESTAMP":"%d","MESSAGE":%s,"_BOOT_ID":"%s","_SOURCE_MONOTONIC_TIMESTAMP":"%d"}`, u+5000, quote(m), bootID, u)
	}},
	"journalctl -o json of old": {format: "journal json", timed: true, say: func(u int, m string) string {
		return fmt.Sprintf(`{ "__CURSOR" : "s=01", "__MONOTONIC_TIMESTAMP" : "%d", "_BOOT_ID" : "%s", "MESSAGE" : %s, "_TRANSPORT" : "kernel" }`, u, bootID, quote(m))
	}},
	"journalctl -o json, bytes": {format: "journal json", timed: true, say: func(u int, m string) string {
		return fmt.Sprintf(`{ "__CURSOR" : "s=01", "__MONOTONIC_TIMESTAMP" : "%d", "MESSAGE" : %s, "SYSLOG_IDENTIFIER" : "kernel" }`, u, numbers(m))
	}},
	"journalctl -o json-pretty": {format: "journal json", timed: true, say: func(u int, m string) string {
		return fmt.Sprintf("{\n\t\"__CURSOR\" : \"s=01\",\n\t\"__MONOTONIC_TIMESTAMP\" : \"%d\",\n\t\"MESSAGE\" : %s,\n\t\"_TRANSPORT\" : \"kernel\"\n}", u, quote(m))
	}},
	"journalctl -o json-pretty, bytes": {format: "journal json", timed: true, say: func(u int, m string) string {
		return fmt.Sprintf("{\n\t\"MESSAGE\" : %s,\n\t\"__MONOTONIC_TIMESTAMP\" : \"%d\"\n}", strings.ReplaceAll(numbers(m), " ", "\n\t\t"), u)
	}},
	"journalctl -o json-sse": {format: "journal json", timed: true, say: func(u int, m string) string {
		return fmt.Sprintf("data: {\"__CURSOR\":\"s=01\",\"__MONOTONIC_TIMESTAMP\":\"%d\",\"MESSAGE\":%s}\n", u, quote(m))
	}},
	"journalctl -o json-seq": {format: "journal json", timed: true, say: func(u int, m string) string {
		return fmt.Sprintf("\x1e{\"__CURSOR\":\"s=01\",\"__MONOTONIC_TIMESTAMP\":\"%d\",\"MESSAGE\":%s}", u, quote(m))
	}},
	"syslog": {format: "journal short", clocked: true, say: func(u int, m string) string { return "Nov 30 " + clockOf(u) + " host kernel: " + m }},
	"syslog with seconds": {format: "journal short", timed: true, say: func(u int, m string) string {
		return "Nov 30 " + clockOf(u) + " host kernel: [" + secondsOf(u) + "] " + m
	}},
	"syslog of busybox": {format: "journal short", timed: true, say: func(u int, m string) string {
		return "Nov 30 " + clockOf(u) + " host kern.info kernel: [" + secondsOf(u) + "] " + m
	}},
	"logread": {format: "journal short", timed: true, say: func(u int, m string) string {
		return "Mon Nov 30 " + clockOf(u) + " 2026 kern.info kernel: [" + secondsOf(u) + "] " + m
	}},
	"syslog RFC 3339": {format: "journal short-iso", timed: true, say: func(u int, m string) string {
		return "2026-11-30T" + clockOf(u) + ".000001+01:00 host kernel: [" + secondsOf(u) + "] " + m
	}},
	"syslog RFC 3339 in Z": {format: "journal short-iso", clocked: true, say: func(u int, m string) string { return "2026-11-30T" + clockOf(u) + "Z host kernel: " + m }},
	"syslog RFC 5424": {format: "journal short-iso", timed: true, say: func(u int, m string) string {
		return "<6>1 2026-11-30T" + clockOf(u) + ".000001+01:00 host kernel - - [meta x=\"a b\"] [" + secondsOf(u) + "] " + m
	}},
	"syslog RFC 3164": {format: "journal short", timed: true, say: func(u int, m string) string {
		return "<6>Nov 30 " + clockOf(u) + " host kernel: [" + secondsOf(u) + "] " + m
	}},
	"console": {format: "dmesg", timed: true, say: func(u int, m string) string { return "[" + secondsOf(u) + "] " + m + "\r" }},
	"console by minicom": {format: "dmesg", timed: true, say: func(u int, m string) string {
		return "[2026-11-30 " + clockOf(u) + ".123] [" + secondsOf(u) + "] " + m + "\r"
	}},
	"console by tio": {format: "dmesg", timed: true, say: func(u int, m string) string { return "[" + clockOf(u) + ".123] [" + secondsOf(u) + "] " + m }},
	"console by ts":  {format: "journal short", timed: true, say: func(u int, m string) string { return "Nov 30 " + clockOf(u) + " [" + secondsOf(u) + "] " + m }},
	"console beside others": {format: "dmesg", timed: true, say: func(u int, m string) string {
		return "\x1b[0;32m[  OK  ]\x1b[0m Reached target foo.[" + secondsOf(u) + "] " + m + "\r\r\n         Starting bar.service - Bar...\r\n" +
			"\r\x1b[K[\x1b[0;31m*     \x1b[0m] A job is running\r\x1b[K[\x1b[0;32m  OK  \x1b[0m] Started bar.\r\nhost login: "
	}},
	"console with two in a line": {format: "dmesg", timed: true, say: func(u int, m string) string { return "[    0.000000] pci 0000:00:1c.[" + secondsOf(u) + "] " + m }},
	"console with colours": {format: "dmesg", timed: true, say: func(u int, m string) string {
		return "\x1b[32m[" + secondsOf(u) + "] \x1b(B\x1b[m\x1b[33m" + m + "\x1b[0m"
	}},
}

// TestForms holds that a log says the same in each form.
func TestForms(t *testing.T) {
	plain := parseText(t, text(forms["dmesg"]))
	for name, f := range forms {
		t.Run(name, func(t *testing.T) {
			all := text(f)
			res := parseText(t, all)
			if res.File.Format != f.format {
				t.Errorf("format %q, want %q", res.File.Format, f.format)
			}
			if len(res.Problems) > 0 || res.Unread.Lines > 0 {
				t.Errorf("problems %v, unread %+v", res.Problems, res.Unread)
			}
			ignore := cmpopts.IgnoreFields(fact.Note{}, "At", "Clock", "Time", "LastTime")
			if f.timed {
				ignore = cmpopts.IgnoreFields(fact.Note{}, "At")
			}
			if diff := cmp.Diff(plain.Notes, res.Notes, ignore); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
			ignore = cmpopts.IgnoreFields(fact.AEREvent{}, "At", "LastAt", "FirstClock", "LastClock", "First", "Last")
			if f.timed {
				ignore = cmpopts.IgnoreFields(fact.AEREvent{}, "At", "LastAt")
			}
			want := plain.AER
			if diff := cmp.Diff(want, res.AER, ignore); diff != "" {
				t.Errorf("reports (-want +got):\n%s", diff)
			}
			lines := strings.Split(all, "\n")
			for _, n := range res.Notes {
				if !strings.Contains(lines[n.At.Line-1], n.At.Text) || len(n.At.Text) < 5 {
					t.Errorf("not the literal line: %+v", n.At)
				}
				if (n.Clock != "") != f.clocked {
					t.Errorf("clock %q", n.Clock)
				}
			}
		})
	}
}

func text(f told) string {
	var b strings.Builder
	b.WriteString(f.before)
	for _, s := range spoken {
		b.WriteString(f.say(s.usec, s.message))
		if !strings.HasPrefix(f.before, `{"`) {
			b.WriteByte('\n')
		}
	}
	return b.String() + f.after
}
