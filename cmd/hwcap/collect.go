package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"hwcap/capture"
)

func newCollectCmd() *cobra.Command {
	var (
		opts   capture.Options
		attach []string
		list   bool
		mail   mailOptions
	)
	cmd := &cobra.Command{
		Use: text("collect [-o DATEI|-] [OPTION...] [--watch-links ZEIT [-- BEFEHL...]]",
			"collect [-o FILE|-] [OPTION...] [--watch-links TIME [-- COMMAND...]]"),
		DisableFlagsInUseLine: true,
		Short: text("Erfasst diesen Rechner in einer Datei, ohne etwas zu verändern",
			"Captures this machine into one file, changing nothing"),
		Long: fmt.Sprintf(text(
			`Erfasst, was dieser Rechner über seine Hardware sagt, in einer Datei. Es wird nichts
verändert; --list zeigt vorher jeden Befehl und jede Datei. Als root erfasst es mehr.

Gruppen für --only und --skip: %s.`,
			`Captures what this machine says about its hardware into one file. Nothing is changed;
--list shows every command and file beforehand. As root it captures more.

Groups for --only and --skip: %s.`), strings.Join(capture.Groups(), ", ")),
		Args: cobra.ArbitraryArgs, // the load, see watchArgs
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Tool = "hwcap " + version()
			if opts.Timeout < 0 || opts.Total < 0 {
				return usageError(errors.New(text("eine Zeitgrenze ist negativ", "a time limit is negative")), text("so: --timeout 20s --total 5m", "like this: --timeout 20s --total 5m"))
			}
			if err := mail.check(opts.Output); err != nil {
				return err
			}
			if err := opts.Select.Check(); err != nil {
				return usageError(germanCollect(err), text("Gruppen: ", "groups: ")+strings.Join(capture.Groups(), ", "))
			}
			if err := watchArgs(cmd, args, &opts.Watch); err != nil {
				return err
			}
			if list {
				return listSources(cmd.OutOrStdout(), opts.Asked())
			}
			for _, a := range attach {
				parsed, err := capture.ParseAttachment(a)
				if err != nil {
					return usageError(fmt.Errorf("--attach: %w", germanCollect(err)), text("so: --attach iperf3=iperf3.json", "like this: --attach iperf3=iperf3.json"))
				}
				if isKeyFile(parsed.File) {
					return usageError(fmt.Errorf(text("--attach %s: %s: das ist ein geheimer Schlüssel", "--attach %s: %s: this is a secret key"), parsed.Name, parsed.File),
						text("der gehört nicht in eine Erfassung, die weitergegeben wird", "it has no place in a capture, which is passed on"))
				}
				opts.Attach = append(opts.Attach, parsed)
			}
			return apart(cmd.Context(), func() error {
				if mail.redact || len(mail.encryptTo) > 0 {
					return collectForMail(cmd.Context(), opts, mail)
				}
				return collect(cmd.Context(), opts)
			})
		},
	}
	f := cmd.Flags()
	f.StringVarP(&opts.Output, "output", "o", "", text(
		"Ausgabe: `DATEI`.tar.gz, .tar.zst oder .tar, verschlüsselt mit .age dahinter; - ist die Standardausgabe (Vorgabe: hwcap-<Rechner>-<Zeit>.tar.gz)",
		"output `FILE`.tar.gz, .tar.zst or .tar, with .age after it if encrypted; - is standard output (default hwcap-<host>-<time>.tar.gz)"))
	f.BoolVar(&mail.redact, "redact", false, text("ersetzt, was Rechner und Personen erkennen lässt, durch Pseudonyme (siehe hwcap redact)",
		"replaces what tells machines and persons apart by pseudonyms (see hwcap redact)"))
	mailFlags(cmd, &mail.keyFile, &mail.encryptTo)
	f.StringArrayVar(&attach, "attach", nil, text("nimmt eine Datei als attach/NAME auf (`NAME=DATEI`, mehrfach)", "takes a file in as attach/NAME (`NAME=FILE`, repeatable)"))
	f.StringSliceVar(&opts.Select.Only, "only", nil, text("nur diese `GRUPPE`, oder mehrere: pci,log", "only this `GROUP`, or several: pci,log"))
	f.StringSliceVar(&opts.Select.Skip, "skip", nil, text("ohne diese `GRUPPE`, oder mehrere", "without this `GROUP`, or several"))
	f.DurationVar(&opts.Timeout, "timeout", 0, text("Grenze als `ZEIT` für jede Quelle (Vorgabe 20s, PCI-Baum 1m)", "limit, as `TIME`, of every source (default 20s, PCI tree 1m)"))
	f.DurationVar(&opts.Total, "total", 5*time.Minute, text("Grenze als `ZEIT` für alles", "limit, as `TIME`, of the whole"))
	f.DurationVar(&opts.Watch.For, watchLinks, 0, text("misst danach so lange (`ZEIT`) jeden PCIe-Link, während BEFEHL läuft",
		"then samples every PCIe link for so long (`TIME`), while COMMAND runs"))
	f.BoolVar(&opts.NoWake, "no-wake", false, text("lässt Geräte in Ruhe, die gerade schlafen", "leaves devices alone that are asleep"))
	f.BoolVar(&opts.LoadModules, "load-modules", false, text("das Lesen darf Kernelmodule laden (crypto_user)", "reading may load kernel modules (crypto_user)"))
	f.BoolVar(&list, "list", false, text("zeigt jeden Befehl und jede Datei, und tut sonst nichts", "shows every command and file, and does nothing else"))
	return cmd
}

