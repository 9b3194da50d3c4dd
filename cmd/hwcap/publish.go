package main

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hwcap/capture/redact"
	"hwcap/parse"
	"hwcap/parse/fact"
	"hwcap/render"
	"hwcap/render/catalogue"
)

// openPublished opens captures as openCapture does, and has every identity in
// them replaced before anything is read out of them, so that nothing of a
// report can hold one. It also returns by which mark a folder is known to hold
// the report on them.
//
// The pseudonyms are made with a key that is derived from what the captures
// hold: the same captures have the same pseudonyms, however they are packed and
// called. Who has a capture can make its key, and learns nothing by it.
func openPublished(ctx context.Context, args, keyFiles []string) (machines []*fact.Machine, mark []byte, err error) {
	keys, err := identities(keyFiles)
	if err != nil {
		return nil, nil, err
	}
	private, err := os.MkdirTemp("", "hwcap-*") // mode 0700
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(private)) }()

	all, derived := make([]*published, len(args)), sha256.New()
	io.WriteString(derived, "hwcap report --publish\n")
	for i, arg := range args {
		in, err := openInput(ctx, arg, keys, private)
		if err != nil {
			return nil, nil, explainOpen(arg, err)
		}
		if all[i], err = survey(in); err != nil {
			return nil, nil, explainRedact(arg, err)
		}
		derived.Write(all[i].sum)
	}
	key := redact.Key(derived.Sum(nil))
	for i, p := range all {
		m, err := p.read(key, private)
		if err != nil {
			return nil, nil, explainRedact(args[i], err)
		}
		machines = append(machines, m)
	}
	return machines, fmt.Appendf(nil, "hwcap report --publish %s\n", key.ID()), nil
}

// published is an input that is read for publishing.
type published struct {
	*input
	sum []byte // of what it holds
	cut bool   // it breaks off, and the input ends in good order before that
}

// survey reads the input once.
func survey(in *input) (*published, error) {
	src, err := in.open()
	if err != nil {
		return nil, err
	}
	defer src.Close()
	p := &published{}
	var (
		whole int64
		top   string
	)
	if in.text {
		p.sum, whole, err = surveyText(src)
	} else {
		p.sum, whole, top, err = surveyTar(src)
	}
	switch {
	case in.ctx.Err() != nil:
		return nil, in.ctx.Err()
	case err != nil && whole == 0:
		return nil, fmt.Errorf("%w: %v", parse.ErrCutOff, err)
	}
	p.input, p.cut = in.upTo(whole, top), err != nil
	return p, nil
}

// surveyText sums up a text and counts its bytes, up to an error.
func surveyText(r io.Reader) (sum []byte, n int64, err error) {
	h := sha256.New()
	n, err = io.Copy(h, r)
	return h.Sum(nil), n, err
}

// surveyTar sums up the members of a tar and counts its entries, up to an
// error. The order of the members does not matter, nor does the folder top that
// all are in, if there is one.
func surveyTar(r io.Reader) (sum []byte, n int64, top string, err error) {
	tops := map[string]bool{}
	var sums [][]byte
	end := &zeroCount{r: r}
	err = eachEntry(end, func(h *tar.Header, r io.Reader) error {
		if h.Typeflag == tar.TypeReg {
			first, name, deep := strings.Cut(h.Name, "/")
			if !deep {
				first = ""
			}
			if len(tops) < 2 {
				tops[first] = true
			}
			sum := sha256.New()
			io.WriteString(sum, name+"\n")
			if _, err := io.Copy(sum, r); err != nil {
				return err
			}
			sums = append(sums, sum.Sum(nil))
		}
		n++
		return nil
	})
	switch {
	case err != nil:
	case end.zeros < tarBlock: // no mark of the end
		err = io.ErrUnexpectedEOF
	default: // what follows shows whether compression ended well
		_, err = io.Copy(io.Discard, end)
	}
	slices.SortFunc(sums, bytes.Compare)
	all := sha256.Sum256(slices.Concat(sums...))
	if len(tops) == 1 {
		for top = range tops {
		}
	}
	return all[:], n, top, err
}

// zeroCount counts the zero bytes at the end of what was read.
type zeroCount struct {
	r     io.Reader
	zeros int
}

func (z *zeroCount) Read(p []byte) (int, error) {
	n, err := z.r.Read(p)
	zeros := n - len(bytes.TrimRight(p[:n], "\x00"))
	if zeros == n {
		zeros += z.zeros
	}
	z.zeros = zeros
	return n, err
}

// tarBlock is the unit of a tar; two of zeros mark its end, and one is enough.
const tarBlock = 512

// atTop are folders of a machine, which tell what their members are.
var atTop = []string{"", ".", "proc", "sys", "cmd", "dev", "etc", "netlink", "attach", "samples", "var", "run", "usr", "boot"}

