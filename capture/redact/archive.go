package redact

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Result is what Archive did.
type Result struct {
	Name         string        // of the capture's folder, as rewritten; "" where there is none
	KeyID        string        // tells keys apart, and nothing about them
	Replacements []Replacement // by member, in the order of the archive
	Dropped      []string      // entries that were not written, as rewritten: devices and pipes, names outside the folder
	Again        bool          // the capture was redacted before
	Kept         int           // members that have any contents
}

// Archive reads the tar stream of a capture twice and writes it to dst with
// its identities replaced. open opens the stream from its start; compression
// of either side is the caller's. A large member is spooled, after it was
// redacted, into a file in the folder temp, "" for that of the system.
//
// The manifest becomes the last member. It has the new sizes and sums, says of
// each source how many pseudonyms its members hold, and under "redaction" the
// id of the key. A stream without a manifest is redacted as well. One that
// breaks off is an error; nothing of dst is to be used then.
func Archive(dst io.Writer, open func() (io.ReadCloser, error), key Key, temp string) (*Result, error) {
	a := &archive{r: New(key), temp: temp, reports: map[string]bool{}}
	if err := a.pass(open, a.learn); err != nil {
		return nil, err
	}
	again := a.manifest.redacted()
	a.out = tar.NewWriter(dst)
	if err := a.pass(open, a.rewrite); err != nil {
		return nil, err
	}
	if err := a.putManifest(); err != nil {
		return nil, err
	}
	if err := a.out.Close(); err != nil {
		return nil, err
	}
	return &Result{
		Name: a.newTop, KeyID: key.id(), Replacements: a.r.Report(), Dropped: a.dropped,
		Again: again, Kept: a.kept,
	}, nil
}

// archive is one run of Archive.
type archive struct {
	r    *Redactor
	temp string
	out  *tar.Writer

	seen        bool   // the first member
	top, newTop string // the folder that the members are in
	manifest    *manifest
	header      tar.Header // of the manifest
	dropped     []string
	kept        int
	reports     map[string]bool // folders that hold a report
}

// pass reads the stream once.
func (a *archive) pass(open func() (io.ReadCloser, error), do func(*tar.Header, io.Reader) error) error {
	src, err := open()
	if err != nil {
		return err
	}
	defer src.Close()
	in := tar.NewReader(src)
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the archive: %w", err)
		}
		if err := do(h, in); err != nil {
			return err
		}
	}
}

// folders are what a capture, or a bundle of files of a machine, has at its
// top; a name that begins with another one begins with the folder of all.
var folders = set("proc", "sys", "cmd", "dev", "etc", "netlink", "attach", "samples", "var", "run", "usr", "boot")

// member returns the name of a member below the capture's folder.
func (a *archive) member(name string) string {
	name = strings.TrimPrefix(path.Clean(name), "/")
	first, rest, deep := strings.Cut(name, "/")
	if !a.seen && deep {
		a.seen = true
		if !folders[first] && first != ".." {
			a.top = first
		}
	}
	if deep && first == a.top {
		return rest
	}
	return name
}

// working matches the folders that hwcap works in and, where one was killed, left.
var working = regexp.MustCompile(`(^|/)[^/]*(hwcap|\.tar|\.tgz|\.tar\.gz|\.tar\.zst|\.age)\.part-[0-9]+/`)

// reportMark is in a folder that hwcap wrote a report into.
const reportMark = ".hwcap-report"

// isOwn reports whether a file of the folder that is captured is none of the
// machine's but hwcap's: in a folder that it works in, or of a report, which
// names in prose what its sources announce.
func (a *archive) isOwn(member string) bool {
	if working.MatchString(member) {
		return true
	}
	for dir := path.Dir(member); ; dir = path.Dir(dir) {
		if dir == "." || dir == "/" {
			return false
		}
		if a.reports[dir] {
			return true
		}
	}
}

