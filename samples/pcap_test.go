package samples

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// cryptoPcap makes a NETLINK_CRYPTO dump, as the kernel sends it on a
// little-endian machine, from a table: one algorithm a line, fields between
// bars, "name | driver | module | type | priority | refcnt | flags | numbers".
// The numbers are those of the type's report structure, in its order
// (include/uapi/linux/cryptouser.h).
func cryptoPcap(table []byte) ([]byte, error) {
	var out bytes.Buffer
	le := binary.LittleEndian
	write := func(v any) { binary.Write(&out, le, v) }
	write(uint32(0xa1b2c3d4)) // pcap, microseconds
	write([]uint16{2, 4})
	write([]uint32{0, 0, 1 << 18, 253}) // LINKTYPE_NETLINK
	frame := func(msg []byte) {
		n := uint32(16 + len(msg))
		write([]uint32{0, 0, n, n})
		cooked := make([]byte, 16) // struct nlmon header: packet type, ARPHRD_NETLINK, family
		binary.BigEndian.PutUint16(cooked[2:], 824)
		binary.BigEndian.PutUint16(cooked[14:], 21) // NETLINK_CRYPTO
		out.Write(cooked)
		out.Write(msg)
	}
	for line := range strings.Lines(string(table)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		msg, err := cryptoMessage(line)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		frame(msg)
	}
	done := make([]byte, 20)
	le.PutUint32(done, 20)
	le.PutUint16(done[4:], 3) // NLMSG_DONE
	le.PutUint16(done[6:], 2) // NLM_F_MULTI
	frame(done)
	return out.Bytes(), nil
}

// reports gives, by type, the attribute number and the size of the report
// structure; hash, cipher and the like begin their numbers behind the names.
var reports = map[string]struct {
	attr, size, numbers int
}{
	"larval": {2, 64, 64}, "ahash": {3, 72, 64}, "shash": {3, 72, 64}, "skcipher": {4, 144, 128}, "lskcipher": {4, 144, 128},
	"aead": {5, 140, 128}, "scomp": {6, 64, 64}, "rng": {7, 68, 64}, "cipher": {8, 76, 64}, "akcipher": {9, 64, 64},
	"kpp": {10, 64, 64}, "acomp": {11, 64, 64}, "sig": {22, 64, 64},
}

func cryptoMessage(line string) ([]byte, error) {
	f := strings.Split(line, "|")
	if len(f) < 7 {
		return nil, fmt.Errorf("want at least 7 fields, got %d", len(f))
	}
	for i := range f {
		f[i] = strings.TrimSpace(f[i])
	}
	report, ok := reports[f[3]]
	if !ok {
		return nil, fmt.Errorf("unknown type %q", f[3])
	}
	var nums [3]int64
	for i := range nums {
		n, err := strconv.ParseInt(f[4+i], 0, 64)
		if err != nil {
			return nil, err
		}
		nums[i] = n
	}
	le := binary.LittleEndian
	alg := make([]byte, 208) // struct crypto_user_alg
	copy(alg[0:63], f[0])
	copy(alg[64:127], f[1])
	copy(alg[128:191], f[2])
	le.PutUint32(alg[200:], uint32(nums[1]))
	le.PutUint32(alg[204:], uint32(nums[2]))
	body := make([]byte, report.size)
	copy(body[:63], f[3])
	if len(f) > 7 {
		for i, s := range strings.Fields(f[7]) {
			n, err := strconv.Atoi(s)
			if err != nil {
				return nil, err
			}
			le.PutUint32(body[report.numbers+4*i:], uint32(n))
		}
	}
	msg := make([]byte, 16, 512)
	msg = append(msg, alg...)
	msg = attribute(msg, 1, le.AppendUint32(nil, uint32(nums[0]))) // CRYPTOCFGA_PRIORITY_VAL
	msg = attribute(msg, uint16(report.attr), body)
	le.PutUint32(msg, uint32(len(msg)))
	le.PutUint16(msg[4:], 0x13) // CRYPTO_MSG_GETALG: what the kernel answers with
	le.PutUint16(msg[6:], 2)    // NLM_F_MULTI
	return msg, nil
}

// attribute appends a netlink attribute, padded to four bytes.
func attribute(msg []byte, kind uint16, body []byte) []byte {
	msg = binary.LittleEndian.AppendUint16(msg, uint16(4+len(body)))
	msg = binary.LittleEndian.AppendUint16(msg, kind)
	msg = append(msg, body...)
	for len(msg)%4 != 0 {
		msg = append(msg, 0)
	}
	return msg
}
