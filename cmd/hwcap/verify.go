package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"filippo.io/age"

	"hwcap/capture/leak"
	"hwcap/capture/redact"
)

// runVerify searches the capture arg for identities and lists their places.
func runVerify(ctx context.Context, arg string, opt redactOptions) error {
	keys, err := identities(opt.keyFiles)
	if err != nil {
		return err
	}
	return delivery{out: "-"}.inPrivate(func(private string) error {
		var original *leak.Values
		if opt.original != "" {
			err := readInput(ctx, opt.original, keys, private, func(in *input, r io.Reader) (err error) {
				original, err = valuesOf(in, r)
				return err
			})
			if err != nil {
				return err
			}
		}
		var places []leak.Place
		err := readInput(ctx, arg, keys, private, func(in *input, r io.Reader) (err error) {
			places, err = search(in, r, original)
			return err
		})
		if err != nil {
			return err
		}
		for _, p := range places {
			fmt.Fprintln(os.Stdout, oneLine(placeFound(p)))
		}
		if len(places) > 0 {
			fmt.Fprintf(os.Stderr, text("%s: %d Stellen, die etwas verraten können; so nicht weitergeben\n", "%s: %d places that may tell something; do not pass it on like this\n"), oneLine(arg), len(places))
			return exitStatus(exitIncomplete)
		}
		said := text("nach Form, Zufälligkeit und Bezeichnung gesucht", "searched by shape, randomness and label")
		if original != nil {
			said += fmt.Sprintf(text(" und nach %d Werten des Originals", " and for %d values of the original"), original.Len())
			if original.Cut {
				said += text(", das noch mehr hat", ", which has more")
			}
		}
		fmt.Fprintf(os.Stderr, text("%s: nichts gefunden (%s)\n", "%s: nothing found (%s)\n"), oneLine(arg), said)
		return nil
	})
}

// ways are those of searching, in German.
var ways = map[leak.Way]leak.Way{leak.ByShape: "Form", leak.ByEntropy: "Zufälligkeit", leak.ByLabel: "Bezeichnung", leak.ByOriginal: "Original"}

// placeFound is a place in the user's language.
func placeFound(p leak.Place) string {
	p.Class = className(redact.Class(p.Class))
	if german {
		p.Way = ways[p.Way]
	}
	return p.String()
}

func valuesOf(in *input, r io.Reader) (*leak.Values, error) {
	if in.text {
		return leak.ValuesOfText(in.name, r)
	}
	return leak.ValuesOf(r)
}

func search(in *input, r io.Reader, original *leak.Values) ([]leak.Place, error) {
	if in.text {
		return leak.SearchText(in.name, r, original)
	}
	return leak.Search(r, original)
}

// readInput hands what arg names to read.
func readInput(ctx context.Context, arg string, keys []age.Identity, private string, read func(*input, io.Reader) error) error {
	in, err := openInput(ctx, arg, keys, private)
	if err != nil {
		return explainOpen(arg, err)
	}
	r, err := in.open()
	if err != nil {
		return explainOpen(arg, err)
	}
	defer r.Close()
	if err := read(in, r); errors.Is(err, context.Canceled) {
		return errors.New(text("abgebrochen", "interrupted"))
	} else if err != nil {
		return explainOpen(arg, fmt.Errorf("%s: %w", arg, err))
	}
	return nil
}
