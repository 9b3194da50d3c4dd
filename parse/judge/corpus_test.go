package judge

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"hwcap/parse"
	"hwcap/parse/fact"
)

// The tests below hold the rules to dumps of strangers' machines. They are not
// part of the repository; HWCAP_CORPUS names their folder.

// A corpusRow is something to say of a dump, or not to say.
type corpusRow struct {
	dump    string // a file or folder
	rule    string // an id, or "id/case"; "" in neverSay for any
	subject string // one of the finding's; "" for any
	// grade is a severity, or a verdict where that is not finding. In neverSay it
	// is the severity from which on nothing may be said; "ok" bars that as well.
	grade string
	why   string // why the row is here
}

func (r corpusRow) String() string {
	return strings.Join([]string{r.dump, r.rule, r.subject, r.grade}, " ")
}

// names reports whether r speaks of f's rule, case and subject.
func (r corpusRow) names(f Finding) bool {
	return (r.rule == "" || r.rule == f.ID || r.rule == f.ID+"/"+f.Case) &&
		(r.subject == "" || slices.Contains(f.Subjects, r.subject))
}

// gradeOf is the severity of a problem, the verdict of everything else.
func gradeOf(f Finding) string {
	if f.Verdict == Problem {
		return string(f.Severity)
	}
	return string(f.Verdict)
}

// loud reports whether f stands above info, and so in the summary.
func loud(f Finding) bool { return f.Verdict == Problem && f.Severity.Rank() > Info.Rank() }

// judgedDump is a dump and what the rules say of it; both nil for one that hwcap
// does not know.
type judgedDump struct {
	machine  *fact.Machine
	findings []Finding
}

var dumps sync.Map // path to func() judgedDump

// judgeDump reads and judges the dump at path, once for all tests.
func judgeDump(path string) judgedDump {
	read, _ := dumps.LoadOrStore(path, sync.OnceValue(func() (d judgedDump) {
		m, err := parse.Open(path, parse.Options{})
		if err != nil {
			return judgedDump{}
		}
		unwatched(func() { d = judgedDump{m, Run(m)} })
		return d
	}))
	return read.(func() judgedDump)()
}

func corpusFolder(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("HWCAP_CORPUS")
	if dir == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	return dir
}

