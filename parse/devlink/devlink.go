// Package devlink reads dumps of devlink: versions of a card's parts and the
// health of its firmware. Serial numbers are passed over.
//
// Sources: include/uapi/linux/devlink.h, net/devlink/{dev,health}.c.
package devlink

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/netlink"
)

const (
	family = "devlink" // DEVLINK_GENL_NAME

	maxDevices = 256
	maxParts   = 256 // versions, and reporters, of one device
	maxText    = 128
)

// Commands with which the kernel answers the dumps of GET, INFO_GET and
// HEALTH_REPORTER_GET.
const (
	commandNew      = 3  // DEVLINK_CMD_NEW
	commandInfo     = 51 // DEVLINK_CMD_INFO_GET
	commandReporter = 52 // DEVLINK_CMD_HEALTH_REPORTER_GET
)

// Attributes, DEVLINK_ATTR_*.
const (
	attrBus          = 1
	attrDevice       = 2
	attrPort         = 3
	attrDriver       = 98
	attrFixed        = 100
	attrRunning      = 101
	attrStored       = 102
	attrVersionName  = 103
	attrVersionValue = 104
	attrReporter     = 114
	attrName         = 115
	attrState        = 116
	attrErrors       = 117
	attrRecoveries   = 118
	attrReloadFailed = 136
)

// versionKinds are the attributes that hold a version.
var versionKinds = map[uint16]string{attrFixed: "fixed", attrRunning: "running", attrStored: "stored"}

// reporterStates are DEVLINK_HEALTH_REPORTER_STATE_*.
var reporterStates = []string{"healthy", "error"}

type dump struct {
	file   string
	all    []fact.Devlink
	place  map[string]int // in all, by handle
	number uint16         // of the family
	full   bool
}

// Parse reads dumps of the family "devlink" as pcap (see [netlink.Walk]) and
// returns the devices in the order of their handles. On a cut-off file the
// devices before the cut are returned with the error.
func Parse(r io.Reader, file string) ([]fact.Devlink, []fact.Problem, error) {
	d := dump{file: file, place: map[string]int{}}
	problems, err := netlink.Walk(r, file, d.message)
	slices.SortFunc(d.all, func(x, y fact.Devlink) int { return strings.Compare(x.Handle, y.Handle) })
	return d.all, problems, err
}

func (d *dump) message(m *netlink.Message) error {
	if name, number, ok := m.Family(); ok && name == family {
		d.number = number
		return nil
	}
	if m.Protocol != netlink.Generic || d.number == 0 || m.Type != d.number || m.IsRequest() {
		return nil
	}
	command, attributes, ok := m.Generic()
	if !ok {
		return errors.New("a message is too short for a command")
	}
	if command != commandNew && command != commandInfo && command != commandReporter {
		return nil // nothing that was asked for
	}
	s := read(attributes)
	if s.bus == "" || s.device == "" {
		return errors.New("a device without a name")
	}
	at := fact.Line{File: d.file, Frame: m.Frame, Text: s.describe()}
	dev, err := d.of(s, at)
	if dev == nil {
		return err
	}
	return s.addTo(dev, at)
}

// of returns the device that a message speaks of; nil if there are too many, with
// an error the first time.
func (d *dump) of(s *said, at fact.Line) (*fact.Devlink, error) {
	i, known := d.place[s.handle()]
	switch {
	case known:
		return &d.all[i], nil
	case len(d.all) < maxDevices:
		dev := fact.Devlink{Handle: s.handle(), At: at}
		if s.bus == "pci" {
			dev.Device = s.device
		}
		d.place[dev.Handle] = len(d.all)
		d.all = append(d.all, dev)
		return &d.all[len(d.all)-1], nil
	case d.full:
		return nil, nil
	}
	d.full = true
	return nil, fmt.Errorf("more than %d devices", maxDevices)
}

// said is what one message says.
type said struct {
	bus, device, driver string
	port                *int
	failed              *bool
	versions            []fact.DevlinkVersion
	reporter            *fact.HealthReporter
}

func (s *said) handle() string { return s.bus + "/" + s.device }

func read(a *netlink.Attributes) *said {
	s := &said{}
	for a.Next() {
		switch a.Type {
		case attrBus:
			s.bus, _ = a.Text(maxText)
		case attrDevice:
			s.device, _ = a.Text(maxText)
		case attrPort:
			if n, ok := a.Uint32(); ok {
				port := int(n)
				s.port = &port
			}
		case attrDriver:
			s.driver, _ = a.Text(maxText)
		case attrFixed, attrRunning, attrStored:
			if v := version(a.Nested()); v.Name != "" && len(s.versions) < maxParts {
				v.Kind = versionKinds[a.Type]
				s.versions = append(s.versions, v)
			}
		case attrReporter:
			s.reporter = reporter(a.Nested())
		case attrReloadFailed:
			if n, ok := a.Uint8(); ok {
				failed := n != 0
				s.failed = &failed
			}
		}
	}
	return s
}

func version(a *netlink.Attributes) (v fact.DevlinkVersion) {
	for a.Next() {
		switch a.Type {
		case attrVersionName:
			v.Name, _ = a.Text(maxText)
		case attrVersionValue:
			v.Value, _ = a.Text(maxText)
		}
	}
	return v
}

func reporter(a *netlink.Attributes) *fact.HealthReporter {
	r := &fact.HealthReporter{}
	for a.Next() {
		switch a.Type {
		case attrName:
			r.Name, _ = a.Text(maxText)
		case attrState:
			if n, ok := a.Uint8(); ok && int(n) < len(reporterStates) {
				r.State = reporterStates[n]
			}
		case attrErrors:
			r.Errors = count(a)
		case attrRecoveries:
			r.Recoveries = count(a)
		}
	}
	return r
}

func count(a *netlink.Attributes) int64 {
	n, _ := a.Uint64()
	return int64(min(n, math.MaxInt64))
}

// addTo adds what was said to the device.
func (s *said) addTo(dev *fact.Devlink, at fact.Line) error {
	if s.driver != "" {
		dev.Driver = fact.Of(s.driver, at)
	}
	if s.failed != nil {
		dev.Failed = fact.Of(*s.failed, at)
	}
	if len(s.versions) > 0 { // all of them stand in one message
		for i := range s.versions {
			s.versions[i].At = at
		}
		dev.Versions = s.versions
	}
	r := s.reporter
	switch {
	case r == nil:
		return nil
	case r.Name == "" || r.State == "":
		return errors.New("a health reporter without a name or state")
	case len(dev.Reporters) == maxParts:
		return fmt.Errorf("more than %d health reporters", maxParts)
	}
	r.Port, r.At = s.port, at
	dev.Reporters = append(dev.Reporters, *r)
	return nil
}

// describe is the text of the evidence: what the binary record says.
func (s *said) describe() string {
	var b strings.Builder
	b.WriteString(s.handle())
	if s.port != nil {
		fmt.Fprintf(&b, "/%d", *s.port)
	}
	if s.driver != "" {
		b.WriteString(" driver=" + s.driver)
	}
	if s.failed != nil {
		fmt.Fprintf(&b, " reload_failed=%v", *s.failed)
	}
	for _, v := range s.versions {
		fmt.Fprintf(&b, " %s:%s=%s", v.Kind, v.Name, v.Value)
	}
	if r := s.reporter; r != nil {
		fmt.Fprintf(&b, " reporter=%s state=%s error=%d recover=%d", r.Name, r.State, r.Errors, r.Recoveries)
	}
	return b.String()
}
