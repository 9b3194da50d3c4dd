package capture

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Requests, from include/uapi/linux: cryptouser.h, ethtool_netlink.h, devlink.h.
const (
	cryptoMsgGetAlg = 0x13

	ethtoolLinkInfoGet  = 2
	ethtoolLinkModesGet = 4
	ethtoolLinkStateGet = 6

	devlinkGet               = 1
	devlinkInfoGet           = 51
	devlinkHealthReporterGet = 52

	rtextFilterVF = 1      // rtnetlink.h: tell about virtual functions
	nlaTypeMask   = 0x3fff // netlink.h: without the flags for nesting and byte order
)

// collectNetlink asks the kernel over netlink and keeps every message of its
// answers byte for byte.
func (t *target) collectNetlink(ctx context.Context, s *Source, out *entry) outcome {
	switch s.Name {
	case "netlink-crypto":
		if why := t.cryptoFamily(ctx); why != "" {
			return outcome{state: NotAsked, why: why}
		}
		return dump(ctx, s, out, unix.NETLINK_CRYPTO, request{kind: cryptoMsgGetAlg})
	case "netlink-route":
		return dump(ctx, s, out, unix.NETLINK_ROUTE, request{kind: unix.RTM_GETLINK, body: linkRequest()})
	case "netlink-ethtool":
		return dumpGeneric(ctx, s, out, unix.ETHTOOL_GENL_NAME, anyInterface(), ethtoolLinkInfoGet, ethtoolLinkModesGet, ethtoolLinkStateGet)
	case "netlink-devlink":
		return dumpGeneric(ctx, s, out, "devlink", nil, devlinkGet, devlinkInfoGet, devlinkHealthReporterGet)
	}
	return outcome{state: Failed, why: "no request is known for " + s.Name}
}

// cryptoFamily returns why NETLINK_CRYPTO is not to be opened, or "". Opening a
// socket of a protocol that is not registered makes the kernel load the module
// for it (netlink_create in net/netlink/af_netlink.c), for every user.
func (t *target) cryptoFamily(ctx context.Context) string {
	if t.loadModules {
		return ""
	}
	if data, err := t.read(ctx, "proc/net/netlink", DefaultCap); err == nil && listsProtocol(data, unix.NETLINK_CRYPTO) {
		return ""
	}
	if _, err := t.exists(ctx, "sys/module/crypto_user"); err == nil {
		return ""
	}
	builtin := "lib/modules/" + kernelRelease() + "/modules.builtin"
	if data, err := t.read(ctx, builtin, DefaultCap); err == nil && bytes.Contains(data, []byte("/crypto_user.ko")) {
		return ""
	}
	return "opening NETLINK_CRYPTO would load the module crypto_user; --load-modules allows it"
}

// listsProtocol reports whether a /proc/net/netlink text lists a socket of the
// protocol; the kernel's own one is there as soon as the protocol is known.
func listsProtocol(text []byte, protocol int) bool {
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		if f := strings.Fields(lines.Text()); len(f) > 1 && f[1] == fmt.Sprint(protocol) {
			return true
		}
	}
	return false
}

// linkRequest is the body of RTM_GETLINK: a zeroed struct ifinfomsg and the
// attribute that asks for virtual functions as well.
func linkRequest() []byte {
	body := make([]byte, unix.SizeofIfInfomsg, unix.SizeofIfInfomsg+8)
	body = binary.NativeEndian.AppendUint16(body, 8)
	body = binary.NativeEndian.AppendUint16(body, unix.IFLA_EXT_MASK)
	return binary.NativeEndian.AppendUint32(body, rtextFilterVF)
}

// request is a dump to ask for: a message type and what follows its header.
type request struct {
	kind uint16
	body []byte
}

// genericRequest is a request to a family of generic netlink: a struct
// genlmsghdr of version 1 and attributes.
func genericRequest(family uint16, command uint8, attributes []byte) request {
	return request{kind: family, body: append([]byte{command, 1, 0, 0}, attributes...)}
}

// anyInterface is the header that every request to ethtool needs, empty: it
// names no interface, so the dump has all (ETHTOOL_A_LINKINFO_HEADER and its
// like in all commands are 1). Linux 6.1 answers EINVAL without it.
func anyInterface() []byte {
	attr := binary.NativeEndian.AppendUint16(nil, unix.SizeofNlAttr)
	return binary.NativeEndian.AppendUint16(attr, unix.ETHTOOL_A_LINKINFO_HEADER|unix.NLA_F_NESTED)
}

