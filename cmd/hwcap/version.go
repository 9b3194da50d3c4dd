package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersionCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: text("Zeigt die Version", "Shows the version"),
		Args:  nothingElse,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(os.Stdout, "hwcap %s %s/%s %s\n", version(), runtime.GOOS, runtime.GOARCH, runtime.Version())
			return err
		},
	}
}

// version is what the Go toolchain recorded of the build: a tag, or "(devel)"
// from a working tree.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
