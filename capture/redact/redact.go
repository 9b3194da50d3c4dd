package redact

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// Key is the secret under which pseudonyms are made. With the same key two
// captures have the same pseudonyms.
type Key [32]byte

// ID tells keys apart, and tells nothing about them. A redacted capture has it
// in its manifest.
func (k Key) ID() string { return k.id() }

// Class is a kind of identity.
type Class string

// The classes of identities.
const (
	MAC         Class = "mac"
	PCIeSerial  Class = "pcie-serial"
	VPD         Class = "vpd"
	DIMMSerial  Class = "dimm-serial"
	DriveSerial Class = "drive-serial"
	USBSerial   Class = "usb-serial"
	DMISerial   Class = "dmi-serial"
	Serial      Class = "serial" // of something else
	AssetTag    Class = "asset-tag"
	NQN         Class = "nqn"
	WWN         Class = "wwn"
	UUID        Class = "uuid"
	MachineID   Class = "machine-id"
	PPIN        Class = "ppin"
	Host        Class = "host"
	Domain      Class = "domain"
	IPv4        Class = "ipv4"
	IPv6        Class = "ipv6"
	User        Class = "user"
	Path        Class = "path" // a home folder, by the name of its user
	SSID        Class = "ssid"
	LUKS        Class = "luks" // names of mappings, logical volumes and file systems
	VG          Class = "vg"
	Pool        Class = "pool"
	Secret      Class = "secret"       // keys and passwords
	ProductKey  Class = "product-key"  // in ACPI tables
	DroppedLine Class = "dropped-line" // of a firewall or the audit log
	// DroppedMember is a member that was left empty: an archive inside.
	DroppedMember Class = "dropped-member"
)

// Redactor replaces identities in the members of one capture. It is not safe
// for use by several goroutines.
type Redactor struct {
	key      Key
	known    known
	learning bool

	whole         announced // takes the value of the member, where it holds nothing else
	file          string    // the member that is rewritten, by its new name
	report        []Replacement
	firstOfMember int // of report

	// A capture has thousands of members of few octets.
	room []byte
	out  *bufio.Writer
}

// New returns a Redactor that knows nothing yet.
func New(key Key) *Redactor {
	return &Redactor{key: key, known: newKnown(), room: make([]byte, 0, roomForLines), out: bufio.NewWriterSize(nil, roomForLines)}
}

// Learn reads a member for what it tells of other members. The name of the
// member, below the capture's folder, chooses the grammar.
func (r *Redactor) Learn(member string, src io.Reader) error {
	r.learning = true
	r.known.ready = false
	defer func() { r.learning = false }()
	return r.member(member, io.Discard, src)
}

// Rewrite copies a member with its identities replaced. Text keeps its number
// of lines, and binary members their length. An archive inside becomes empty.
func (r *Redactor) Rewrite(member string, dst io.Writer, src io.Reader) error {
	r.file = r.Name(member)
	r.firstOfMember = len(r.report)
	return r.member(member, dst, src)
}

func (r *Redactor) member(member string, dst io.Writer, src io.Reader) error {
	s := stanceOf(member)
	r.whole = wholeValue(member)
	in := bufio.NewReaderSize(src, sniffed)
	head, err := in.Peek(sniffed)
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return fmt.Errorf("read %s: %w", member, err)
	}
	err = r.as(s.form, head, dst, in, s.rules)
	if err != nil {
		return fmt.Errorf("%s: %w", member, err)
	}
	return nil
}

// sniffed is how much of a member is looked at to tell text from other things.
const sniffed = 4 << 10

func (r *Redactor) as(f form, head []byte, dst io.Writer, in io.Reader, rules rules) error {
	switch f {
	case asConfig:
		return r.config(dst, in)
	case asPcap:
		return r.pcap(dst, in)
	case asACPI:
		return r.acpi(dst, in)
	case asGzip:
		return r.gzip(dst, in)
	case asBytes:
		return r.bytes(dst, in)
	case asSniffed:
		switch {
		case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
			return r.gzip(dst, in)
		case isPacked(head):
			return r.drop()
		case !isText(head):
			return r.bytes(dst, in)
		}
	}
	if r.learning {
		return r.learnText(in, rules)
	}
	return r.rewriteText(dst, in, rules)
}

// Name returns the name of a member, or of the capture's folder, with its
// identities replaced: interfaces called after their MAC address, a host, a
// user.
func (r *Redactor) Name(member string) string {
	t := &text{r: r, line: []byte(member)}
	t.scan()
	return t.rewritten()
}
