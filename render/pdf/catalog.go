package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

// withCatalog adds entries to the document catalog of a finished PDF. gofpdf
// writes neither the document language nor viewer preferences (ISO 32000-1,
// 7.7.2); the catalog is the last object it writes, so that only the position
// of the cross-reference table moves.
func withCatalog(file []byte, entries string) ([]byte, error) {
	const (
		head = "/Type /Catalog\n"
		xref = "startxref\n"
	)
	at := bytes.LastIndex(file, []byte(head))
	ref := bytes.LastIndex(file, []byte(xref))
	if at < 0 || ref < at {
		return nil, errors.New("make pdf: no catalog found")
	}
	at += len(head)
	ref += len(xref)
	end := ref + bytes.IndexByte(file[ref:], '\n')
	if end < ref {
		return nil, errors.New("make pdf: no end of the cross-reference position")
	}
	pos, err := strconv.Atoi(string(file[ref:end]))
	if err != nil {
		return nil, fmt.Errorf("make pdf: position of the cross-reference table: %w", err)
	}
	out := make([]byte, 0, len(file)+len(entries)+2)
	out = append(out, file[:at]...)
	out = append(out, entries...)
	out = append(out, file[at:ref]...)
	out = strconv.AppendInt(out, int64(pos+len(entries)), 10)
	return append(out, file[end:]...), nil
}