// dump writes the answers to requests of one protocol as pcap.
func dump(ctx context.Context, s *Source, out *entry, protocol int, requests ...request) outcome {
	c, err := openNetlink(ctx, protocol)
	if err != nil {
		return failure(err)
	}
	defer c.close()
	return c.record(s, out, nil, requests)
}

// dumpGeneric does so for a family of generic netlink. The family is looked up
// in the list of all families: asking for one by its name can load a module
// (genl_family_rcv_msg and ctrl_getfamily in net/netlink/genetlink.c). The
// message that gives its number comes first in the file. Every request has the
// same attributes.
func dumpGeneric(ctx context.Context, s *Source, out *entry, family string, attributes []byte, commands ...uint8) outcome {
	c, err := openNetlink(ctx, unix.NETLINK_GENERIC)
	if err != nil {
		return failure(err)
	}
	defer c.close()
	id, announcement, err := c.family(family)
	switch {
	case err != nil:
		return failure(err)
	case announcement == nil:
		return outcome{state: Absent, why: fmt.Sprintf("the kernel has no generic netlink family %q", family)}
	}
	var requests []request
	for _, command := range commands {
		requests = append(requests, genericRequest(id, command, attributes))
	}
	return c.record(s, out, announcement, requests)
}

// hasFamily reports whether the kernel has a generic netlink family.
func hasFamily(ctx context.Context, name string) bool {
	c, err := openNetlink(ctx, unix.NETLINK_GENERIC)
	if err != nil {
		return false
	}
	defer c.close()
	_, announcement, err := c.family(name)
	return err == nil && announcement != nil
}

// conn is a netlink socket.
type conn struct {
	ctx      context.Context
	fd       int
	protocol int
	seq      uint32
	buf      []byte
}

func openNetlink(ctx context.Context, protocol int) (*conn, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, protocol)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	c := &conn{ctx: ctx, fd: fd, protocol: protocol, buf: make([]byte, snapLength)}
	// A receive that waits no longer than this sees the end of ctx.
	wait := unix.NsecToTimeval(int64(200 * time.Millisecond))
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &wait); err != nil {
		c.close()
		return nil, os.NewSyscallError("setsockopt", err)
	}
	if err := unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		c.close()
		return nil, os.NewSyscallError("bind", err)
	}
	return c, nil
}

func (c *conn) close() { unix.Close(c.fd) }

// record asks for each dump in turn and writes all answers as one pcap file.
// A request that the kernel refuses is told in why; the others still count.
func (c *conn) record(s *Source, out *entry, announcement []byte, requests []request) outcome {
	pcap := pcapWriter{w: out, now: time.Now}
	out.begin(s.Path)
	if err := pcap.header(); err != nil {
		return failure(err)
	}
	if announcement != nil {
		if err := pcap.message(uint16(c.protocol), announcement); err != nil {
			return failure(err)
		}
	}
	answers := 0
	var notes []string
	var refused error
	for i, r := range requests {
		err := c.dump(r, func(kind, flags uint16, msg []byte) error {
			if kind != unix.NLMSG_DONE && kind != unix.NLMSG_ERROR {
				answers++
			}
			if flags&unix.NLM_F_DUMP_INTR != 0 {
				notes = append(notes, "the list changed while it was read")
			}
			return pcap.message(uint16(c.protocol), msg)
		})
		switch errno := unix.Errno(0); {
		case errors.As(err, &errno):
			refused = errors.Join(refused, err)
			notes = append(notes, fmt.Sprintf("dump %d of %d: %v", i+1, len(requests), err))
		case err != nil:
			return failure(err)
		}
	}
	why := strings.Join(notes, "; ")
	switch {
	case answers > 0:
		return outcome{state: Present, why: why}
	case refused != nil:
		return outcome{state: stateOf(refused), why: why}
	}
	return outcome{state: Empty, why: why}
}

