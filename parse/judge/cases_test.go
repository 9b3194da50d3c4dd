package judge_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"hwcap/parse"
	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/catalogue"
)

// caseNumbers are the cases from public reports that the rules are held to.
// Numbers that are missing were never given out.
var caseNumbers = []int{
	1, 2, 4, 5, 6, 8, 9, 10, 11, 13, 14, 15, 17, 18, 20, 21, 22, 24, 25, 26, 27, 29, 31, 32, 33, 35, 36,
	37, 38, 40, 41, 42, 44, 45, 46, 48, 49, 50, 51, 52, 53, 54, 55, 57, 58, 59, 61, 62, 64, 65, 66, 67,
	69, 70, 71, 72, 74, 75, 78, 79, 81, 82, 83, 85, 87, 88, 89, 92, 93, 94, 95, 96,
	101, 102, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 115, // short traps; 103 and 114 rest on what a test program printed
}

// caseTables are the rows of all cases, a table a topic.
var caseTables = map[string][]caseRow{
	"display":   linkDisplayCases,
	"lanes":     laneCases,
	"no link":   noLinkCases,
	"network":   netCases,
	"errors":    aerCases,
	"firmware":  firmwareCases,
	"power":     powerCases,
	"isolation": isolationCases,
	"space":     spaceCases,
	"crypto":    cryptoCases,
	"memory":    memoryCases,
	"traps":     trapCases,
}

// A caseRow tells what must come out of one capture, testdata/cases/FILE.txtar:
// the members of a capture's folder, cut down to the lines that decide.
type caseRow struct {
	file string // c14, or c14-new where a case has several captures
	// want are the sayings that must be there, as saying writes them. The first
	// is the one that the case is about. What stands above info and is not among
	// them must not be there.
	want []string
	// never are beginnings of sayings that must not be there: a rule, or a rule
	// and its case.
	never []string
	// naive matches the answer that suggests itself and is wrong. No title and
	// no command of a next step may match, in either language.
	naive string
	// open matches what the first saying names as not proven, in English. Where
	// its verdict is ok or unknown, all its text is about that, and searched.
	open string
	// says matches what the first saying has seen or explains, in English.
	says string
}

// number returns the case's number.
func (r caseRow) number() int {
	digits, _, _ := strings.Cut(strings.TrimPrefix(r.file, "c"), "-")
	n, _ := strconv.Atoi(digits)
	return n
}

// saying writes a finding on one subject: "rule/case severity subject", where
// ok and unknown stand for the severity of what is no problem.
func saying(f judge.Finding, subject string) string {
	grade := string(f.Severity)
	if f.Verdict != judge.Problem {
		grade = string(f.Verdict)
	}
	return fmt.Sprintf("%s/%s %s %s", f.ID, f.Case, grade, subject)
}

