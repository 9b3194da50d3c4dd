package capture

import (
	"context"
	"fmt"
	"path"
	"strings"
)

// sleeps reports whether a device sleeps: it is in D1 to D3, or runtime power
// management says that it is suspended. These files come from the kernel's
// memory. A device without them is not managed, and awake.
func (t *target) sleeps(ctx context.Context, dir string) bool {
	state := t.line(ctx, path.Join(dir, "power_state"))
	return strings.HasPrefix(state, "D") && state != "D0" || t.line(ctx, path.Join(dir, "power/runtime_status")) == "suspended"
}

// asleep returns the addresses of the PCI functions that sleep, of a class
// that begins as given.
func (t *target) asleep(ctx context.Context, class string) []string {
	functions, _ := t.names(ctx, linkFolder, "*") // without the folder there are none
	var found []string
	for _, f := range functions {
		dir := path.Join(linkFolder, f)
		if t.sleeps(ctx, dir) && strings.HasPrefix(t.line(ctx, path.Join(dir, "class")), class) {
			found = append(found, f)
		}
	}
	return found
}

// slots returns what lspci's option -s takes to show all PCI functions but
// those that are left out: buses of which none is, and functions of the others.
func slots(functions []string, leave []string) []string {
	left := map[string]bool{}
	bus := func(function string) string { return function[:strings.LastIndexByte(function, ':')+1] }
	for _, f := range leave {
		left[f], left[bus(f)] = true, true
	}
	var found []string
	for _, f := range functions {
		switch b := bus(f); {
		case left[f]:
		case left[b]:
			found = append(found, f)
		case len(found) == 0 || found[len(found)-1] != b:
			found = append(found, b)
		}
	}
	return found
}

// leftAsleep says which devices were not touched.
func leftAsleep(devices []string) string {
	const most = 100
	words := strings.Join(devices[:min(len(devices), most)], ", ")
	if len(devices) > most {
		words += fmt.Sprintf(" and %d more", len(devices)-most)
	}
	return "left asleep by --no-wake: " + words
}
