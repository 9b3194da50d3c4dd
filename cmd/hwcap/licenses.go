package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"hwcap/templates"
)

func newLicensesCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "licenses",
		Short: text("Zeigt die Lizenzen von hwcap und allem, was darin steckt", "Shows the licences of hwcap and of everything inside it"),
		Args:  nothingElse,
		RunE: func(*cobra.Command, []string) error {
			return fs.WalkDir(templates.Licenses, ".", func(name string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				body, err := templates.Licenses.ReadFile(name)
				if err != nil {
					return err
				}
				title := strings.ReplaceAll(strings.TrimSuffix(path.Base(name), ".txt"), "__", "/")
				_, err = fmt.Fprintf(os.Stdout, "=== %s\n\n%s\n\n", strings.TrimPrefix(title, "LICENSE-"), strings.TrimSpace(string(body)))
				return err
			})
		},
	}
}
