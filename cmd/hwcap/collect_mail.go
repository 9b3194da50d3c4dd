package main

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"

	"hwcap/capture"
	"hwcap/capture/redact"
	"hwcap/parse"
)

// mailOptions are those of a capture that is redacted or encrypted at once.
type mailOptions struct {
	redact    bool
	keyFile   string
	encryptTo []string
	to        []age.Recipient // of encryptTo
}

// check refuses what does not go together, and reads the keys of encryptTo.
func (o *mailOptions) check(out string) (err error) {
	if o.keyFile != "" && !o.redact {
		return usageError(errors.New(text("--key steht nur mit --redact", "--key goes with --redact only")),
			text("so: hwcap collect --redact --key DATEI", "like this: hwcap collect --redact --key FILE"))
	}
	if o.to, err = recipients(o.encryptTo); err != nil {
		return err
	}
	return checkOutput(out, o.to)
}

// collectForMail makes the capture in a private folder and writes from there
// what may leave the machine. What was captured is gone at the end.
func collectForMail(ctx context.Context, opts capture.Options, mail mailOptions) error {
	var key redact.Key
	if mail.redact {
		var err error
		if key, err = redactionKey(os.Stderr, mail.keyFile); err != nil {
			return err
		}
	}
	d := delivery{out: opts.Output, beside: ".", ending: ".tar.gz", to: mail.to}
	if mail.redact {
		d.ending = "-redacted.tar.gz"
	}
	if _, err := d.compressor(); err != nil { // before anything is asked
		return usageError(germanCollect(err), nameHint())
	}
	defer boundMemory()()
	return d.inPrivate(func(private string) error {
		opts.Output = filepath.Join(private, "capture.tar")
		result, err := ask(ctx, opts)
		if err != nil {
			return err
		}
		in := &input{ctx: ctx, name: opts.Output, from: func() (*parse.Content, error) {
			return parse.OpenContent(opts.Output, parse.Options{})
		}}
		write := copyArchive(in)
		if mail.redact {
			write = redactArchive(in, key, private)
		}
		done, err := d.deliver(private, write)
		if err != nil {
			return explainRedact(opts.Output, err)
		}
		if mail.redact {
			fmt.Fprintln(os.Stderr, done.sum())
			if err := done.writeReport(private, os.Stderr); err != nil {
				return err
			}
		}
		result.File, result.Bytes = done.file, done.size
		return collected(result)
	})
}

// copyArchive returns what writes a capture as it is.
func copyArchive(in *input) func(io.Writer) (*redact.Result, error) {
	return func(w io.Writer) (*redact.Result, error) {
		src, err := in.open()
		if err != nil {
			return nil, err
		}
		defer src.Close()
		head, err := tar.NewReader(io.TeeReader(src, w)).Next()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.name, err)
		}
		if _, err := io.Copy(w, src); err != nil {
			return nil, err
		}
		top, _, _ := strings.Cut(head.Name, "/")
		return &redact.Result{Name: top}, nil
	}
}