const (
	watchLinks  = "watch-links"
	linksSource = "links" // in the manifest only where the option asks for it
)

// collectMemory bounds the heap, so that collecting stays within 64 MiB beside
// the work of a server; what is captured lies on the disk.
const collectMemory = 24 << 20

// boundMemory holds the heap to collectMemory until the function that it
// returns is called.
func boundMemory() (end func()) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before := debug.SetMemoryLimit(collectMemory)
	return func() { debug.SetMemoryLimit(before) }
}

// watchArgs takes what stands after -- as the load of w. Nothing else may
// stand on the command line.
func watchArgs(cmd *cobra.Command, args []string, w *capture.Watch) error {
	dash := cmd.ArgsLenAtDash()
	if dash < 0 {
		dash = len(args)
	}
	w.Command = args[dash:]
	asked := cmd.Flags().Changed(watchLinks)
	example := text("so: hwcap collect --watch-links 30s -- LASTPROGRAMM", "like this: hwcap collect --watch-links 30s -- LOAD_PROGRAM")
	switch {
	case dash > 0:
		hint := text("„hwcap collect --help“ zeigt, was möglich ist", "hwcap collect --help shows what is possible")
		if asked {
			hint = example
		}
		return usageError(fmt.Errorf(text("unerwartetes Argument %q", "unexpected argument %q"), args[0]), hint)
	case asked && w.For <= 0:
		return usageError(errors.New(text("--watch-links braucht eine Dauer über null", "--watch-links needs a time above zero")), example)
	case !asked && len(w.Command) > 0:
		return usageError(errors.New(text("ein Befehl steht nur mit --watch-links", "a command goes with --watch-links only")), example)
	}
	return nil
}

