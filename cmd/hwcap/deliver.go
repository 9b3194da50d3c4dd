package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"filippo.io/age"

	"hwcap/capture"
	"hwcap/capture/redact"
)

// errOutput is the error of a place that cannot be written; the same words as
// those of collecting.
var errOutput = capture.ErrOutput

// delivery is how an archive leaves hwcap.
type delivery struct {
	out    string          // file, "-" for standard output, "" for a name after the capture
	beside string          // folder of a file that has its name after the capture
	ending string          // what follows that name
	plain  bool            // without compression: a text
	to     []age.Recipient // whom it is encrypted to, none for nobody
}

// delivered is an archive that is written.
type delivered struct {
	*redact.Result
	file string // "" for standard output
	size int64
}

// inPrivate calls do with a folder that only this user can look into, beside
// the output, and removes it whatever happens.
func (d delivery) inPrivate(do func(private string) error) (err error) {
	parent := d.beside
	switch d.out {
	case "":
	case "-":
		parent = "" // that of the system
		// A reader that goes away must end in an error, not in a signal that
		// leaves the folder behind.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	default:
		parent = filepath.Dir(d.out)
		if info, err := os.Stat(d.out); err == nil && !info.Mode().IsRegular() {
			return explainRedact("", fmt.Errorf("%w: %s: %w", errOutput, d.out, capture.ErrNotFile))
		}
	}
	private, err := capture.NewPrivate(parent, ".hwcap")
	if err != nil {
		return explainRedact("", outputError(d.out, parent, err))
	}
	defer func() { err = errors.Join(err, private.Remove()) }()
	return do(private.Dir)
}

// outputError says that out, or a file in the folder beside, cannot be written.
func outputError(out, beside string, err error) error {
	place, link := (*fs.PathError)(nil), (*os.LinkError)(nil)
	switch {
	case errors.As(err, &place):
		err = place.Err
	case errors.As(err, &link):
		err = link.Err
	}
	if out == "" {
		out = beside
	}
	return fmt.Errorf("%w: %s: %w", errOutput, out, err)
}

// deliver compresses and encrypts what write gives, and puts it in its place
// when it is whole.
func (d delivery) deliver(private string, write func(io.Writer) (*redact.Result, error)) (*delivered, error) {
	compress, err := d.compressor()
	if err != nil {
		return nil, err
	}
	done := &delivered{}
	whole := func(w io.Writer) (string, error) {
		w = outputWriter{w, d}
		sealed, err := seal(w, d.to)
		if err != nil {
			return "", err
		}
		z, err := compress(sealed)
		if err != nil {
			return "", err
		}
		if done.Result, err = write(z); err != nil {
			return "", err
		}
		if err := errors.Join(z.Close(), sealed.Close()); err != nil {
			return "", err
		}
		done.file = d.name(done.Name)
		return done.file, nil
	}
	if d.out == "-" {
		count := &countingWriter{w: os.Stdout}
		_, err = whole(count)
		done.file, done.size = "", count.n
	} else if done.size, err = capture.WriteWhole(private, whole); err != nil {
		failed := (*os.LinkError)(nil)
		if errors.As(err, &failed) { // the move to its name
			err = outputError(d.out, d.beside, err)
		}
	}
	return done, err
}

func (d delivery) compressor() (func(io.Writer) (io.WriteCloser, error), error) {
	switch {
	case d.plain:
		return func(w io.Writer) (io.WriteCloser, error) { return nopCloser{w}, nil }, nil
	case d.out == "" || d.out == "-":
		return capture.Compressor(d.ending)
	}
	return capture.Compressor(strings.TrimSuffix(d.out, sealedEnding))
}

// name is where a capture of that name goes.
func (d delivery) name(capture string) string {
	if d.out != "" {
		return d.out
	}
	name := folderName(capture) + d.ending
	if len(d.to) > 0 {
		name += sealedEnding
	}
	return filepath.Join(d.beside, name)
}

// outputWriter says of an error that it is one of writing.
type outputWriter struct {
	w io.Writer
	d delivery
}

func (o outputWriter) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil {
		err = outputError(o.d.out, o.d.beside, err)
	}
	return n, err
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
