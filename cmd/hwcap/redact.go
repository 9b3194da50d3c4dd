package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"filippo.io/age"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"hwcap/capture"
	"hwcap/capture/redact"
)

type redactOptions struct {
	out       string
	keyFile   string
	encryptTo []string
	keyFiles  []string
	verify    bool
	original  string
}

func newRedactCmd() *cobra.Command {
	var opt redactOptions
	cmd := &cobra.Command{
		Use: text("redact ERFASSUNG [-o DATEI|-] | --verify ERFASSUNG [--original DATEI]",
			"redact CAPTURE [-o FILE|-] | --verify CAPTURE [--original FILE]"),
		DisableFlagsInUseLine: true,
		Short: text("Ersetzt in einer Erfassung, was Rechner und Personen erkennen lässt",
			"Replaces what tells machines and persons apart in a capture"),
		Long: text(
			`Schreibt eine Erfassung, in der Seriennummern, MAC- und IP-Adressen, UUIDs, Rechner- und
Benutzernamen durch Pseudonyme derselben Form ersetzt sind. Was Befunde belegt, bleibt, wie
es ist. Mit demselben Schlüssel hat derselbe Wert immer dasselbe Pseudonym; der Schlüssel
liegt in hwcap/redact.key im Ordner für Einstellungen (unter sudo in dem des aufrufenden
Benutzers) und entsteht beim ersten Mal. Neben der Datei steht in .redaction.txt, was wo
ersetzt wurde, ohne die Werte.

--verify sucht in einer Erfassung auf mehreren unabhängigen Wegen nach dem, was übersehen
wurde, und endet mit 3, wenn es etwas findet.`,
			`Writes a capture in which serial numbers, MAC and IP addresses, UUIDs, host and user names
are replaced by pseudonyms of the same shape. What findings rest on stays as it is. With the
same key the same value always has the same pseudonym; the key is in hwcap/redact.key in the
folder for configuration (under sudo that of the calling user) and is made at first use. Next
to the file, .redaction.txt says what was replaced where, without the values.

--verify searches a capture in several independent ways for what was missed, and ends with 3
if it finds something.`),
		Example: `  hwcap redact hwcap-server1-20260812T211400Z.tar.gz
  hwcap redact --verify hwcap-host-…-redacted.tar.gz --original hwcap-server1-20260812T211400Z.tar.gz`,
		Args: oneCapture,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opt.check(); err != nil {
				return err
			}
			if opt.verify {
				return runVerify(cmd.Context(), args[0], opt)
			}
			return runRedact(cmd.Context(), args[0], opt)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&opt.out, "output", "o", "", text(
		"Ausgabe: `DATEI`.tar.gz, .tar.zst oder .tar, verschlüsselt mit .age dahinter; - ist die Standardausgabe (Vorgabe: <Erfassung>-redacted.tar.gz daneben)",
		"output `FILE`.tar.gz, .tar.zst or .tar, with .age after it if encrypted; - is standard output (default <capture>-redacted.tar.gz beside it)"))
	mailFlags(cmd, &opt.keyFile, &opt.encryptTo)
	identityFlag(cmd, &opt.keyFiles)
	f.BoolVar(&opt.verify, "verify", false, text("sucht, was in der Erfassung übersehen wurde, statt zu ersetzen", "searches the capture for what was missed, instead of replacing"))
	f.StringVar(&opt.original, "original", "", text("sucht mit --verify auch jeden Wert, der in `DATEI` stand", "with --verify also searches every value that stood in `FILE`"))
	return cmd
}

// mailFlags adds --key and --encrypt-to to a command that writes a capture.
func mailFlags(cmd *cobra.Command, keyFile *string, encryptTo *[]string) {
	cmd.Flags().StringVar(keyFile, "key", "", text(
		"`DATEI` mit dem Schlüssel der Pseudonyme (Vorgabe: der eigene, hwcap/redact.key)", "`FILE` with the key of the pseudonyms (default your own, hwcap/redact.key)"))
	cmd.Flags().StringArrayVar(encryptTo, "encrypt-to", nil, text(
		"verschlüsselt mit age für diesen öffentlichen `SCHLÜSSEL` von age oder ssh, oder für die in dieser Datei (mehrfach)",
		"encrypts with age to this public `KEY` of age or ssh, or to those in this file (repeatable)"))
}

// check refuses options that do not go together.
func (o redactOptions) check() error {
	switch {
	case o.original != "" && !o.verify:
		return usageError(errors.New(text("--original steht nur mit --verify", "--original goes with --verify only")),
			text("so: hwcap redact --verify ERFASSUNG --original DATEI", "like this: hwcap redact --verify CAPTURE --original FILE"))
	case o.verify && (o.out != "" || o.keyFile != "" || len(o.encryptTo) > 0):
		return usageError(errors.New(text("--verify schreibt nichts", "--verify writes nothing")),
			text("erst ersetzen, dann suchen: zwei Aufrufe", "replace first, then search: two calls"))
	}
	return nil
}

