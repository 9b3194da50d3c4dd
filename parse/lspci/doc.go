// Package lspci reads what lspci printed, from -v to -vvv, with or without -n,
// -nn, -k, -D and hexadecimal dumps, in the wording of any pciutils from 2.2 to
// 3.15 (formats: lspci.c, ls-caps.c, ls-ecaps.c, ls-kernel.c of pciutils).
//
// People mail such texts, so more than lspci's own layout is understood: CRLF,
// tabs turned into spaces or lost, "> " quotes, no-break spaces, HTML entities,
// lines wrapped by a mailer, messages of pcilib in between, and other commands'
// output around it. Layout is therefore only a hint. A line is known by its
// label within the open capability (tables [readers], [unneeded], [joined]),
// and a register is all lines up to the next label, searched by flag name.
//
// Adding a version's wording costs a row: a new label in readers or unneeded, a
// renamed flag in names.go, a new capability in capabilities.
package lspci
