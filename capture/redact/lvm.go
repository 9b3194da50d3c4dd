package redact

import "bytes"

// lvmColumns finds groups and volumes in what pvs, vgs and lvs print: a heading
// with Attr in it, then rows that begin with two blanks, text beginning where
// its heading does.
func (t *text) lvmColumns() {
	s := t.line
	if len(s) < 4 || s[0] != ' ' || s[1] != ' ' || s[2] == '-' { // the heading of vgdisplay begins with hyphens
		t.groupAt, t.volumeAt = 0, 0
		return
	}
	if kind := string(s[2:4]); (kind == "LV" || kind == "VG" || kind == "PV") && bytes.Contains(s, []byte(" Attr")) {
		t.groupAt, t.volumeAt = bytes.Index(s, []byte(" VG "))+1, 0
		if kind == "LV" {
			t.volumeAt = 2
		}
		return
	}
	t.cell(t.volumeAt, "name", LUKS)
	t.cell(t.groupAt, "vg", VG)
}

// cell takes the name that begins at a column, 0 for none.
func (t *text) cell(at int, kind string, class Class) {
	if at == 0 || at >= len(t.line) || t.line[at-1] != ' ' {
		return
	}
	to := at
	for to < len(t.line) && to-at < maxValue && isVolume(t.line[to:to+1]) {
		to++
	}
	if to < len(t.line) && t.line[to] == ' ' {
		t.foundName(at, to, kind, class)
	}
}

// poolLine reads "  pool: NAME" of zpool status.
func poolLine(t *text, from, to int) {
	if len(bytes.TrimLeft(t.line[:from], " \t")) == 0 {
		label("", ":", labels, pool)(t, from, to)
	}
}

// volumeField reads the name of a file system or partition in the JSON of lsblk
// and of lshw.
func volumeField(t *text, from, to int) {
	if from > 0 && t.line[from-1] == '"' {
		between(`":"`, `"`, labels, asVolumeName)(t, from, to)
		between(`": "`, `"`, labels, asVolumeName)(t, from, to)
	}
}

// asVolumeName takes the name of a partition or file system. It is not sought
// elsewhere: many are words.
func asVolumeName(t *text, from, to int) {
	t.onlyHere(from, to, "name", LUKS)
}

func init() {
	on("POOL", poolLine)
	on("LABEL", volumeField)
	on("PARTLABEL", volumeField)
	on("NAME", label("ID PART ENTRY", "=", labels|logs, asVolumeName))
}