// dump sends a request and hands every message of the answer to take, with its
// type and flags, the end (NLMSG_DONE or NLMSG_ERROR) included. It returns the
// error that the kernel answers.
func (c *conn) dump(r request, take func(kind, flags uint16, msg []byte) error) error {
	c.seq++
	msg := make([]byte, unix.NLMSG_HDRLEN, unix.NLMSG_HDRLEN+len(r.body))
	ne := binary.NativeEndian
	ne.PutUint32(msg[0:], uint32(unix.NLMSG_HDRLEN+len(r.body)))
	ne.PutUint16(msg[4:], r.kind)
	ne.PutUint16(msg[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	ne.PutUint32(msg[8:], c.seq)
	if err := unix.Sendto(c.fd, append(msg, r.body...), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return os.NewSyscallError("sendto", err)
	}
	for {
		n, _, flags, from, err := unix.Recvmsg(c.fd, c.buf, nil, 0)
		switch {
		case c.ctx.Err() != nil:
			return context.Cause(c.ctx)
		case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return os.NewSyscallError("recvmsg", err)
		case flags&unix.MSG_TRUNC != 0:
			return fmt.Errorf("a netlink message is longer than %d bytes", len(c.buf))
		}
		if sa, ok := from.(*unix.SockaddrNetlink); !ok || sa.Pid != 0 {
			continue // not from the kernel
		}
		if done, err := c.messages(c.buf[:n], take); done || err != nil {
			return err
		}
	}
}

// messages hands each message of a datagram to take and reports whether the
// dump has ended.
func (c *conn) messages(data []byte, take func(kind, flags uint16, msg []byte) error) (done bool, err error) {
	ne := binary.NativeEndian
	for len(data) >= unix.NLMSG_HDRLEN {
		size := int(ne.Uint32(data))
		if size < unix.NLMSG_HDRLEN || size > len(data) {
			return true, fmt.Errorf("a netlink message gives its length as %d of %d bytes", size, len(data))
		}
		msg := data[:size]
		data = data[min(len(data), (size+3)&^3):]
		if ne.Uint32(msg[8:]) != c.seq {
			continue // the rest of an answer that was given up
		}
		kind, flags := ne.Uint16(msg[4:]), ne.Uint16(msg[6:])
		if err := take(kind, flags, msg); err != nil {
			return true, err
		}
		if kind == unix.NLMSG_DONE || kind == unix.NLMSG_ERROR {
			return true, answered(msg)
		}
	}
	return false, nil
}

// answered returns the error that a NLMSG_DONE or NLMSG_ERROR message carries
// as a negative number after its header.
func answered(msg []byte) error {
	if len(msg) < unix.NLMSG_HDRLEN+4 {
		return nil
	}
	code := int32(binary.NativeEndian.Uint32(msg[unix.NLMSG_HDRLEN:]))
	if code >= 0 {
		return nil
	}
	return fmt.Errorf("the kernel answers: %w", unix.Errno(-code))
}

// family looks a name up in the list of generic netlink families. It returns
// the number of the family and the message that tells it, nil if there is none.
func (c *conn) family(name string) (id uint16, announcement []byte, err error) {
	err = c.dump(genericRequest(unix.GENL_ID_CTRL, unix.CTRL_CMD_GETFAMILY, nil), func(kind, _ uint16, msg []byte) error {
		if kind != unix.GENL_ID_CTRL || announcement != nil {
			return nil
		}
		var number uint16
		var called string
		for attr, value := range attributes(msg[min(len(msg), unix.NLMSG_HDRLEN+unix.GENL_HDRLEN):]) {
			switch {
			case attr == unix.CTRL_ATTR_FAMILY_ID && len(value) >= 2:
				number = binary.NativeEndian.Uint16(value)
			case attr == unix.CTRL_ATTR_FAMILY_NAME:
				called = unix.ByteSliceToString(value)
			}
		}
		if called == name {
			id, announcement = number, bytes.Clone(msg)
		}
		return nil
	})
	return id, announcement, err
}

// attributes yields the type and value of each struct nlattr in data.
func attributes(data []byte) func(yield func(uint16, []byte) bool) {
	ne := binary.NativeEndian
	return func(yield func(uint16, []byte) bool) {
		for len(data) >= unix.SizeofNlAttr {
			size := int(ne.Uint16(data))
			if size < unix.SizeofNlAttr || size > len(data) {
				return
			}
			if !yield(ne.Uint16(data[2:])&nlaTypeMask, data[unix.SizeofNlAttr:size]) {
				return
			}
			data = data[min(len(data), (size+3)&^3):]
		}
	}
}
