package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"hwcap/capture"
	"hwcap/capture/redact"
	"hwcap/samples"
)

// TestRedactedManifest holds the manifest of each redacted sample to the schema
// of captures.
func TestRedactedManifest(t *testing.T) {
	text, err := os.ReadFile("../../templates/schemas/capture.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	fits, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range samples.Names() {
		manifest := redactedManifest(t, name)
		if manifest == nil {
			continue // of a bundle of another tool
		}
		var m map[string]any
		if err := json.Unmarshal(manifest, &m); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := fits.Validate(m); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if m["redaction"] == nil {
			t.Errorf("%s: the manifest does not say that it is redacted", name)
		}
	}
}

// redactedManifest is that of a sample once it is redacted.
func redactedManifest(t *testing.T, name string) []byte {
	t.Helper()
	dir := t.TempDir()
	in, err := openInput(t.Context(), samplePrefix+name, nil, dir)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := redact.Archive(&out, in.open, redact.Key{1}, dir); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for r := tar.NewReader(&out); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		} else if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(h.Name, "/manifest.json") {
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
	}
}

// TestLargeHint names what takes most of a capture that mail refuses.
func TestLargeHint(t *testing.T) {
	m := &capture.Manifest{Sources: []capture.Record{
		{Name: "dmesg", Path: "cmd/dmesg.txt", Bytes: 30_000_000},
		{Name: "proc-crypto", Path: "proc/crypto", Bytes: 5_000},
		{Name: "attach-video", Path: "attach/video", Kind: capture.Attach, Bytes: 40_000_000},
	}}
	r := &capture.Result{File: "x.tar.gz", Bytes: mailLimit + 1, Manifest: *m}
	var said strings.Builder
	hintLargeManifest(&said, &r.Manifest)
	for _, want := range []string{"over 10 MB", "40.0 MB (--attach video), 30.0 MB (--skip "} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("%q is not in %q", want, said.String())
		}
	}
}
