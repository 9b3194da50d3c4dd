// Package lspci reads what lspci printed, in any of its modes (-v to -vvv, -n,
// -nn, -k, -D, -P, -PP, -t, -mm, -vmm, hexadecimal dumps), several of them in one
// text, and in the wording of any pciutils from 2.2 to 3.15 (formats: lspci.c,
// ls-caps.c, ls-ecaps.c, ls-kernel.c, ls-tree.c of pciutils).
//
// People mail such texts, so more than lspci's own layout is understood, see
// [cleaner] and [prefix]: CRLF, tabs turned into spaces or lost, quotes, blanks of
// all kinds, HTML entities, quoted-printable, colours, numbers or times before
// each line, lines wrapped by a mailer or broken by a terminal, messages of pcilib
// in between, and other text around it. Layout is therefore only a hint. A line is
// known by its label within the open capability (tables [readers], [unneeded],
// [joined]), and a register is all lines up to the next label, searched by flag
// name.
//
// Adding a version's wording costs a row: a new label in readers or unneeded, a
// renamed flag in names.go, a new capability in capabilities. A line of a row
// that is not in the listing of the package's test fails it.
package lspci
