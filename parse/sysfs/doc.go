// Package sysfs reads the tree part of a capture: copies of files below /sys
// and /proc, folder listings (.list), and the text of dmidecode.
//
// A [Tree] takes the files in whatever order an archive holds them and writes
// what each says into a [fact.Machine]; what needs several files (a device and
// its place in the tree, a group and its members) is joined by [Tree.Finish].
// Which file gives which fact is the table in table.go.
package sysfs
