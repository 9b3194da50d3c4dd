// Package measure reads what benchmarks print: cryptsetup benchmark, openssl
// speed, and iperf3 as text and as JSON; and the tables of figures that people
// write ([ParseNotes]).
//
// People paste such texts, so quotes of a mail, other commands around them and
// several runs in one text are understood; a line that says what was run
// ("# openssl speed -elapsed ...") begins a run and tells its options. Units are
// those of package fact: bytes and seconds.
//
// A table's figures are those that a tool prints at its end. Where a text broke
// off before, the figures on the way stand for them, and never beside them.
package measure