// checkOutput refuses a name that says the wrong thing about the file, and a
// terminal.
func checkOutput(out string, to []age.Recipient) error {
	sealed := strings.HasSuffix(out, sealedEnding)
	switch {
	case out == "-" && term.IsTerminal(int(os.Stdout.Fd())):
		return usageError(errors.New(text("die Standardausgabe ist ein Terminal", "standard output is a terminal")),
			text("so: hwcap ... -o - > capture.tar.gz", "like this: hwcap ... -o - > capture.tar.gz"))
	case out == "" || out == "-":
	case sealed && len(to) == 0:
		return usageError(errors.New(text("die Ausgabe heißt .age, ist aber nicht verschlüsselt", "the output is called .age and is not encrypted")),
			text("nennen, für wen: --encrypt-to SCHLÜSSEL", "say to whom: --encrypt-to KEY"))
	case !sealed && len(to) > 0:
		return usageError(errors.New(text("eine verschlüsselte Ausgabe endet auf .age", "an encrypted output ends in .age")),
			text("so: -o ", "like this: -o ")+oneLine(out)+sealedEnding)
	}
	return nil
}

func runRedact(ctx context.Context, arg string, opt redactOptions) error {
	to, err := recipients(opt.encryptTo)
	if err != nil {
		return err
	}
	if err := checkOutput(opt.out, to); err != nil {
		return err
	}
	keys, err := identities(opt.keyFiles)
	if err != nil {
		return err
	}
	d := delivery{out: opt.out, beside: ".", ending: "-redacted.tar.gz", to: to}
	if arg != "-" && !strings.HasPrefix(arg, samplePrefix) {
		if err := readable(arg); err != nil {
			return explainOpen(arg, err)
		}
		d.beside = filepath.Join(arg, "..")
	}
	key, err := redactionKey(os.Stderr, opt.keyFile)
	if err != nil {
		return err
	}
	return d.inPrivate(func(private string) error {
		in, err := openInput(ctx, arg, keys, private)
		if err != nil {
			return explainOpen(arg, err)
		}
		if err := in.refuseOutput(opt.out); err != nil {
			return err
		}
		write := redactArchive(in, redact.Key(key), private)
		if in.text {
			if err := checkTextOutput(opt.out); err != nil {
				return err
			}
			d.ending, d.plain = "", true
			write = redactText(in, redact.Key(key))
		}
		done, err := d.deliver(private, func(w io.Writer) (*redact.Result, error) {
			result, err := write(w)
			if err != nil {
				return nil, err
			}
			return result, in.refuseResult(result, d.name(result.Name))
		})
		if err != nil {
			return explainRedact(arg, err)
		}
		done.announce(os.Stderr)
		if err := done.writeReport(private, os.Stderr); err != nil {
			return err
		}
		if done.size > mailLimit {
			hintLarge(os.Stderr, in)
		}
		return nil
	})
}

// readable tells whether the file or folder name can be read, before a key is
// made for it.
func readable(name string) error {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // which a pipe does not hold up
	if err != nil {
		return err
	}
	return f.Close()
}

// checkTextOutput refuses the name of an archive for a single text, which stays
// one.
func checkTextOutput(out string) error {
	name := strings.TrimSuffix(out, sealedEnding)
	if _, err := capture.Compressor(name); err != nil {
		return nil
	}
	return usageError(errors.New(text("die Erfassung ist ein einzelner Text, die Ausgabe heißt wie ein Archiv", "the capture is a single text and the output is called like an archive")),
		text("so: -o ", "like this: -o ")+oneLine(textName(name))+".txt"+strings.TrimPrefix(out, name))
}

// textName is the name of a text without the endings of what it was packed in.
func textName(name string) string {
	for _, ending := range []string{sealedEnding, ".gz", ".zst", ".xz", ".bz2", ".zip", ".tgz", ".tar"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// redactArchive returns what writes a whole capture or bundle, redacted.
func redactArchive(in *input, key redact.Key, private string) func(io.Writer) (*redact.Result, error) {
	return func(w io.Writer) (*redact.Result, error) { return redact.Archive(w, in.open, key, private) }
}

// redactText returns what writes a single text, redacted.
func redactText(in *input, key redact.Key) func(io.Writer) (*redact.Result, error) {
	return func(w io.Writer) (*redact.Result, error) {
		r := redact.New(key)
		name := filepath.Base(in.name)
		for _, pass := range []func(io.Reader) error{
			func(src io.Reader) error { return r.Learn(name, src) },
			func(src io.Reader) error { return r.Rewrite(name, w, src) },
		} {
			src, err := in.open()
			if err != nil {
				return nil, err
			}
			err = pass(src)
			src.Close()
			if err != nil {
				return nil, err
			}
		}
		name = textName(name)
		stem, ending := r.Name(name), filepath.Ext(name)
		return &redact.Result{Name: strings.TrimSuffix(stem, ending) + "-redacted" + ending, Replacements: r.Report()}, nil
	}
}

// explainRedact adds the next step to an error of reading arg or writing.
func explainRedact(arg string, err error) error {
	hinted := (*hintError)(nil)
	switch {
	case errors.As(err, &hinted):
		return err
	case errors.Is(err, context.Canceled):
		return errors.New(text("abgebrochen; es wurde nichts geschrieben", "interrupted; nothing was written"))
	case errors.Is(err, capture.ErrName):
		return usageError(germanCollect(err), nameHint())
	case errors.Is(err, syscall.EPIPE):
		return readerGone()
	case errors.Is(err, errOutput):
		return withHint(germanCollect(err), text("einen anderen Ort nennen: -o /tmp/capture.tar.gz", "name another place: -o /tmp/capture.tar.gz"))
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, errBroken):
		return withHint(fmt.Errorf(text("%s: bricht mittendrin ab; es wurde nichts geschrieben", "%s: it breaks off in the middle; nothing was written"), arg),
			text("neu übertragen und die Größe vergleichen", "transfer it again and compare the size"))
	}
	return explainOpen(arg, fmt.Errorf("%s: %w", arg, err))
}
