// Package capture asks a Linux machine what it says about its hardware and
// writes the answers, as they are, into one archive.
//
//	result, err := capture.Collect(ctx, capture.Options{Tool: "hwcap 1.0"})
//
// What is asked stands in one table ([Sources]): commands, files, trees of
// files below /sys, and netlink dumps. Every source is run with its own time
// limit and size cap, beside the others, and ends in a state of its own; one
// that hangs, fails or is denied costs nothing but itself. The members of the
// archive and the states are described in FORMAT.md, next to this file.
//
// Nothing on the machine is changed: no file of the kernel is written, no
// module is loaded unless asked for, and files whose reading acts on a device
// are not in the table. Reads that ask a device all the same, and so can wake
// it, are marked in the table (field Asks).
package capture