// collect makes the capture and tells how it went.
func collect(ctx context.Context, opts capture.Options) error {
	if opts.Output == "-" {
		if term.IsTerminal(int(os.Stdout.Fd())) {
			return usageError(errors.New(text("die Standardausgabe ist ein Terminal", "standard output is a terminal")),
				text("so: hwcap collect -o - | ssh RECHNER 'cat > capture.tar.gz'", "like this: hwcap collect -o - | ssh HOST 'cat > capture.tar.gz'"))
		}
		opts.Output, opts.Stdout = "", os.Stdout
		// A reader that goes away must end in an error, not in a signal that
		// leaves the spool behind.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	}
	result, err := ask(ctx, opts)
	if err != nil {
		return err
	}
	return collected(result)
}

// ask makes the capture, showing how far it is.
func ask(ctx context.Context, opts capture.Options) (*capture.Result, error) {
	defer boundMemory()()
	progress := newProgress(os.Stderr)
	opts.Progress = progress.show
	opts.Watch.Output, opts.Watch.Left = os.Stderr, progress.left
	capture.Nice()
	result, err := capture.Collect(ctx, opts)
	progress.clear()
	if err != nil {
		return nil, explainCollect(err)
	}
	return result, nil
}

// collected tells how it went.
func collected(result *capture.Result) error {
	summarise(os.Stderr, result)
	if result.Bytes > mailLimit {
		hintLargeManifest(os.Stderr, &result.Manifest)
	}
	m := &result.Manifest
	if len(m.Names(capture.TimedOut, capture.Failed)) > 0 || slices.Contains(m.Names(capture.Absent), linksSource) {
		return exitStatus(exitIncomplete)
	}
	return nil
}

// collectFailures are errors of package capture, in German.
var collectFailures = []struct {
	is error
	de string
}{
	{capture.ErrUnsupported, "erfassen geht nur unter Linux"},
	{capture.ErrOutput, "die Erfassung lässt sich nicht schreiben"},
	{capture.ErrName, "die Ausgabe endet nicht auf .tar.gz, .tar.zst oder .tar"},
	{capture.ErrNotFile, "das gibt es, und es ist keine gewöhnliche Datei"},
	{capture.ErrGroup, "unbekannte Gruppe von Quellen"},
	{capture.ErrLoad, "die Last lässt sich nicht starten"},
	{capture.ErrAttachForm, "ist nicht NAME=DATEI"},
	{capture.ErrAttachName, "hat im Namen andere Zeichen als Buchstaben, Ziffern, Punkt, Binde- und Unterstrich"},
	{capture.ErrAttachTwice, "zwei angehängte Dateien haben denselben Namen"},
	{exec.ErrNotFound, "nicht im Suchpfad ($PATH) gefunden"},
}

// germanCollect returns err in the language of the user.
func germanCollect(err error) error {
	said := err.Error()
	for _, f := range collectFailures {
		if german && errors.Is(err, f.is) {
			said = strings.Replace(said, f.is.Error(), f.de, 1)
		}
	}
	return &reworded{said, err}
}

// reworded is an error in other words.
type reworded struct {
	said string
	error
}

func (e *reworded) Error() string { return e.said }
func (e *reworded) Unwrap() error { return e.error }

// explainCollect adds the next step to an error of capture.Collect.
func explainCollect(err error) error {
	said := germanCollect(err)
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New(text("abgebrochen; es wurde nichts geschrieben", "interrupted; nothing was written"))
	case errors.Is(err, capture.ErrUnsupported):
		return withHint(said, text("auf dem Linux-Rechner erfassen; berichten geht überall: hwcap report DATEI",
			"capture on the Linux machine; reporting works everywhere: hwcap report FILE"))
	case errors.Is(err, capture.ErrLoad):
		return withHint(said, text("nach -- steht der Befehl mit seinen Argumenten, ohne Shell", "put the command and its arguments after --, without a shell"))
	case errors.Is(err, capture.ErrName):
		return usageError(said, nameHint())
	case errors.Is(err, capture.ErrAttachTwice):
		return withHint(said, text("jeder einen eigenen Namen geben: --attach a=DATEI --attach b=DATEI", "give each a name of its own: --attach a=FILE --attach b=FILE"))
	case errors.Is(err, capture.ErrAttach):
		return withHint(said, text("nach NAME= steht eine gewöhnliche Datei, die sich lesen lässt: --attach iperf3=iperf3.json", "after NAME= there is a plain file that can be read: --attach iperf3=iperf3.json"))
	case errors.Is(err, syscall.EPIPE):
		return readerGone()
	case errors.Is(err, capture.ErrOutput):
		return withHint(said, text("einen anderen Ort nennen (-o /tmp/capture.tar.gz) oder weiterleiten (-o -)",
			"name another place (-o /tmp/capture.tar.gz) or pipe it on (-o -)"))
	}
	return said
}

// nameHint is the next step where an output does not end as captures do.
func nameHint() string { return text("so: -o capture.tar.gz", "like this: -o capture.tar.gz") }

// readerGone says that what is written to standard output is not read to its
// end. What was at hand just then is not at fault.
func readerGone() error {
	return errors.New(text("die Standardausgabe wurde geschlossen, bevor alles geschrieben war", "standard output was closed before all was written"))
}

