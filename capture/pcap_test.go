package capture

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"testing"
	"time"
)

func TestPcap(t *testing.T) {
	var got bytes.Buffer
	p := pcapWriter{w: &got, now: func() time.Time { return time.Unix(0x01020304, 5000) }}
	if err := p.header(); err != nil {
		t.Fatal(err)
	}
	if err := p.message(16, []byte("message")); err != nil {
		t.Fatal(err)
	}
	ne := binary.NativeEndian
	var want []byte
	want = ne.AppendUint32(want, 0xa1b2c3d4)
	want = ne.AppendUint16(want, 2)
	want = ne.AppendUint16(want, 4)
	want = append(want, make([]byte, 8)...)
	want = ne.AppendUint32(want, 262144)
	want = ne.AppendUint32(want, 253)
	want = ne.AppendUint32(want, 0x01020304)
	want = ne.AppendUint32(want, 5)
	want = ne.AppendUint32(want, 16+7)
	want = ne.AppendUint32(want, 16+7)
	want = append(want, 0, 0, 0x03, 0x38, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16)
	want = append(want, "message"...)
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("got\n%swant\n%s", hex.Dump(got.Bytes()), hex.Dump(want))
	}
}