// corpusDumps are all dumps, by their path in the corpus: each file by itself,
// and each folder.
func corpusDumps(t *testing.T) map[string]judgedDump {
	t.Helper()
	dir, all := corpusFolder(t), map[string]judgedDump{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir || e.IsDir() && slices.Contains(collections, filepath.Base(path)) {
			return err
		}
		if d := judgeDump(path); d.machine != nil {
			name, _ := filepath.Rel(dir, path)
			all[filepath.ToSlash(name)] = d
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 100 {
		t.Errorf("%d dumps could be read, out of well over 100", len(all))
	}
	return all
}

// collections are folders with many machines.
var collections = []string{"pciutils-tests", "lspci-versions", "2.2.10", "3.1.4", "3.2.1", "3.5.4", "3.6.4", "3.9.0", "3.11.1", "3.13.0", "insights-lspci", "insights-ethtool", "ras-mc-ctl", "qat-fw-counters"}

func TestCorpusSays(t *testing.T) {
	dir := corpusFolder(t)
	for _, row := range mustSay {
		t.Run(row.String(), func(t *testing.T) {
			d := judgeDump(filepath.Join(dir, row.dump))
			if d.machine == nil {
				t.Fatal("the dump cannot be read")
			}
			said := []string{}
			for _, f := range d.findings {
				if row.names(f) && gradeOf(f) == row.grade {
					return
				}
				if f.ID == row.rule || strings.HasPrefix(row.rule, f.ID+"/") {
					said = append(said, f.Case+" "+gradeOf(f)+" "+strings.Join(f.Subjects, " "))
				}
			}
			t.Errorf("not said (%s); the rule says %q", row.why, said)
		})
	}
}

func TestCorpusNeverSays(t *testing.T) {
	dir := corpusFolder(t)
	for _, row := range neverSay {
		t.Run(row.String(), func(t *testing.T) {
			d := judgeDump(filepath.Join(dir, row.dump))
			if d.machine == nil {
				t.Fatal("the dump cannot be read")
			}
			for _, f := range d.findings {
				if !row.names(f) {
					continue
				}
				if row.grade == gradeOf(f) || f.Verdict == Problem && Severity(row.grade).Rank() <= f.Severity.Rank() {
					t.Errorf("%s/%s, %s, of %v: %s", f.ID, f.Case, gradeOf(f), f.Subjects, row.why)
				}
			}
		})
	}
}

// handful is how many findings above info the summary of a dump may have.
const handful = 3

// crowded are the dumps with more, and why each of them is true.
var crowded = map[string]struct {
	most int
	why  string
}{
	"rockpro64-asm1184-switch": {5, "a port with 32 MiB of address space for two cards behind a switch: both lack memory, one driver gives up, error reporting is off, and link errors are noted"},
}

// TestCorpusIsQuiet: no dump fills the summary, and what stands there can be
// looked up.
func TestCorpusIsQuiet(t *testing.T) {
	for name, d := range corpusDumps(t) {
		most := handful
		if c, ok := crowded[name]; ok {
			most = c.most
		}
		n := 0
		for _, f := range d.findings {
			if !loud(f) {
				continue
			}
			n++
			if len(f.Evidence) == 0 {
				t.Errorf("%s: %s/%s has no evidence", name, f.ID, f.Case)
			}
			for _, e := range f.Evidence {
				if e.File == "" || e.Line.Line == 0 && e.Text == "" {
					t.Errorf("%s: %s/%s cites no place: %+v", name, f.ID, f.Case, e)
				}
			}
		}
		if n > most {
			t.Errorf("%s: %d findings above info, at most %d", name, n, most)
		}
	}
}

// TestCorpusFalseAlarms: none of the usual reasons for a false alarm reaches the
// summary, on any dump.
func TestCorpusFalseAlarms(t *testing.T) {
	for name, d := range corpusDumps(t) {
		denied := len(d.machine.PCI) > 0 && !slices.ContainsFunc(d.machine.PCI, func(f fact.Device) bool { return f.Express != nil && f.Express.LinkSta != nil })
		for _, f := range d.findings {
			if !loud(f) {
				continue
			}
			link := strings.HasPrefix(f.ID, "pcie-link-")
			switch {
			case link && isGuest(d.machine):
				t.Errorf("%s: %s/%s of a virtual machine's link", name, f.ID, f.Case)
			case denied && (link || f.ID == "aer-latent-bits" || f.ID == "aer-reporting-off") && f.ID != "pcie-link-flapping":
				t.Errorf("%s: %s/%s without a link status that was read", name, f.ID, f.Case)
			}
			for _, subject := range f.Subjects {
				dev := d.machine.Device(subject)
				if dev != nil && f.ID == "pcie-link-speed" && strings.HasPrefix(dev.Class, "03") {
					t.Errorf("%s: %s/%s of the graphics card %s, which may have been idle", name, f.ID, f.Case, subject)
				}
				if dev == nil || !link {
					continue
				}
				if port := d.machine.Device(dev.Parent); port != nil && onCard(port, downstreamSide) {
					t.Errorf("%s: %s/%s of %s, whose link lies inside a card", name, f.ID, f.Case, subject)
				}
			}
		}
	}
}

// TestCorpusVersions: of one dump, what an older lspci shows of what stands
// above info is what the newest shows.
func TestCorpusVersions(t *testing.T) {
	const newest = "3.13.0"
	sayings := map[string]map[string][]string{} // by dump and version
	for name, d := range corpusDumps(t) {
		parts := strings.Split(name, "/")
		if len(parts) != 3 || parts[0] != "lspci-versions" {
			continue
		}
		if sayings[parts[2]] == nil {
			sayings[parts[2]] = map[string][]string{}
		}
		list := []string{}
		for _, f := range d.findings {
			if loud(f) {
				list = append(list, f.ID+"/"+f.Case+" "+strings.Join(f.Subjects, " "))
			}
		}
		sayings[parts[2]][parts[1]] = list
	}
	if len(sayings) == 0 {
		t.Fatal("no dump that several versions printed")
	}
	for dump, versions := range sayings {
		for version, list := range versions {
			for _, s := range list {
				if !slices.Contains(versions[newest], s) {
					t.Errorf("%s: lspci %s makes it %s; lspci %s does not", dump, version, s, newest)
				}
			}
		}
	}
}
