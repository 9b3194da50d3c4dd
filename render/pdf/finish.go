package pdf

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// finish turns the file that gofpdf wrote into the one to keep (ISO 32000-1,
// 7.5): it compresses the pages, adds entries to the document catalog, and
// writes the cross-reference table anew. gofpdf cannot add to the catalog; it
// could compress, but makes a new compressor of a megabyte for every page.
func finish(file []byte, entries string) ([]byte, error) {
	objects, trailer, err := dissect(file)
	if err != nil {
		return nil, fmt.Errorf("make pdf: %w", err)
	}
	zip, err := zlib.NewWriterLevel(nil, zlib.BestSpeed)
	if err != nil {
		return nil, err
	}
	const catalog = "/Type /Catalog\n"
	var out, packed bytes.Buffer
	out.Grow(len(file) / 2)
	places := make([]int, len(objects))
	added := false
	for _, o := range objects {
		places[o.number] = out.Len()
		switch data, rest, ok := o.plainStream(); {
		case ok:
			packed.Reset()
			zip.Reset(&packed)
			zip.Write(data) // a Buffer takes everything
			zip.Close()
			fmt.Fprintf(&out, "%d 0 obj\n<</Filter /FlateDecode /Length %d>>\nstream\n", o.number, packed.Len())
			out.Write(packed.Bytes())
			out.Write(rest)
		case !added && bytes.Contains(o.text, []byte(catalog)):
			out.Write(bytes.Replace(o.text, []byte(catalog), []byte(catalog+entries), 1))
			added = true
		default:
			out.Write(o.text)
		}
	}
	if !added {
		return nil, errors.New("make pdf: no catalog")
	}
	at := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(objects))
	for _, place := range places[1:] {
		fmt.Fprintf(&out, "%010d 00000 n \n", place)
	}
	out.Write(trailer)
	fmt.Fprintf(&out, "startxref\n%d\n%%%%EOF\n", at)
	return out.Bytes(), nil
}

// object is a piece of a PDF file, up to the next one. Number 0 is the header,
// since no object has it.
type object struct {
	number, place int
	text          []byte
}

// plainStream returns the data of a stream that no filter was applied to, and
// what follows it.
func (o object) plainStream() (data, rest []byte, ok bool) {
	head := fmt.Appendf(nil, "%d 0 obj\n<</Length ", o.number)
	after, ok := bytes.CutPrefix(o.text, head)
	if !ok {
		return nil, nil, false
	}
	digits, after, ok := bytes.Cut(after, []byte(">>\nstream\n"))
	n, err := strconv.Atoi(string(digits))
	if !ok || err != nil || n < 0 || n > len(after) {
		return nil, nil, false
	}
	return after[:n], after[n:], true
}

// dissect cuts a file into its objects, in the order of the file, and the
// trailer that follows the cross-reference table. The table is one section in
// rows of 20 bytes.
func dissect(file []byte) (objects []object, trailer []byte, err error) {
	const row = 20
	end := bytes.LastIndex(file, []byte("startxref\n"))
	if end < 0 {
		return nil, nil, errors.New("no cross-reference table")
	}
	var at, rows int
	if _, err := fmt.Sscanf(string(file[end:]), "startxref\n%d\n", &at); err != nil || at < 0 || at > end {
		return nil, nil, errors.New("no place of the cross-reference table")
	}
	head, table, _ := bytes.Cut(file[at:end], []byte(" 65535 f \n"))
	if _, err := fmt.Sscanf(string(head), "xref\n0 %d\n0000000000", &rows); err != nil || rows < 1 || len(table) < (rows-1)*row {
		return nil, nil, errors.New("no cross-reference table where it should be")
	}
	objects = []object{{}}
	for n := 1; n < rows; n++ {
		place, err := strconv.Atoi(string(table[(n-1)*row:][:10]))
		if err != nil || place < 0 || place > at {
			return nil, nil, fmt.Errorf("no place of object %d", n)
		}
		objects = append(objects, object{number: n, place: place})
	}
	slices.SortFunc(objects, func(a, b object) int { return cmp.Compare(a.place, b.place) })
	for i := range objects {
		next := at
		if i+1 < len(objects) {
			next = objects[i+1].place
		}
		objects[i].text = file[objects[i].place:next]
	}
	return objects, table[(rows-1)*row:], nil
}
