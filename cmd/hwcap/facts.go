package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"

	"github.com/spf13/cobra"

	"hwcap/parse/fact"
	"hwcap/render/escape"
)

func newFactsCmd() *cobra.Command {
	var keyFiles []string
	cmd := &cobra.Command{
		Use: text("facts ERFASSUNG", "facts CAPTURE"),
		Short: text("Gibt alles, was gelesen wurde, als JSON aus",
			"Prints all that was parsed, as JSON"),
		Example: `  hwcap facts sample:workstation | jq '.pci[] | select(.driver == "nvme") | .address'
  hwcap facts dmesg.txt`,
		Args: oneCapture,
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := openCapture(args[0], keyFiles...)
			if err != nil {
				return err
			}
			if err := writeFacts(os.Stdout, m); err != nil {
				return err
			}
			return cutOff(m)
		},
	}
	identityFlag(cmd, &keyFiles)
	return cmd
}

// writeFacts writes m as indented JSON. Characters that mean something in HTML
// stay as they are; control characters are escaped by JSON, and those that
// turn text around on a terminal by us.
func writeFacts(w io.Writer, m *fact.Machine) error {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(escape.JSON(b))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		return err
	}
	return b.Flush()
}
