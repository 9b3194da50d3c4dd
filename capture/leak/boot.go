package leak

import "strings"

// containers stand before the 64 digits of a container.
var containers = []string{"docker/", "docker-", "libpod-", "containerd-", "crio-"}

// inContainer finds the identities of containers.
func inContainer(line string, found hit) {
	for _, before := range containers {
		for rest, ok := line, true; ; {
			if _, rest, ok = strings.Cut(rest, before); !ok {
				break
			}
			if n := hexRun(rest); n == 64 && !harmless(rest[:n]) {
				found(ByShape, "container", rest[:n])
			}
		}
	}
}
