// Package samples holds captures to try hwcap with and to test it on. Each is
// NAME.tar.gz, built from NAME.txtar; README.md says how each came to be.
package samples

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"path"
	"strings"
)

//go:embed README.md *.tar.gz
var files embed.FS

// Names lists the samples, sorted.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil // an embedded folder can always be read
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".tar.gz"); ok {
			names = append(names, name)
		}
	}
	return names
}

// Open returns the capture of that name as a tar.gz stream.
func Open(name string) (io.ReadCloser, error) {
	data, err := files.ReadFile(path.Clean(name) + ".tar.gz")
	if err != nil {
		return nil, fmt.Errorf("no sample is called %q (there are: %s)", name, strings.Join(Names(), ", "))
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}
