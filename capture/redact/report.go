package redact

// Replacement says what was replaced in one place, never the value.
type Replacement struct {
	File   string // name of the member as rewritten
	Line   int    // of text, from 1; 0 where there are no lines
	Last   int    // the last line, where neighbouring lines have the same
	Frame  int    // of a pcap, from 1
	Offset int64  // of another binary member, in bytes
	Class  Class
	Count  int
}

// place is where in a member a replacement is.
type place struct {
	line, frame int
	offset      int64
}

// note counts one replacement. Replacements of a class on neighbouring lines
// are one entry, since a log may have one on each of its lines.
func (r *Redactor) note(at place, class Class) {
	for i := len(r.report) - 1; i >= max(r.firstOfMember, len(r.report)-8); i-- {
		e := &r.report[i]
		if e.Class != class || e.Frame != at.frame {
			continue
		}
		if at.line != 0 && at.line-e.Last > 1 || at.line == 0 && at.frame == 0 && at.offset != e.Offset {
			continue
		}
		e.Last = at.line
		e.Count++
		return
	}
	r.report = append(r.report, Replacement{
		File: r.file, Line: at.line, Last: at.line, Frame: at.frame, Offset: at.offset, Class: class, Count: 1,
	})
}

// Report returns what Rewrite replaced, in the order of the calls.
func (r *Redactor) Report() []Replacement { return r.report }
