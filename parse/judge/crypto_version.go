package judge

import (
	"cmp"
	"fmt"
	"strings"

	"hwcap/parse/fact"
)

// kernelVersion is a version of Linux. Patch is -1 where the text does not tell
// the level of the stable series.
type kernelVersion struct{ major, minor, patch int }

func (v kernelVersion) String() string {
	if v.patch < 0 {
		return fmt.Sprintf("%d.%d", v.major, v.minor)
	}
	return fmt.Sprintf("%d.%d.%d", v.major, v.minor, v.patch)
}

// before compares major and minor only: whether v is older than major.minor.
func (v kernelVersion) before(major, minor int) bool {
	return cmp.Or(cmp.Compare(v.major, major), cmp.Compare(v.minor, minor)) < 0
}

// versionOf reads the version of the running kernel. A release like
// "6.1.0-30-amd64" hides the stable level: Debian prints it in /proc/version
// ("Debian 6.1.124-1"); where nothing does, it is not known.
func versionOf(m *fact.Machine) (kernelVersion, fact.Line, bool) {
	release, at := m.Platform.Kernel.V, m.Platform.Kernel.At
	if !m.Platform.Kernel.Known() {
		release, at = m.Capture.Kernel, fact.Line{}
	}
	if text, ok := m.Platform.Version.Get(); ok {
		if _, debian, found := strings.Cut(text, " Debian "); found {
			if v, ok := parseVersion(debian); ok {
				return v, m.Platform.Version.At, true
			}
		}
	}
	v, ok := parseVersion(release)
	if _, suffix, _ := strings.Cut(release, "-"); v.patch == 0 && suffix != "" {
		v.patch = -1 // "6.8.0-45-generic": the distribution's own count
	}
	return v, at, ok
}

// parseVersion reads the numbers that s begins with.
func parseVersion(s string) (kernelVersion, bool) {
	v := kernelVersion{patch: -1}
	n, _ := fmt.Sscanf(s, "%d.%d.%d", &v.major, &v.minor, &v.patch)
	if n == 2 {
		v.patch = -1
	}
	return v, n >= 2
}
