package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"hwcap/parse/diff"
	"hwcap/parse/judge"
)

func newDiffCmd() *cobra.Command {
	var opt reportOptions
	cmd := &cobra.Command{
		Use: text("diff ALT NEU", "diff OLD NEW"),
		Short: text("Vergleicht zwei Erfassungen, auf Deutsch und Englisch",
			"Compares two captures, in German and English"),
		Long: text(`Vergleicht zwei Erfassungen eines Rechners, die ältere zuerst. Geräte werden an
Seriennummer und Platz wiedererkannt, auch wenn ihre Adressen gewandert sind.
Erfassungen zweier Rechner werden nach Rollen verglichen.`,
			`Compares two captures of one machine, the older one first. Devices are
recognised by serial number and place, even where their addresses have moved.
Captures of two machines are compared by role.`),
		Example: `  hwcap diff hwcap-server1-20260812T211400Z.tar.gz hwcap-server1-20260826T201500Z.tar.gz
  hwcap diff sample:workstation-before sample:workstation -o diff`,
		Args: twoCaptures,
		RunE: func(cmd *cobra.Command, args []string) error { return runDiff(cmd.Context(), args[0], args[1], opt) },
	}
	cmd.Flags().StringVarP(&opt.out, "output", "o", "", text("Ordner für den Vergleich (sonst hwcap-diff-<alt>-<neu>)", "folder for the comparison (default hwcap-diff-<old>-<new>)"))
	opt.addFlags(cmd)
	return cmd
}

// twoCaptures is the argument check of a command that compares.
func twoCaptures(cmd *cobra.Command, args []string) error {
	var err error
	switch {
	case len(args) < 2:
		err = errors.New(text("es fehlen zwei Erfassungen, die ältere zuerst", "two captures are missing, the older one first"))
	case len(args) > 2:
		err = fmt.Errorf(text("unerwartetes Argument %q", "unexpected argument %q"), args[2])
	case args[0] == "-" && args[1] == "-":
		err = errors.New(text("nur eine der Erfassungen kann von der Standardeingabe kommen", "only one of the captures can come from standard input"))
	default:
		return nil
	}
	return usageError(err, text("so: hwcap diff ALT.tar.gz NEU.tar.gz", "like this: hwcap diff OLD.tar.gz NEW.tar.gz"))
}

func runDiff(ctx context.Context, oldArg, newArg string, opt reportOptions) error {
	if err := opt.check(); err != nil {
		return err
	}
	go loadTexts() // takes as long as reading a capture
	machines, marks, err := openMarked(ctx, []string{oldArg, newArg}, opt)
	if err != nil {
		return err
	}
	p := diff.New(machines[0], machines[1])
	if opt.out == "" {
		opt.out = "hwcap-diff-" + folderName(p.Old.Capture.ID) + "-" + folderName(p.New.Capture.ID)
	}
	if err := checkFolder(opt.out, marks, opt.force); err != nil {
		return err
	}
	findings := judge.Compare(p)
	files, err := renderDiff(p, findings, opt)
	if err != nil {
		return err
	}
	if err := writeFiles(opt.out, append(files, outFile{markName, marks})); err != nil {
		return withHint(fmt.Errorf(text("Vergleich schreiben: %w", "write the comparison: %w"), err),
			text("mit -o einen anderen Ordner angeben", "choose another folder with -o"))
	}
	fmt.Fprintf(os.Stderr, text("%s geschrieben: %s\n", "wrote %s: %s\n"), oneLine(opt.out), strings.Join(topNames(files), ", "))
	if opt.failed(findings) {
		return exitStatus(exitFailOn)
	}
	return cmp.Or(cutOff(p.Old), cutOff(p.New))
}
