package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render"
	"hwcap/render/catalogue"
)

// reportFormats are what report can write, in the order of writing.
var reportFormats = []string{"md", "pdf", "html", "json"}

type reportOptions struct {
	out      string
	force    bool
	langs    []string
	formats  []string
	failOn   string
	keyFiles []string
	publish  bool
	blog     string
	mail     bool
	about    string // the argument, for the letter of --mail
}

func newReportCmd() *cobra.Command {
	var opt reportOptions
	cmd := &cobra.Command{
		Use: text("report ERFASSUNG", "report CAPTURE"),
		Short: text("Schreibt den Bericht zu einer Erfassung, auf Deutsch und Englisch",
			"Writes the report on a capture, in German and English"),
		Example: `  hwcap report hwcap-server1-20260812T211400Z.tar.gz
  hwcap report sample:workstation -o report
  hwcap report --blog hugo hwcap-server1-20260812T211400Z.tar.gz -o content/posts/server1
  hwcap collect -o - | hwcap report -`,
		Args: oneCapture,
		RunE: func(cmd *cobra.Command, args []string) error {
			if opt.blog != "" && !cmd.Flags().Changed("format") {
				opt.formats = []string{"md"}
			}
			return runReport(cmd.Context(), args[0], opt)
		},
	}
	cmd.Flags().StringVarP(&opt.out, "output", "o", "", text("Ordner für den Bericht (sonst hwcap-report-<Erfassung>)", "folder for the report (default hwcap-report-<capture>)"))
	opt.addFlags(cmd)
	cmd.Flags().StringVar(&opt.blog, "blog", "", text("das Markdown als Beitrag für hugo, jekyll oder plain (andere), wie mit --publish", "the Markdown as a post for hugo, jekyll or plain (others), as with --publish"))
	cmd.Flags().BoolVar(&opt.mail, "mail", false, text("dazu mail.de.txt und mail.en.txt: das Anschreiben an den Support", "also mail.de.txt and mail.en.txt: the letter to support"))
	return cmd
}

// addFlags declares the options of everything that report writes.
func (o *reportOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.force, "force", false, text("auch in einen Ordner schreiben, in dem anderes liegt", "write into a folder that holds other things too"))
	f.StringSliceVar(&o.langs, "lang", []string{"de", "en"}, text("Sprachen: de, en", "languages: de, en"))
	f.StringSliceVar(&o.formats, "format", []string{"md", "pdf"}, text("Formate: md, pdf, html, json", "formats: md, pdf, html, json"))
	f.StringVar(&o.failOn, "fail-on", "", text("mit 4 enden, wenn ein Befund mindestens so schwer ist: info, notice, warning, critical", "end with 4 if a finding is at least this severe: info, notice, warning, critical"))
	f.BoolVar(&o.publish, "publish", false, text("zum Veröffentlichen: mit Pseudonymen statt Namen, Seriennummern und Adressen, ohne den Teil für den Support", "for publishing: with pseudonyms for names, serial numbers and addresses, without the part for support"))
	identityFlag(cmd, &o.keyFiles)
}

func (o reportOptions) wants(format string) bool { return slices.Contains(o.formats, format) }

// languages are those that the report is written in.
func (o reportOptions) languages() []catalogue.Lang {
	return slices.DeleteFunc(slices.Clone(catalogue.Langs), func(l catalogue.Lang) bool { return !slices.Contains(o.langs, string(l)) })
}