// learn is the first pass.
func (a *archive) learn(h *tar.Header, in io.Reader) error {
	if h.Typeflag != tar.TypeReg {
		return nil
	}
	member := a.member(h.Name)
	if path.Base(member) == reportMark {
		a.reports[path.Dir(member)] = true
	}
	if a.isOwn(member) {
		return nil
	}
	if member != manifestName {
		return a.r.Learn(member, in)
	}
	raw, err := io.ReadAll(io.LimitReader(in, manifestMost+1))
	if err != nil {
		return fmt.Errorf("read %s: %w", manifestName, err)
	}
	if len(raw) > manifestMost {
		return fmt.Errorf("%s: more than %d bytes", manifestName, manifestMost)
	}
	if a.manifest, err = readManifest(raw); err != nil {
		return fmt.Errorf("%w; capture again, or redact its members one by one", err)
	}
	a.header = *h
	a.manifest.learn(a.r)
	return a.r.Learn(manifestName, bytes.NewReader(raw))
}

// topName returns the name of the capture's folder, hwcap-HOST-TIME, with the
// host replaced.
func (a *archive) topName() string {
	rest, ours := strings.CutPrefix(a.top, "hwcap-")
	cut := strings.LastIndexByte(rest, '-')
	if !ours || cut <= 0 {
		return a.r.Name(a.top)
	}
	return "hwcap-" + a.r.host(rest[:cut]) + rest[cut:]
}

// rewrite is the second pass.
func (a *archive) rewrite(h *tar.Header, in io.Reader) error {
	if a.newTop == "" && a.top != "" {
		a.newTop = a.topName()
	}
	member := a.member(h.Name)
	name := a.r.Name(member)
	if member == a.top {
		name = a.newTop
	} else if a.top != "" {
		name = a.newTop + "/" + name
	}
	switch {
	case !filepath.IsLocal(name):
		a.dropped = append(a.dropped, name)
		return nil
	case h.Typeflag == tar.TypeDir:
		return a.out.WriteHeader(newHeader(h, name+"/", 0))
	case h.Typeflag == tar.TypeSymlink || h.Typeflag == tar.TypeLink: // readers count them and follow none
		link := newHeader(h, name, 0)
		link.Linkname = a.r.Name(h.Linkname)
		return a.out.WriteHeader(link)
	case h.Typeflag != tar.TypeReg:
		a.dropped = append(a.dropped, name)
		return nil
	case member == manifestName || a.isOwn(member):
		return nil
	}
	return a.put(h, member, name, in)
}

// put redacts a member and writes it. Its size stands before it, so that all of
// it is redacted first.
func (a *archive) put(h *tar.Header, member, name string, in io.Reader) error {
	s := spool{folder: a.temp}
	defer s.close()
	before := len(a.r.report)
	if err := a.r.Rewrite(member, &s, in); err != nil {
		return err
	}
	if err := a.out.WriteHeader(newHeader(h, name, s.size)); err != nil {
		return err
	}
	if s.size > 0 {
		a.kept++
	}
	out := io.Writer(a.out)
	if t := a.manifest.tally(member); t != nil {
		if t.sum == nil {
			t.sum = sha256.New()
		}
		t.members++
		t.bytes += s.size
		for _, e := range a.r.report[before:] {
			t.pseudonyms += e.Count
		}
		out = io.MultiWriter(a.out, t.sum)
	}
	return s.copyTo(out)
}

// newHeader keeps of a member what a capture has: no owner, no more times.
func newHeader(h *tar.Header, name string, size int64) *tar.Header {
	return &tar.Header{
		Typeflag: h.Typeflag, Name: name, Size: size, Mode: h.Mode, ModTime: h.ModTime.UTC().Truncate(time.Second), Format: tar.FormatPAX,
	}
}

// putManifest writes the manifest behind all other members.
func (a *archive) putManifest() error {
	if a.manifest == nil {
		return nil
	}
	raw := a.manifest.rewrite(a.r)
	name := manifestName
	if a.newTop != "" {
		name = a.newTop + "/" + name
	}
	if err := a.out.WriteHeader(newHeader(&a.header, name, int64(len(raw)))); err != nil {
		return err
	}
	_, err := a.out.Write(raw)
	return err
}
