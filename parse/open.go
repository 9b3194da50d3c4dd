package parse

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"hwcap/parse/fact"
)

// The ways in which something cannot be opened at all. Whatever held at least
// one fact before it broke off is opened, and marked in Capture.CutOff.
var (
	ErrEmpty    = errors.New("there is nothing in it")
	ErrUnknown  = errors.New("nothing in it that hwcap knows")
	ErrPacked   = errors.New("an archive that hwcap does not unpack")
	ErrNewer    = errors.New("capture of a newer format")
	ErrTooLarge = errors.New("larger than hwcap reads")
	ErrCutOff   = errors.New("broken off before the first fact")
)

// What a file that is not known looks like, beside ErrUnknown: each has a next
// step of its own.
var (
	ErrEncrypted = errors.New("it is encrypted")
	ErrPassword  = errors.New("its members are encrypted")
	ErrPicture   = errors.New("it is a picture")
	ErrDocument  = errors.New("it is a document")
	ErrMail      = errors.New("it is a mail with an attachment")
	ErrInside    = errors.New("it only holds an archive")
)

// resembles is what a file looks like, in words and as one of these.
type resembles struct {
	error
	what string
}

func (r resembles) Error() string { return r.what }
func (r resembles) Unwrap() error { return r.error }

// Options change how a capture is opened.
type Options struct {
	Limits Limits // zero fields are those of DefaultLimits
}

