package samples

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "build the samples anew from their text archives")

// TestSamplesAreBuiltFromText holds each sample to its text archive. The tar
// bytes are compared, not the compressed ones, which may change with Go.
func TestSamplesAreBuiltFromText(t *testing.T) {
	texts, err := filepath.Glob("*.txtar")
	if err != nil || len(texts) == 0 {
		t.Fatalf("no text archives (%v)", err)
	}
	for _, text := range texts {
		name := strings.TrimSuffix(text, ".txtar")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(text)
			if err != nil {
				t.Fatal(err)
			}
			want, err := build(data)
			if err != nil {
				t.Fatal(err)
			}
			file := name + ".tar.gz"
			if *update {
				if err := os.WriteFile(file, compress(want), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			packed, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := unpack(packed)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s is not what %s says; run go test ./samples -update", file, text)
			}
		})
	}
}

// build makes the tar of a capture from its text archive.
func build(text []byte) ([]byte, error) {
	archive := txtar.Parse(text)
	members := map[string][]byte{}
	var order []string
	for _, f := range archive.Files {
		name, data := f.Name, f.Data
		var err error
		switch {
		case strings.HasSuffix(name, ".hex"):
			name = strings.TrimSuffix(name, ".hex")
			data, err = unhex(data)
		case name == "netlink/crypto.pcap.table":
			name = "netlink/crypto.pcap"
			data, err = cryptoPcap(data)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		if _, dup := members[name]; dup {
			return nil, fmt.Errorf("%s: twice", name)
		}
		members[name] = data
		if name != "manifest.json" {
			order = append(order, name)
		}
	}
	manifest, start, err := fillManifest(members["manifest.json"], order, members)
	if err != nil {
		return nil, err
	}
	members["manifest.json"] = manifest
	folder := strings.TrimSpace(strings.SplitN(string(archive.Comment), "\n", 2)[0])
	if folder == "" {
		return nil, errors.New("the first line must name the capture's folder")
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range append(order, "manifest.json") {
		h := &tar.Header{
			Typeflag: tar.TypeReg, Name: folder + "/" + name, Size: int64(len(members[name])),
			Mode: 0o600, ModTime: start, Format: tar.FormatPAX,
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(members[name]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// fillManifest adds sizes and checksums to the sources that are there; a line
// of a true capture has its own, which must hold.
func fillManifest(text []byte, order []string, members map[string][]byte) ([]byte, time.Time, error) {
	var head struct {
		Start   time.Time `json:"start"`
		Sources []struct {
			Path string `json:"path"`
		} `json:"sources"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, time.Time{}, fmt.Errorf("manifest.json: %w", err)
	}
	var paths []string
	for _, s := range head.Sources {
		paths = append(paths, s.Path)
	}
	var out bytes.Buffer
	for line := range strings.Lines(string(text)) {
		body := strings.TrimSuffix(strings.TrimSpace(line), ",")
		if !strings.HasPrefix(body, `{"name"`) {
			out.WriteString(line)
			continue
		}
		var s struct {
			Path   string `json:"path"`
			State  string `json:"state"`
			Bytes  *int   `json:"bytes"`
			SHA256 string `json:"sha256"`
		}
		if err := json.Unmarshal([]byte(body), &s); err != nil {
			return nil, time.Time{}, fmt.Errorf("manifest.json: %q: %w", body, err)
		}
		sum, size, found := sha256.New(), 0, false
		for _, name := range order {
			if owner(paths, name) == s.Path {
				sum.Write(members[name])
				size += len(members[name])
				found = true
			}
		}
		digest := fmt.Sprintf("%x", sum.Sum(nil))
		if s.Bytes != nil { // what came before a source ended badly is kept, so its state does not tell
			if *s.Bytes != size || found != (s.SHA256 != "") || found && s.SHA256 != digest {
				return nil, time.Time{}, fmt.Errorf("manifest.json: size or checksum of %s is not that of its members", s.Path)
			}
			out.WriteString(line)
			continue
		}
		there := slices.Contains([]string{"present", "empty", "truncated"}, s.State)
		if there != found {
			return nil, time.Time{}, fmt.Errorf("manifest.json: %s is %s, which its members do not bear out", s.Path, s.State)
		}
		if found {
			body = strings.TrimSuffix(body, "}") + fmt.Sprintf(`,"bytes":%d,"sha256":"%s"}`, size, digest)
		}
		indent := line[:strings.Index(line, "{")]
		out.WriteString(indent + body)
		if strings.HasSuffix(strings.TrimSpace(line), ",") {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	return out.Bytes(), head.Start, nil
}

// owner returns the path of the source that the member name belongs to: the
// longest of those that cover it.
func owner(paths []string, name string) string {
	best := ""
	for _, path := range paths {
		if len(path) > len(best) && covers(path, name) {
			best = path
		}
	}
	return best
}

// covers reports whether the member name is the one at path or stands below
// it; a path may end in "*" ("sys/kernel/debug/qat_*").
func covers(path, name string) bool {
	if prefix, ok := strings.CutSuffix(path, "*"); ok {
		return strings.HasPrefix(name, prefix)
	}
	return name == path || strings.HasPrefix(name, path+"/")
}

func unhex(data []byte) ([]byte, error) {
	return hex.DecodeString(strings.Join(strings.Fields(string(data)), ""))
}

func compress(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func unpack(data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
