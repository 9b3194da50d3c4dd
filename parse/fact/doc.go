// Package fact holds what a capture says, as types without opinion.
//
// A fact is what one source printed, with the place where it stands. Nothing
// here is guessed: a field that its source does not print stays empty, and one
// that was there but could not be read carries the [State] that says why. Only
// names may come from a list of hwcap's own, see [Device].PCIIDs. What a fact
// means is decided in package judge.
//
// Units throughout: link speeds in GT/s, widths in lanes, sizes in bytes, times
// in seconds since boot unless a field says otherwise. PCI addresses always
// carry their domain ("0000:c5:00.0"); ids are lower-case hexadecimal strings.
package fact