// summarise writes what was captured and what root would add.
func summarise(w io.Writer, r *capture.Result) {
	m := &r.Manifest
	to := r.File
	if to == "" {
		to = text("Standardausgabe", "standard output")
	}
	count := func(states ...capture.State) int { return len(m.Names(states...)) }
	read, sources := count(capture.Present, capture.Empty, capture.Truncated), text("Quellen", "sources")
	if read == 1 {
		sources = text("Quelle", "source")
	}
	fmt.Fprintf(w, text("%s: %s; %d %s gelesen, %d gibt es hier nicht, %d verweigert",
		"%s: %s; %d %s read, %d absent here, %d denied"), oneLine(to), byteSize(r.Bytes),
		read, sources, count(capture.Absent), count(capture.Denied))
	if n := count(capture.NotAsked); n > 0 {
		fmt.Fprintf(w, text(", %d nicht gefragt", ", %d not asked"), n)
	}
	fmt.Fprintln(w)
	for _, part := range []struct {
		state capture.State
		words string
	}{
		{capture.TimedOut, text("Zeit abgelaufen", "timed out")},
		{capture.Failed, text("gescheitert", "failed")},
		{capture.Truncated, text("gekürzt", "cut short")},
	} {
		for _, rec := range m.Sources {
			if rec.State == part.state {
				fmt.Fprintf(w, "%s: %s: %s\n", part.words, rec.Name, oneLine(rec.Why))
			}
		}
	}
	for _, rec := range m.Sources {
		if rec.Name == linksSource && slices.Contains([]capture.State{capture.Present, capture.Empty, capture.Absent}, rec.State) && rec.Why != "" {
			fmt.Fprintf(w, text("PCIe-Links: %s\n", "PCIe links: %s\n"), oneLine(rec.Why))
		}
	}
	if m.UID != 0 {
		if names := rootAdds(m); len(names) > 0 {
			fmt.Fprintf(w, text("Als root (sudo hwcap collect) käme dazu: %s\n", "as root (sudo hwcap collect) it would also hold: %s\n"), strings.Join(names, ", "))
		}
	}
}

// rootAdds names the sources that root sees, or sees more of. A source that
// does not exist here is none of them.
func rootAdds(m *capture.Manifest) []string {
	var names []string
	for _, s := range capture.Sources() {
		i := slices.IndexFunc(m.Sources, func(r capture.Record) bool { return r.Name == s.Name })
		if i < 0 || s.Root == "" {
			continue
		}
		switch m.Sources[i].State {
		case capture.Denied:
			names = append(names, s.Name)
		case capture.Present, capture.Truncated:
			if s.More {
				names = append(names, fmt.Sprintf(text("mehr von %s", "more of %s"), s.Name))
			}
		}
	}
	return names
}

// listSources writes every command and file that would be asked.
func listSources(w io.Writer, asked []capture.Source) error {
	b := bufio.NewWriter(w)
	for _, s := range asked {
		fmt.Fprintln(b, s.Name)
		for _, line := range s.Lines() {
			fmt.Fprintf(b, "    %s\n", line)
		}
		if s.Asks != "" {
			fmt.Fprintf(b, "    # asks the device: %s\n", s.Asks)
		}
		if s.Root != "" {
			fmt.Fprintf(b, "    # root adds: %s\n", s.Root)
		}
	}
	fmt.Fprintln(b, "manifest")
	for _, file := range capture.HeadFiles() {
		fmt.Fprintf(b, "    %s\n", file)
	}
	return b.Flush()
}

// byteSize writes a size with its unit, "1.2 MB" or "1,2 MB".
func byteSize(n int64) string {
	size, unit := float64(n), "B"
	for _, next := range []string{"kB", "MB", "GB"} {
		if size < 1000 {
			break
		}
		size, unit = size/1000, next
	}
	s := fmt.Sprintf("%.1f %s", size, unit)
	if unit == "B" {
		s = fmt.Sprintf("%d %s", n, unit)
	}
	if german {
		s = strings.Replace(s, ".", ",", 1)
	}
	return s
}

// progress is a line that counts the sources, on a terminal only.
type progress struct{ w io.Writer }

func newProgress(f *os.File) progress {
	if !term.IsTerminal(int(f.Fd())) {
		return progress{io.Discard}
	}
	return progress{f}
}

func (p progress) show(done, of int, name string) {
	fmt.Fprintf(p.w, "\r\x1b[K[%d/%d] %s", done, of, name)
}

// left counts down while links are sampled.
func (p progress) left(d time.Duration) {
	fmt.Fprintf(p.w, text("\r\x1b[KPCIe-Links: noch %.0f s", "\r\x1b[KPCIe links: %.0f s left"), d.Seconds())
}

func (p progress) clear() { fmt.Fprint(p.w, "\r\x1b[K") }