// eachEntry calls do with each entry of a tar.
func eachEntry(r io.Reader, do func(*tar.Header, io.Reader) error) error {
	for t := tar.NewReader(r); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = do(h, t)
		}
		if err != nil {
			return err
		}
	}
}

// upTo returns an input that is n bytes of a text, or n entries of a tar, long.
// In a tar the folder top has a neutral name then, unless it is that of a
// capture, in which the host is replaced.
func (in *input) upTo(n int64, top string) *input {
	if strings.HasPrefix(top, "hwcap-") || slices.Contains(atTop, top) {
		top = ""
	}
	short := *in
	short.from = func() (*parse.Content, error) {
		c, err := in.from()
		if err != nil {
			return nil, err
		}
		if in.text {
			return &parse.Content{ReadCloser: readCloser{io.LimitReader(c, n), c.Close}, Text: true}, nil
		}
		r, w := io.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.CloseWithError(copyEntries(w, c, n, top))
		}()
		return &parse.Content{ReadCloser: readCloser{r, func() error {
			r.Close()
			<-done
			return c.Close()
		}}}, nil
	}
	return &short
}

type readCloser struct {
	io.Reader
	close func() error
}

func (r readCloser) Close() error { return r.close() }

// copyEntries copies the first n entries of a tar, with the folder top renamed.
func copyEntries(w io.Writer, r io.Reader, n int64, top string) error {
	in, out := tar.NewReader(r), tar.NewWriter(w)
	for range n {
		h, err := in.Next()
		if err != nil {
			return err
		}
		if rest, ok := strings.CutPrefix(h.Name, top+"/"); ok && top != "" {
			h = &tar.Header{Typeflag: h.Typeflag, Name: neutral + "/" + rest, Linkname: h.Linkname, Size: h.Size, Mode: h.Mode, ModTime: h.ModTime}
		}
		if err := out.WriteHeader(h); err != nil {
			return err
		}
		if _, err := io.Copy(out, in); err != nil {
			return err
		}
	}
	return out.Close()
}

// read reads the facts out of the input while its identities are replaced. It
// breaks off for the reader of facts, too, if it does so.
func (p *published) read(key redact.Key, private string) (*fact.Machine, error) {
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := p.redact(w, key, private)
		end := err
		if end == nil && p.cut {
			end = io.ErrUnexpectedEOF
		}
		w.CloseWithError(end)
		done <- err
	}()
	name := parse.Stdin // so that it is called after the folder in it
	if p.text {
		name = neutral + ".txt"
	}
	m, err := parse.Read(r, name, parse.Options{})
	if err == nil {
		io.Copy(io.Discard, r) // what follows the end of a tar; redact has the error
	}
	r.CloseWithError(err)
	if failed := <-done; failed != nil {
		return nil, failed
	}
	if err != nil {
		return nil, err
	}
	// A capture is called after its host, which has a pseudonym now. Any other
	// name is somebody's own.
	if !strings.HasPrefix(m.Capture.ID, "hwcap-") {
		m.Capture.ID = neutral
	}
	m.Capture.Redacted = true
	return m, nil
}

// neutral is what an input is called whose own name must not be told.
const neutral = "capture"

// redact writes the input with its identities replaced; of a tar that breaks
// off without the mark of its end.
func (p *published) redact(w io.Writer, key redact.Key, private string) error {
	write := redactArchive(p.input, key, private)
	switch {
	case p.text:
		write = redactText(p.input, key)
	case p.cut:
		w = &withoutEnd{w: w}
	}
	_, err := write(w)
	return err
}

// withoutEnd passes on all but the last two blocks, by which a tar ends.
type withoutEnd struct {
	w    io.Writer
	held []byte
}

func (e *withoutEnd) Write(p []byte) (int, error) {
	const end = 2 * tarBlock
	e.held = append(e.held, p...)
	if n := len(e.held) - end; n > 0 {
		if _, err := e.w.Write(e.held[:n]); err != nil {
			return 0, err
		}
		e.held = append(e.held[:0], e.held[n:]...)
	}
	return len(p), nil
}

// enclosed is what goes with the letter in lang. The name of a capture can hold
// that of its host, so that a redacted letter does not tell it.
func (o reportOptions) enclosed(lang catalogue.Lang) render.Enclosed {
	var e render.Enclosed
	for _, format := range []string{"pdf", "html", "md"} {
		if o.wants(format) {
			e.Files = append(e.Files, "report."+string(lang)+"."+format)
		}
	}
	if o.wants("json") {
		e.Files = append(e.Files, "report.json")
	}
	info, err := os.Stat(o.about)
	if o.publish || err != nil {
		return e
	}
	e.Capture = filepath.Base(filepath.Clean(o.about))
	if sealed, err := openSealed(o.about); err == nil && sealed != nil && info.Mode().IsRegular() {
		e.Encrypted = sealed.Close() == nil
	}
	return e
}
