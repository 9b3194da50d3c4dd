package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
)

// Attachment is a file that the user adds.
type Attachment struct{ Name, File string }

// attachable are names that need no care on any system and in any report.
var attachable = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// ParseAttachment reads NAME=FILE. NAME is made of letters, digits, dots,
// dashes and underscores.
func ParseAttachment(s string) (Attachment, error) {
	name, file, ok := strings.Cut(s, "=")
	switch {
	case !ok || file == "":
		return Attachment{}, fmt.Errorf("%q %w", s, ErrAttachForm)
	case !attachable.MatchString(name):
		return Attachment{}, fmt.Errorf("%q %w", s, ErrAttachName)
	}
	return Attachment{name, file}, nil
}

// attachCap is the size cap of an attached file.
const attachCap = 256 << 20

// source is the row of an attachment.
func (a Attachment) source() Source {
	return Source{Name: "attach-" + a.Name, Kind: Attach, Path: "attach/" + a.Name,
		Limit: DefaultLimit, Cap: attachCap, Privacy: Text, file: a.File}
}

// checkAttachments finds what can be known to fail before anything is asked.
func checkAttachments(list []Attachment) error {
	seen := map[string]bool{}
	for _, a := range list {
		if seen[a.Name] {
			return fmt.Errorf("%w: %s", ErrAttachTwice, a.Name)
		}
		seen[a.Name] = true
		info, err := os.Stat(a.File)
		if place := (*fs.PathError)(nil); errors.As(err, &place) {
			err = place.Err // without the name of the system call
		} else if err == nil && !info.Mode().IsRegular() {
			err = ErrNotFile
		}
		if err != nil {
			return fmt.Errorf("%w %s: %s: %w", ErrAttach, a.Name, a.File, err)
		}
	}
	return nil
}

// collectAttachment copies a file of the user.
func collectAttachment(ctx context.Context, s *Source, out *entry) outcome {
	return copyFile(ctx, s.file, s.file, s.Path, out).outcome(out)
}

// copied is what copyFile did.
type copied struct {
	bytes int64
	err   error
}

// copyFile copies the file name, of which errors speak as what, to a member.
func copyFile(ctx context.Context, name, what, member string, out *entry) copied {
	n, err := bounded(ctx, "read "+what, func() (int64, error) {
		f, err := os.Open(name)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		out.begin(member)
		return io.Copy(out, f)
	})
	return copied{n, err}
}

func (c copied) outcome(out *entry) outcome {
	switch {
	case errors.Is(c.err, errFull):
		return outcome{state: Truncated, why: fmt.Sprintf("cut after %d bytes", c.bytes)}
	case c.err != nil:
		out.dropEmpty()
		return failure(c.err)
	case c.bytes == 0:
		return outcome{state: Empty}
	}
	return outcome{state: Present}
}
