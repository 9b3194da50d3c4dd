// Package parse opens captures and turns what they hold into facts.
//
// [Open] takes a file or a folder, [Read] a stream. Both look at contents, not
// at names: an archive (ZIP, or tar, plain or compressed by gzip, bzip2, xz or
// zstd) or folder of the shape that capture/FORMAT.md describes, with or without
// its manifest; the bundles of sosreport, supportconfig, hw-probe and insights,
// packed or not; or a single text, compressed or not, in UTF-8 or UTF-16: lspci,
// a kernel log, /proc/crypto and the like, or several of them in one. A text of
// a bundle stands for a member of a capture; evidence cites where it is in the
// bundle. Loose texts of a folder or archive are read as of one machine,
// compressed ones too; of two of a kind that do not fit together the one that
// holds most is read, and a [fact.Problem] names the other.
//
// What is opened is data from a stranger. Nothing is unpacked to disk, no link
// is followed, names are checked, and [Limits] bound what is read. Members
// stream into their parsers in whatever order they come; what belongs together
// is joined after the last. A part that cannot be read costs that part alone
// and leaves a [fact.Problem]. A compressed file that breaks off loses, beside
// what is missing, the block that the break falls into: a small .tar.xz or
// .tar.bz2 may be one block.
//
// The parsers of single formats are packages below this one; the judgement is
// package judge.
package parse