// check refuses values that mean nothing.
func (o reportOptions) check() error {
	for _, l := range o.langs {
		if !slices.Contains(catalogue.Langs, catalogue.Lang(l)) {
			return usageError(fmt.Errorf(text("unbekannte Sprache %q", "unknown language %q"), l), "--lang de, --lang en, --lang de,en")
		}
	}
	for _, f := range o.formats {
		if !slices.Contains(reportFormats, f) {
			return usageError(fmt.Errorf(text("unbekanntes Format %q", "unknown format %q"), f), "--format "+strings.Join(reportFormats, ","))
		}
	}
	if len(o.langs) == 0 || len(o.formats) == 0 {
		return usageError(errors.New(text("so käme nichts heraus", "nothing would come out")), "--lang de,en --format "+strings.Join(reportFormats, ","))
	}
	if o.out == "-" {
		return usageError(errors.New(text("ein Bericht sind mehrere Dateien; -o nennt ihren Ordner", "a report is several files; -o names their folder")),
			text("so: -o report", "like this: -o report"))
	}
	if o.blog != "" && !slices.Contains(render.Blogs, render.Blog(o.blog)) {
		return usageError(fmt.Errorf(text("unbekanntes Blog %q", "unknown blog %q"), o.blog), "--blog hugo|jekyll|plain")
	}
	if o.blog != "" && o.mail {
		return usageError(errors.New(text("ein Anschreiben an den Support gehört nicht in ein Blog", "a letter to support has no place in a blog")),
			text("zwei Aufrufe mit verschiedenem -o", "two calls with different -o"))
	}
	if o.failOn != "" && judge.Severity(o.failOn).Rank() == 0 {
		return usageError(fmt.Errorf(text("unbekannte Schwere %q", "unknown severity %q"), o.failOn), "--fail-on info|notice|warning|critical")
	}
	return nil
}

// failed reports whether a finding is as severe as --fail-on says.
func (o reportOptions) failed(findings []judge.Finding) bool {
	return o.failOn != "" && slices.ContainsFunc(findings, func(f judge.Finding) bool {
		return f.Verdict == judge.Problem && f.Severity.Rank() >= judge.Severity(o.failOn).Rank()
	})
}

func runReport(ctx context.Context, arg string, opt reportOptions) error {
	if err := opt.check(); err != nil {
		return err
	}
	go loadTexts() // takes as long as reading a capture
	opt.about = arg
	opt.publish = opt.publish || opt.blog != ""
	machines, mark, err := openMarked(ctx, []string{arg}, opt)
	if err != nil {
		return err
	}
	m := machines[0]
	if opt.out == "" {
		opt.out = "hwcap-report-" + folderName(m.Capture.ID)
	}
	if err := checkFolder(opt.out, mark, opt.force); err != nil {
		return err
	}
	findings := judge.Run(m)
	files, err := renderFiles(m, findings, opt)
	if err != nil {
		return err
	}
	if err := writeFiles(opt.out, append(files, outFile{markName, mark})); err != nil {
		return withHint(fmt.Errorf(text("Bericht schreiben: %w", "write the report: %w"), err),
			text("mit -o einen anderen Ordner angeben", "choose another folder with -o"))
	}
	fmt.Fprintf(os.Stderr, text("%s geschrieben: %s\n", "wrote %s: %s\n"), oneLine(opt.out), strings.Join(topNames(files), ", "))
	if opt.failed(findings) {
		return exitStatus(exitFailOn)
	}
	if m.Capture.CutOff {
		fmt.Fprintln(os.Stderr, text("Hinweis: das Archiv bricht mittendrin ab; der Bericht stützt sich auf das, was davor stand",
			"note: the archive breaks off in the middle; the report rests on what came before"))
		return exitStatus(exitIncomplete)
	}
	return nil
}

// openMarked opens captures and returns by which mark a folder is known to hold
// the report on them.
func openMarked(ctx context.Context, args []string, opt reportOptions) (machines []*fact.Machine, mark []byte, err error) {
	if opt.publish {
		return openPublished(ctx, args, opt.keyFiles)
	}
	for _, arg := range args {
		m, err := openCapture(arg, opt.keyFiles...)
		if err != nil {
			return nil, nil, err
		}
		one, err := markOf(arg, m)
		if err != nil {
			return nil, nil, err
		}
		machines, mark = append(machines, m), append(mark, one...)
	}
	return machines, mark, nil
}
