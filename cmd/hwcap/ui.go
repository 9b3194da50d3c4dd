package main

// Rules for what a user sees:
//
//   - Standard output carries what was asked for and nothing else.
//   - An error is one line on standard error, "hwcap: ...", lower case, no
//     final period, and a second line with the next step where there is one.
//   - Progress is shown on a terminal only.
//   - Messages are German or English, as LC_ALL, LC_MESSAGES or LANG say.

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"hwcap/render/escape"
)

// Exit codes.
const (
	exitDone       = 0
	exitFailed     = 1
	exitUsage      = 2
	exitIncomplete = 3 // done, but something that should be there is missing
	exitFailOn     = 4 // report: a finding reached --fail-on
)

// hintError is an error with a next step and an exit code.
type hintError struct {
	err  error
	hint string
	code int
}

func (e *hintError) Error() string { return e.err.Error() }
func (e *hintError) Unwrap() error { return e.err }

// withHint adds a next step to err; a nil err stays nil.
func withHint(err error, hint string) error {
	if err == nil {
		return nil
	}
	return &hintError{err, hint, exitFailed}
}

// usageError marks err as a mistake on the command line. A hint that err
// already has is kept.
func usageError(err error, hint string) error {
	if h := (*hintError)(nil); errors.As(err, &h) {
		hint = h.hint
	}
	return &hintError{err, hint, exitUsage}
}

// exitStatus ends a command that is done and has said all there is to say
// with another exit code than 0.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// report tells the user about err on w and returns the exit code for it.
func report(w io.Writer, err error) int {
	if err == nil {
		return exitDone
	}
	if s := exitStatus(0); errors.As(err, &s) {
		return int(s)
	}
	fmt.Fprintf(w, "hwcap: %s\n", oneLine(words(err)))
	h := (*hintError)(nil)
	if !errors.As(err, &h) {
		return exitFailed
	}
	if h.hint != "" {
		fmt.Fprintf(w, "%s: %s\n", text("Hinweis", "hint"), h.hint)
	}
	return h.code
}

// systemFailures are errors of the system, in German.
var systemFailures = []struct {
	is error
	de string
}{
	{syscall.ENOENT, "nicht gefunden"},
	{syscall.ENOTDIR, "kein Ordner"},
	{syscall.EISDIR, "ein Ordner"},
	{syscall.EEXIST, "gibt es schon"},
	{syscall.EACCES, "nicht erlaubt"},
	{syscall.EPERM, "nicht erlaubt"},
	{syscall.EROFS, "das Dateisystem lässt nur Lesen zu"},
	{syscall.ENOSPC, "der Datenträger ist voll"},
}

// words are those of an error, without the name of a system call and, of what
// the system says, in the user's language.
func words(err error) string {
	said := err.Error()
	if place := (*fs.PathError)(nil); errors.As(err, &place) {
		said = strings.Replace(said, place.Op+" "+place.Path+": ", place.Path+": ", 1)
	}
	for _, f := range systemFailures {
		if german && errors.Is(err, f.is) {
			said = strings.Replace(said, f.is.Error(), f.de, 1)
		}
	}
	return said
}

// oneLine makes s safe for one line of a terminal, whatever a file name holds.
func oneLine(s string) string { return strings.TrimSpace(escape.Plain(s)) }

// oneCapture is the argument check of commands that read a capture.
func oneCapture(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	err := errors.New(text("es fehlt die Erfassung", "the capture is missing"))
	if len(args) > 1 {
		err = fmt.Errorf(text("unerwartetes Argument %q", "unexpected argument %q"), args[1])
	}
	return usageError(err, fmt.Sprintf(text("so: hwcap %s hwcap-SERVER-ZEIT.tar.gz, oder zum Probieren sample:workstation",
		"like this: hwcap %s hwcap-SERVER-TIME.tar.gz, or sample:workstation to try"), cmd.Name()))
}

// nothingElse is the argument check of commands that take no argument.
func nothingElse(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError(fmt.Errorf(text("unerwartetes Argument %q", "unexpected argument %q"), args[0]),
		fmt.Sprintf(text("„hwcap %s --help“ zeigt, was möglich ist", "hwcap %s --help shows what is possible"), cmd.Name()))
}

func unknownCommand(cmd *cobra.Command, name string) error {
	err := fmt.Errorf(text("unbekannter Befehl %q", "unknown command %q"), name)
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		return usageError(err, fmt.Sprintf(text("gemeint war vielleicht „%s %s“", "did you mean %s %s?"), cmd.CommandPath(), near[0]))
	}
	return usageError(err, fmt.Sprintf(text("„%s --help“ zeigt alle Befehle", "%s --help shows all commands"), cmd.CommandPath()))
}

// german says that messages are in German. It follows the variables in the
// order of POSIX: the first that is set and not empty decides.
var german = strings.HasPrefix(messageLocale(os.Getenv), "de")

func messageLocale(getenv func(string) string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := getenv(name); v != "" {
			return v
		}
	}
	return ""
}

// text picks a message of the user's language.
func text(de, en string) string {
	if german {
		return de
	}
	return en
}
