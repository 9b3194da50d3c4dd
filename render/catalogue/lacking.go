package catalogue

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// missing is how the collector begins the reason of a source whose program the
// machine does not have; the program's name follows (capture/command_linux.go).
const missing = "no such command: "

// step expands one next step: its command, or the one to take instead where
// the machine lacks a program of it. Where there is none to take, the text says
// what has to be installed.
func (w *Writer) step(s step, text string, dot map[string]any) (Step, error) {
	command, err := w.expand(s.Command, dot)
	if err != nil {
		return Step{}, err
	}
	program := w.lacking(command)
	switch {
	case program == "":
		return Step{Command: command, Text: text}, nil
	case s.Instead != "":
		command, err = w.expand(s.Instead, dot)
		return Step{Command: command, Text: strings.TrimSpace(text + " " + s.Note)}, err
	}
	label, err := w.catalogue.Label(w.lang, "step-lacking")
	return Step{Command: command, Text: text + " " + strings.ReplaceAll(label, "%s", w.code(program))}, err
}

// lacking returns the first program of a command line that the machine did not
// have when it was captured, or "".
func (w *Writer) lacking(command string) string {
	if w.machine == nil || command == "" {
		return ""
	}
	for part := range strings.SplitSeq(command, " | ") {
		program, _, _ := strings.Cut(strings.TrimPrefix(part, "sudo "), " ")
		if slices.ContainsFunc(w.machine.Sources, func(s fact.Source) bool {
			return s.State == fact.Absent && s.Why == missing+program
		}) {
			return program
		}
	}
	return ""
}