// Open reads the capture, bundle or single text at name, a file or a folder.
func Open(name string, opt Options) (*fact.Machine, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Mode()&os.ModeDevice != 0 {
		return nil, fmt.Errorf("%s: %w: a device, no file", name, ErrUnknown)
	}
	b := newBuilder(filepath.Base(filepath.Clean(name)), opt.Limits.orDefault())
	if info.IsDir() {
		b.m.Capture.Format = "folder"
		if err := b.folder(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return b.finish(name)
	}
	f, err := os.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var head [4]byte
	if n, _ := f.ReadAt(head[:], 0); info.Mode().IsRegular() && isZip(head[:n]) {
		if err := b.zip(f, info.Size()); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return b.finish(name)
	}
	return Read(f, name, opt)
}

// noWait lets a pipe open that nobody writes into: it is empty then.
const noWait = syscall.O_NONBLOCK

// Stdin is the name of a stream that has none of its own. What it holds is
// called after its top folder then.
const Stdin = "stdin"

// Read does the same with a stream; name stands for it in messages and as the
// file of a single text. Where r is compressed, more may be read of it than was
// needed, even after Read returns early with an error.
func Read(r io.Reader, name string, opt Options) (*fact.Machine, error) {
	limits := opt.Limits.orDefault()
	in, err := newStream(r, limits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer in.close()
	b := newBuilder(filepath.Base(name), limits)
	b.in = in

	text := bufio.NewReaderSize(in, headBytes)
	head, _ := text.Peek(headBytes)
	switch {
	case len(head) == 0:
		switch {
		case errors.Is(in.err, ErrTooLarge):
			return nil, fmt.Errorf("%s: %w", name, in.err)
		case in.err != nil:
			return nil, fmt.Errorf("%s: %w: %v", name, ErrCutOff, in.err)
		}
		return nil, fmt.Errorf("%s: %w", name, ErrEmpty)
	case isTar(head):
		b.m.Capture.Format = "archive"
		b.archive(text)
	case isZip(head):
		if err := b.zipOf(text); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	case isCompressed(head):
		return nil, fmt.Errorf("%s: %w: compressed twice", name, ErrUnknown)
	default:
		if err := b.single(text, head); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return b.finish(name)
}

// single reads a stream that is one text.
func (b *builder) single(text *bufio.Reader, head []byte) error {
	if plain := decoded(text, head); plain != nil {
		text = plain
		head, _ = text.Peek(headBytes)
	}
	what, holds, class := magicName(head)
	switch holds {
	case archived:
		return fmt.Errorf("%w: it looks like %s", ErrPacked, what)
	case coded:
		return fmt.Errorf("%w: %w", ErrUnknown, resembles{class, "it looks like " + what})
	}
	most, first := recognise(head)
	known := most != nil || isSectioned(head)
	if !known && b.in.err != nil {
		return fmt.Errorf("%w: %v", ErrCutOff, b.in.err)
	}
	if !known {
		if what != "" {
			return fmt.Errorf("%w: %w", ErrUnknown, resembles{class, "it looks like " + what})
		}
		return ErrUnknown
	}
	m := &member{r: text, limits: b.limits, packed: b.in.packedSince(0)}
	m.limits.Member = b.limits.Total // which the stream has as well
	b.members, b.last = 1, b.name
	b.buf.Reset(m)
	b.m.Capture.Format = b.text(b.name, first, b.buf, m).format()
	b.cut = m.err
	return nil
}

// finish ends reading and says whether anything came of it.
func (b *builder) finish(name string) (*fact.Machine, error) {
	fail := func(err error) (*fact.Machine, error) { return nil, fmt.Errorf("%s: %w", name, err) }
	cut := b.cut
	if cut == nil && b.in != nil {
		cut = b.in.err
	}
	if b.newer != "" {
		return fail(fmt.Errorf("%w: %s", ErrNewer, b.newer))
	}
	if b.facts == 0 {
		switch {
		case errors.Is(cut, ErrTooLarge):
			return fail(cut)
		case cut != nil:
			return fail(fmt.Errorf("%w: %v", ErrCutOff, cut))
		case b.members == 0 && len(b.skipped) > 0:
			why := slices.Sorted(maps.Keys(b.skipped))[0]
			err := resembles{what: "a member was not read: " + why}
			if why == "it is "+encrypted {
				err.error = ErrPassword
			}
			return fail(fmt.Errorf("%w: %w", ErrUnknown, err))
		case b.closed.n > 0:
			inner := b.closed.first[0]
			what := "it holds the archive " + inner
			if b.m.Capture.Format == "folder" {
				what += ": hwcap report " + fileArgument(filepath.ToSlash(filepath.Join(name, inner)))
			}
			return fail(fmt.Errorf("%w: %w", ErrUnknown, resembles{ErrInside, what}))
		case b.members == 0:
			return fail(ErrEmpty)
		}
		return fail(ErrUnknown)
	}
	if cut != nil {
		b.m.Capture.CutOff = true
		b.problem(b.last, "reading ended here: %v", cut)
	}
	b.describe()
	b.join()
	return b.m, nil
}

// magicNames names what people send by mistake.
var magicNames = []struct {
	magic, name string
	inside      inside
	class       error
}{
	{"\xff\xd8\xff", "a JPEG image", coded, ErrPicture},
	{"\x89PNG\r\n", "a PNG image", coded, ErrPicture},
	{"GIF8", "a GIF image", coded, ErrPicture},
	{"%PDF-", "a PDF", coded, ErrDocument},
	{"{\\rtf", "an RTF document", asIs, ErrDocument},
	{"\xd0\xcf\x11\xe0", "a document of an office program", coded, ErrDocument},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive", archived, nil},
	{"Rar!", "a RAR archive", archived, nil},
	{"age-encryption.org/", "a file encrypted with age", coded, ErrEncrypted},
	{"-----BEGIN AGE ENCRYPTED", "a file encrypted with age", coded, ErrEncrypted},
	{"-----BEGIN PGP MESSAGE", "a file encrypted with gpg", coded, ErrEncrypted},
	{"\x85\x01", "a file encrypted with gpg", coded, ErrEncrypted}, // RFC 4880, 4.2: session key, length of two bytes
	{"\x85\x02", "a file encrypted with gpg", coded, ErrEncrypted},
	{"\x8c\x0d", "a file encrypted with gpg", coded, ErrEncrypted}, // with a password
	{"Salted__", "a file encrypted with openssl", coded, ErrEncrypted},
	{"\x7fELF", "a program", coded, nil},
	{sqliteMagic, sqliteName, coded, nil},
	{"<!DOCTYPE html", "a web page", asIs, ErrDocument},
	{"<html", "a web page", asIs, ErrDocument},
}

// inside is what the bytes behind a magic are worth.
type inside uint8

const (
	asIs     inside = iota // text, in which lines may be known
	coded                  // a line in it that looks like one of a text is none
	archived               // the same, and what is inside may well be a capture
)

// rasdaemon's database is one; its text is read instead.
const (
	sqliteMagic = "SQLite format 3\x00"
	sqliteName  = "an SQLite database: if it is rasdaemon's, send the output of ras-mc-ctl --summary and --errors instead"
)

func magicName(head []byte) (name string, holds inside, class error) {
	for _, m := range magicNames {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return m.name, m.inside, m.class
		}
	}
	switch {
	case bytes.IndexByte(head, 0) >= 0:
		return "binary data", asIs, nil
	case bytes.Contains(bytes.ToLower(head), []byte("\ncontent-transfer-encoding: base64")):
		return "a mail with an attachment", asIs, ErrMail
	}
	return "", asIs, nil
}

// captureID is the name of a capture or file without its ending.
func captureID(name string) string {
	for _, ending := range []string{".age", ".gz", ".zst", ".xz", ".bz2", ".tgz", ".txz", ".tbz", ".tar", ".zip", ".txt", ".log"} {
		if cut := strings.TrimSuffix(name, ending); cut != "" {
			name = cut
		}
	}
	return name
}
