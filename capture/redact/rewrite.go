package redact

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

// rewriteText copies a text with its identities replaced.
func (r *Redactor) rewriteText(dst io.Writer, src io.Reader, rules rules) error {
	out := r.out
	out.Reset(dst)
	defer out.Reset(nil)
	t := &text{r: r, rules: rules, whole: r.whole}
	block := hexBlock{r: r}
	number, within := 1, false
	err := each(r.room, src, func(line, end []byte) error {
		switch {
		case rules.has(rows) && end != nil && !within && block.take(line, end, number):
		default:
			if err := block.flush(out); err != nil {
				return err
			}
			t.line = line
			t.scan()
			if err := t.write(out, number); err != nil {
				return err
			}
			if _, err := out.Write(end); err != nil {
				return err
			}
		}
		within = end == nil
		if !within {
			number++
		}
		return nil
	})
	if err == nil {
		err = block.flush(out)
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// write writes the line with its spans replaced.
func (t *text) write(out *bufio.Writer, number int) error {
	at := 0
	for _, s := range t.spans {
		if s.with == nil {
			continue
		}
		if bytes.Equal(t.line[s.from:s.to], s.with) {
			continue
		}
		out.Write(t.line[at:s.from])
		out.Write(s.with)
		at = s.to
		t.r.note(place{line: number}, s.class)
	}
	_, err := out.Write(t.line[at:])
	return err
}

// learnText reads a text for what it announces.
func (r *Redactor) learnText(src io.Reader, rules rules) error {
	t := &text{r: r, rules: rules, whole: r.whole}
	return each(r.room, src, func(line, _ []byte) error {
		t.line = line
		t.scan()
		return nil
	})
}

// rewritten returns the line with its spans replaced.
func (t *text) rewritten() string {
	var b strings.Builder
	at := 0
	for _, s := range t.spans {
		if s.with != nil {
			b.Write(t.line[at:s.from])
			b.Write(s.with)
			at = s.to
		}
	}
	b.Write(t.line[at:])
	return b.String()
}
