package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"

	"hwcap/capture/redact"
	"hwcap/parse"
)

// input is a capture, bundle or single text that is read more than once, as
// members and not as facts.
type input struct {
	ctx  context.Context
	name string // for messages, and of a text
	text bool   // a single text; otherwise a tar
	from func() (*parse.Content, error)
}

// openInput finds out what the argument CAPTURE names, as openCapture does.
// What comes from standard input is kept in the folder private.
func openInput(ctx context.Context, arg string, keys []age.Identity, private string) (*input, error) {
	in := &input{ctx: ctx, name: arg}
	switch {
	case arg == "-":
		in.name = parse.Stdin
		kept, err := keep(ctx, os.Stdin, private)
		if err != nil {
			return nil, err
		}
		in.from = func() (*parse.Content, error) { return openContent(kept, keys) }
	case strings.HasPrefix(arg, samplePrefix):
		r, err := openSample(strings.TrimPrefix(arg, samplePrefix))
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		in.from = func() (*parse.Content, error) { return parse.ReadContent(bytes.NewReader(data), arg, parse.Options{}) }
	default:
		place := arg
		if filepath.Base(arg) == "." || filepath.Base(arg) == ".." { // whose members are called after the folder
			var err error
			if place, err = filepath.Abs(arg); err != nil {
				return nil, err
			}
		}
		in.from = func() (*parse.Content, error) { return openContent(place, keys) }
	}
	c, err := in.from()
	if err != nil {
		return nil, err
	}
	in.text = c.Text
	return in, c.Close()
}

// keep copies r to a file that can be read again.
func keep(ctx context.Context, r io.Reader, private string) (name string, err error) {
	f, err := os.Create(filepath.Join(private, parse.Stdin))
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, stoppable{ctx, io.NopCloser(r)})
	return f.Name(), errors.Join(err, f.Close())
}

// openContent opens a file or folder, decrypted if it is encrypted.
func openContent(name string, keys []age.Identity) (*parse.Content, error) {
	sealed, err := openSealed(name)
	if err != nil || sealed == nil {
		return parse.OpenContent(name, parse.Options{})
	}
	r, err := unseal(sealed, keys)
	if err != nil {
		sealed.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c, err := parse.ReadContent(r, name, parse.Options{})
	if err != nil {
		sealed.Close()
		return nil, err
	}
	c.ReadCloser = both{c.ReadCloser, sealed}
	return c, nil
}

// both closes what a reader reads from, too.
type both struct {
	io.ReadCloser
	under io.Closer
}

func (b both) Close() error { return errors.Join(b.ReadCloser.Close(), b.under.Close()) }

// open opens it from its start. Reading ends with the context.
func (in *input) open() (io.ReadCloser, error) {
	c, err := in.from()
	if err != nil {
		return nil, err
	}
	return stoppable{in.ctx, c}, nil
}

// stoppable ends with its context.
type stoppable struct {
	ctx context.Context
	io.ReadCloser
}

func (s stoppable) Read(p []byte) (int, error) {
	if err := context.Cause(s.ctx); err != nil {
		return 0, err
	}
	return s.ReadCloser.Read(p)
}

// refuseResult refuses a result that is to be called out and would be of no
// use: over what was read, over the account of an earlier run, or empty.
func (in *input) refuseResult(r *redact.Result, out string) error {
	if err := in.refuseOutput(out); err != nil {
		return err
	}
	if _, err := os.Lstat(reportName(out)); r.Again && err == nil {
		return usageError(fmt.Errorf(text("%s: darin ist schon ersetzt, und %s sagt, was", "%s: it is redacted already, and %s says what"), in.name, oneLine(reportName(out))),
			text("mit -o eine andere Datei angeben", "choose another file with -o"))
	}
	if in.text || r.Kept > 0 {
		return nil
	}
	_, err := parse.Open(in.name, parse.Options{})
	if said, rest, ok := strings.Cut(fmt.Sprint(err), innerArchive); ok && errors.Is(err, parse.ErrInside) {
		if german {
			said = in.name + ": darin sind nur Archive"
		}
		return withHint(errors.New(said), text("jedes Archiv für sich", "each archive by itself")+": hwcap redact "+rest)
	}
	return withHint(fmt.Errorf(text("%s: darin ist nichts, was ersetzt werden könnte", "%s: nothing in it could be redacted"), in.name),
		text("nicht übernommen werden Archive, Dokumente, Bilder und Schlüssel", "archives, documents, pictures and keys are not taken over"))
}

// refuseOutput refuses to write over what is read.
func (in *input) refuseOutput(out string) error {
	read, err := os.Stat(in.name)
	if err != nil {
		return nil
	}
	written, err := os.Stat(out)
	if err != nil || !os.SameFile(read, written) {
		return nil
	}
	return usageError(errors.New(text("die Ausgabe ist die Erfassung selbst", "the output is the capture itself")),
		text("mit -o eine andere Datei angeben", "choose another file with -o"))
}
