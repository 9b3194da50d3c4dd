package capture

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	format, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	names, paths := map[string]bool{}, map[string]bool{}
	for _, s := range Sources() {
		if names[s.Name] || paths[s.Path] {
			t.Errorf("%s (%s) stands twice", s.Name, s.Path)
		}
		names[s.Name], paths[s.Path] = true, true
		if !bytes.Contains(format, []byte("`"+s.Name+"`")) {
			t.Errorf("FORMAT.md does not tell of %s", s.Name)
		}
		if s.Limit <= 0 || s.Cap <= 0 || s.Privacy == "" || s.What() == "" {
			t.Errorf("%s is not complete: %+v", s.Name, s)
		}
		ways := 0
		for _, way := range []bool{s.run != "", s.picks != nil, s.dump != "", s.Kind == File} {
			if way {
				ways++
			}
		}
		if ways != 1 {
			t.Errorf("%s is read in %d ways", s.Name, ways)
		}
	}
}

// No row may read what acts on a device, whatever the table becomes.
func TestTableReadsNothingThatActs(t *testing.T) {
	for _, s := range Sources() {
		for _, line := range s.Lines() {
			for _, word := range []string{"heartbeat/status", "heartbeat/*", "rp2srv", "ring_", "eeprom", "inject", "reset_stats", "/remove", "/rescan", "/bind", "/vpd", "/rom"} {
				if strings.Contains(line, word) {
					t.Errorf("%s: %s", s.Name, line)
				}
			}
		}
		for _, p := range s.picks {
			if slices.Contains(strings.Fields(p.files), "*") && !strings.Contains(p.dir, "zswap") {
				t.Errorf("%s reads everything in /%s", s.Name, p.dir)
			}
		}
	}
}

func TestLines(t *testing.T) {
	s := Source{Kind: Tree, picks: []pick{{dir: "sys/a", list: "*"}, {dir: "sys/a/*", list: "device", files: "x y"}, {dir: "sys/b", files: "z"}}}
	want := "/sys/a/ /sys/a/*/ /sys/a/*/{x,y} /sys/b/z"
	if got := s.What(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSelection(t *testing.T) {
	tests := []struct {
		sel  Selection
		name string
		want string
	}{
		{Selection{}, "dmesg", ""},
		{Selection{Only: []string{"log"}}, "dmesg", ""},
		{Selection{Only: []string{"log"}}, "kmsg", ""},
		{Selection{Only: []string{"cmd", "sys"}}, "kmsg", "left out by --only cmd --only sys"},
		{Selection{Only: []string{"cmd"}, Skip: []string{"log"}}, "dmesg", "left out by --skip log"},
		{Selection{Skip: []string{"netlink"}}, "netlink-crypto", "left out by --skip netlink"},
		{Selection{Only: []string{"debugfs"}}, "qat", ""},
	}
	for _, tt := range tests {
		rows := Sources()
		i := slices.IndexFunc(rows, func(s Source) bool { return s.Name == tt.name })
		if got := tt.sel.Leaves(&rows[i]); got != tt.want {
			t.Errorf("%s with %+v: %q, want %q", tt.name, tt.sel, got, tt.want)
		}
	}
	attached := Attachment{"x", "/x"}.source()
	if got := (Selection{Only: []string{"log"}}).Leaves(&attached); got != "" {
		t.Errorf("an attachment is left out: %s", got)
	}
	if err := (Selection{Skip: []string{"bogus"}}).Check(); err == nil || !strings.Contains(err.Error(), `"bogus"`) {
		t.Errorf("a group that does not exist: %v", err)
	}
	for _, group := range []string{"pci", "log", "crypto", "netlink", "debugfs", "ras", "net", "dmi", "storage", "cmd", "proc", "sys"} {
		if err := (Selection{Only: []string{group}}).Check(); err != nil {
			t.Error(err)
		}
	}
}

func TestParseAttachment(t *testing.T) {
	for in, want := range map[string]Attachment{
		"iperf3=out.json":    {"iperf3", "out.json"},
		"a.b-c_d=/x/y=z":     {"a.b-c_d", "/x/y=z"},
		"":                   {},
		"name":               {},
		"name=":              {},
		"=file":              {},
		"../x=file":          {},
		".hidden=file":       {},
		"a/b=file":           {},
		"with blank=file":    {},
		"c:windows=file":     {},
		"new\nline=file":     {},
		"umlaut-\u00e4=file": {},
	} {
		got, err := ParseAttachment(in)
		if got != want || (err == nil) != (want != Attachment{}) {
			t.Errorf("%q: %+v, %v", in, got, err)
		}
	}
}

func TestCheckAttachments(t *testing.T) {
	dir := t.TempDir()
	file := dir + "/file"
	os.WriteFile(file, nil, 0o600)
	for situation, list := range map[string][]Attachment{
		"two of a name": {{"a", file}, {"a", file}},
		"a folder":      {{"a", dir}},
		"nothing there": {{"a", dir + "/none"}},
	} {
		if err := checkAttachments(list); err == nil {
			t.Errorf("%s: no error", situation)
		}
	}
	if err := checkAttachments([]Attachment{{"a", file}, {"b", file}}); err != nil {
		t.Error(err)
	}
}

func TestManifestNames(t *testing.T) {
	m := Manifest{Sources: []Record{{Name: "a", State: Present}, {Name: "b", State: Failed}, {Name: "c", State: TimedOut}}}
	if got := m.Names(TimedOut, Failed); !slices.Equal(got, []string{"b", "c"}) {
		t.Error(got)
	}
}
