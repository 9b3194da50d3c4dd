// Package fonts embeds IBM Plex (SIL Open Font License 1.1, see
// LICENSE-IBMPlex.txt) as TrueType files, unpacked from IBM's own WOFF files.
//
// The faces that fill in for missing runes, DejaVu Sans and DejaVu Sans Mono,
// come from the module github.com/go-fonts/dejavu; their licence travels here
// as LICENSE-DejaVu.txt. The slices are shared: who lets others write into them
// passes a copy.
package fonts

import _ "embed" // for the directives below

// The faces of IBM Plex.
var (
	//go:embed IBMPlexSans-Regular.ttf
	Sans []byte
	//go:embed IBMPlexSans-SemiBold.ttf
	SansSemiBold []byte
	//go:embed IBMPlexSans-Italic.ttf
	SansItalic []byte
	//go:embed IBMPlexMono-Regular.ttf
	Mono []byte
	//go:embed IBMPlexMono-SemiBold.ttf
	MonoSemiBold []byte
)

// The licences that travel with the fonts.
var (
	//go:embed LICENSE-IBMPlex.txt
	PlexLicence string
	//go:embed LICENSE-DejaVu.txt
	DejaVuLicence string
)