// openCase reads testdata/cases/FILE.txtar as the capture that it stands for.
func openCase(t *testing.T, file string) *fact.Machine {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("testdata", "cases", file+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "hwcap-"+file+"-20260801T120000Z")
	for _, f := range ar.Files {
		name := filepath.Join(folder, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, err := parse.Open(folder, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range m.Problems {
		t.Errorf("%s:%d: %s", p.File, p.Line, p.Text)
	}
	return m
}

// runCases holds the rules to rows, from the text of a capture to the wording.
func runCases(t *testing.T, rows []caseRow) {
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		t.Run(row.file, func(t *testing.T) {
			m := openCase(t, row.file)
			findings := judge.Run(m)
			var said []string
			for _, f := range findings {
				expand(t, texts, m, f)
				for _, s := range f.Subjects {
					said = append(said, saying(f, s))
				}
				checkNaive(t, texts, m, f, row.naive)
				loud := f.Verdict == judge.Problem && f.Severity != judge.Info
				if loud && !slices.ContainsFunc(f.Subjects, func(s string) bool { return slices.Contains(row.want, saying(f, s)) }) {
					t.Errorf("too much: %s", saying(f, f.Subjects[0]))
				}
				if slices.ContainsFunc(f.Subjects, func(s string) bool { return saying(f, s) == row.want[0] }) {
					checkOpen(t, texts, m, f, row.open)
					checkSays(t, texts, m, f, row.says)
				}
			}
			for _, s := range said {
				for _, n := range row.never {
					if strings.HasPrefix(s, n) {
						t.Errorf("must not be said: %s", s)
					}
				}
			}
			for _, w := range row.want {
				if !slices.Contains(said, w) {
					t.Errorf("missing: %s", w)
				}
			}
			if t.Failed() {
				t.Logf("said:\n%s", strings.Join(said, "\n"))
			}
		})
	}
}

// checkNaive makes sure that neither the title of f nor a command that it
// advises is the answer that suggests itself.
func checkNaive(t *testing.T, texts *catalogue.Catalogue, m *fact.Machine, f judge.Finding, naive string) {
	t.Helper()
	if naive == "" {
		return
	}
	wrong := regexp.MustCompile(naive)
	for _, lang := range catalogue.Langs {
		text, err := texts.NewWriter(m, lang, catalogue.Plain).Expand(f)
		if err != nil {
			t.Fatal(err)
		}
		all := []string{text.Title}
		for _, s := range text.Next {
			all = append(all, s.Command)
		}
		for _, s := range all {
			if wrong.MatchString(s) {
				t.Errorf("%s/%s gives the naive answer: %s", f.ID, f.Case, s)
			}
		}
	}
}

// checkOpen makes sure that f names what is not proven, in both languages.
func checkOpen(t *testing.T, texts *catalogue.Catalogue, m *fact.Machine, f judge.Finding, open string) {
	t.Helper()
	for _, lang := range catalogue.Langs {
		text, err := texts.NewWriter(m, lang, catalogue.Plain).Expand(f)
		if err != nil {
			t.Fatal(err)
		}
		all := text.NotProven
		if f.Verdict != judge.Problem {
			all = slices.Concat(all, text.Rivals, []string{text.Title, text.Seen, text.Means, text.Why})
		}
		if open != "" && len(all) == 0 {
			t.Errorf("%s/%s, %s: nothing is named as not proven", f.ID, f.Case, lang)
		}
		if lang == catalogue.English && !regexp.MustCompile(open).MatchString(strings.Join(all, "\n")) {
			t.Errorf("%s/%s does not name as not proven %q:\n%s", f.ID, f.Case, open, strings.Join(all, "\n"))
		}
	}
}

// checkSays makes sure that f shows or explains something.
func checkSays(t *testing.T, texts *catalogue.Catalogue, m *fact.Machine, f judge.Finding, says string) {
	t.Helper()
	text, err := texts.NewWriter(m, catalogue.English, catalogue.Plain).Expand(f)
	if err != nil {
		t.Fatal(err)
	}
	if all := text.Seen + "\n" + text.Means; !regexp.MustCompile(says).MatchString(all) {
		t.Errorf("%s/%s does not say %q:\n%s", f.ID, f.Case, says, all)
	}
}

// TestEveryCaseIsJudged: each number has a row, and each capture is used.
func TestEveryCaseIsJudged(t *testing.T) {
	used := map[string]bool{}
	rows := map[int]bool{}
	for _, table := range caseTables {
		for _, row := range table {
			if used[row.file] {
				t.Errorf("%s has two rows", row.file)
			}
			used[row.file], rows[row.number()] = true, true
		}
	}
	for _, n := range caseNumbers {
		if !rows[n] {
			t.Errorf("C%02d has no row", n)
		}
	}
	for n := range rows {
		if !slices.Contains(caseNumbers, n) {
			t.Errorf("there is no C%02d", n)
		}
	}
	files, err := filepath.Glob(filepath.Join("testdata", "cases", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".txtar"); !used[name] {
			t.Errorf("%s has no row", f)
		}
	}
}

// TestCases holds the rules to each case.
func TestCases(t *testing.T) {
	for topic, rows := range caseTables {
		t.Run(topic, func(t *testing.T) { runCases(t, rows) })
	}
}
