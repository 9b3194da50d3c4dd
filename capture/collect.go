package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// Options say what to collect and where to.
type Options struct {
	// Output is the file to write; its ending chooses the compression. Empty:
	// a .tar.gz named after host and time, in the current folder.
	Output string
	// Stdout takes the archive as .tar.gz instead of a file, if it is set.
	Stdout io.Writer

	Tool        string // name and version of the calling program
	Attach      []Attachment
	Select      Selection
	Timeout     time.Duration // of every source; 0: what its row says
	Total       time.Duration // of all together; 0: no limit
	LoadModules bool          // reads may load kernel modules
	NoWake      bool          // devices that sleep are left alone
	Watch       Watch         // takes its own time, on top of Timeout and Total

	// Progress is told of every source that has ended, one call at a time.
	Progress func(done, of int, name string)
}

// Result is what Collect made.
type Result struct {
	File     string // "" where it went to Stdout
	Bytes    int64  // size of the archive
	Manifest Manifest
}

// Errors of this package that a caller may want to tell apart, or say in
// another language: what stands around their words are names and errors of the
// system.
var (
	ErrUnsupported = errors.New("collecting works on Linux only")
	ErrOutput      = errors.New("cannot write the capture")
	ErrName        = errors.New("the output does not end in .tar.gz, .tar.zst or .tar")
	ErrAttach      = errors.New("--attach")
	ErrNotFile     = errors.New("it is there and not a plain file")
	ErrGroup       = errors.New("unknown group of sources")
	ErrLoad        = errors.New("cannot run the load")

	ErrAttachForm  = errors.New("is not NAME=FILE")
	ErrAttachName  = errors.New("has other characters than letters, digits, dots, dashes and underscores in its name")
	ErrAttachTwice = errors.New("two attachments have the same name")
)

// Collect asks all sources and writes the archive. It returns an error only
// where there is no archive; how each source ended is in the manifest. At the
// end of ctx everything is stopped, and nothing stays behind.
func Collect(ctx context.Context, o Options) (*Result, error) {
	t := &target{root: "/", env: os.Environ(), loadModules: o.LoadModules, noWake: o.NoWake}
	return t.collect(ctx, o)
}

func (t *target) collect(ctx context.Context, o Options) (result *Result, err error) {
	if !supported {
		return nil, ErrUnsupported
	}
	if err := o.Select.Check(); err != nil {
		return nil, err
	}
	start := time.Now()
	describing, cancel := context.WithTimeoutCause(ctx, DefaultLimit, errLimit)
	defer cancel()
	manifest := t.describe(describing)
	manifest.Tool = o.Tool
	id := captureID(manifest.Host, start)
	if o.Output == "" && o.Stdout == nil {
		o.Output = id + ".tar.gz"
	}
	compress := newGzip
	if o.Stdout == nil {
		if compress, err = Compressor(o.Output); err != nil {
			return nil, err
		}
		// A rename would put a file in the place of a device.
		if info, err := os.Stat(o.Output); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%w: %s: %w", ErrOutput, o.Output, ErrNotFile)
		}
	}
	if err := checkAttachments(o.Attach); err != nil {
		return nil, err
	}
	if err := o.Watch.Check(); err != nil {
		return nil, err
	}
	spool, folder, err := newSpool(o.Output)
	if err != nil {
		return nil, outputError(o.Output, err)
	}
	defer func() {
		if removeErr := folder.Remove(); err == nil {
			err = removeErr
		}
	}()

	entries, records, err := t.ask(ctx, o, spool)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, outputError(o.Output, err)
	}
	manifest.Start = start.UTC().Format(time.RFC3339)
	manifest.End = start.Add(time.Since(start)).UTC().Format(time.RFC3339) // also where the clock was set meanwhile
	manifest.Sources = records
	text, err := manifest.Encode()
	if err != nil {
		return nil, err
	}

	write := func(w io.Writer) error {
		z, err := compress(w)
		if err != nil {
			return err
		}
		a := newArchive(ctx, z, id, start)
		for _, e := range entries {
			if e == nil {
				continue
			}
			if err := e.copyTo(a.put); err != nil {
				return err
			}
		}
		if err := a.put(member{"manifest.json", int64(len(text))}, bytes.NewReader(text)); err != nil {
			return err
		}
		return errors.Join(a.close(), z.Close())
	}
	result = &Result{File: o.Output, Manifest: manifest}
	if o.Stdout != nil {
		count := &counter{w: o.Stdout}
		err = write(count)
		result.File, result.Bytes = "", count.n
	} else {
		result.Bytes, err = WriteWhole(spool.dir, func(w io.Writer) (string, error) { return o.Output, write(w) })
	}
	if err != nil {
		return nil, outputError(o.Output, err)
	}
	return result, nil
}

// outputError says that output cannot be written. It names output in the place
// of the file beside it that was at hand; of the folder for temporary files it
// tells as it is.
func outputError(output string, err error) error {
	if output == "" {
		return fmt.Errorf("%w: %w", ErrOutput, err)
	}
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return fmt.Errorf("%w: %s: %w", ErrOutput, output, err)
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// captureID is the name of a capture: hwcap-<host>-<UTC>.
func captureID(host string, at time.Time) string {
	host = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, host)
	return "hwcap-" + host + "-" + at.UTC().Format("20060102T150405Z")
}
