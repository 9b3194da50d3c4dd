//go:build !linux

package capture

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// Captures are read on every system and made on Linux.
const supported = false

func (t *target) answer(context.Context, *Source, *entry, func()) outcome {
	return outcome{state: NotAsked, why: ErrUnsupported.Error()}
}

func (t *target) describe(context.Context) Manifest { return Manifest{Schema: Schema} }

// Nice lowers the priority of this process, on Linux.
func Nice() {}

func lockFile(*os.File) error { return errors.ErrUnsupported }

func ownFile(fs.FileInfo) bool { return false }

func leftBehind() string { return "" }
