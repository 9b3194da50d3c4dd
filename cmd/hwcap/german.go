package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// germanUsage is cobra's usage template in German.
const germanUsage = `Aufruf:{{if .Runnable}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} BEFEHL{{end}}{{if .HasExample}}

Beispiele:
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}

Befehle:{{range .Commands}}{{if or .IsAvailableCommand (eq .Name "help")}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Optionen:
{{germanOptions .LocalFlags | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableSubCommands}}

„{{.CommandPath}} BEFEHL --help“ zeigt mehr über einen Befehl.{{end}}
`

// germanCompletion are the help texts of cobra's own commands that write a
// completion script, by their shell.
var germanCompletion = map[string]string{
	"bash": `Braucht das Paket bash-completion. Für die laufende Shell:

  source <(hwcap completion bash)

Für jede neue, als root:

  hwcap completion bash > /etc/bash_completion.d/hwcap`,
	"zsh": `Für die laufende Shell, in der compinit geladen ist:

  source <(hwcap completion zsh)

Für jede neue:

  hwcap completion zsh > "${fpath[1]}/_hwcap"`,
	"fish": `Für die laufende Shell:

  hwcap completion fish | source

Für jede neue:

  hwcap completion fish > ~/.config/fish/completions/hwcap.fish`,
	"powershell": `Für die laufende Shell; für jede neue gehört die Zeile in das Profil:

  hwcap completion powershell | Out-String | Invoke-Expression`,
}

// makeGerman puts what cobra says by itself into German.
func makeGerman(root *cobra.Command) {
	cobra.AddTemplateFunc("germanOptions", germanOptions)
	root.SetUsageTemplate(germanUsage)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return germanFlagError(err) })
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Use, cmd.Short, cmd.Long = "help [BEFEHL]", "Zeigt die Hilfe zu einem Befehl", ""
		case "completion":
			cmd.Short, cmd.Long = "Gibt das Skript aus, mit dem eine Shell hwcap ergänzt", ""
			helpFlag(cmd)
			for _, shell := range cmd.Commands() {
				shell.Short = "Gibt das Skript für " + shell.Name() + " aus"
				shell.Long = shell.Short + ". " + germanCompletion[shell.Name()]
				if f := shell.Flags().Lookup("no-descriptions"); f != nil {
					f.Usage = "ohne Beschreibungen"
				}
				shell.DisableFlagsInUseLine = true
				helpFlag(shell)
			}
		}
	}
}

// germanOptions is pflag's FlagUsages in German, and aligned by characters
// instead of bytes.
func germanOptions(flags *pflag.FlagSet) string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		short := "    "
		if f.Shorthand != "" {
			short = "-" + f.Shorthand + ", "
		}
		value, usage := pflag.UnquoteUsage(f)
		if value == "string" || value == "strings" {
			value = "WERT"
		}
		if preset := strings.Trim(f.DefValue, "[]"); preset != "" && preset != "false" && preset != "0s" {
			usage += " (Vorgabe " + preset + ")"
		}
		fmt.Fprintf(t, "  %s%s\t%s\n", short, strings.TrimSpace("--"+f.Name+" "+value), usage)
	})
	t.Flush()
	return b.String()
}

// germanFlagError says in German what pflag says of a wrong option.
func germanFlagError(err error) error {
	var (
		unknown *pflag.NotExistError
		bare    *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		syntax  *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return fmt.Errorf("unbekannte Option -%s", unknown.GetSpecifiedName())
	case errors.As(err, &unknown):
		return fmt.Errorf("unbekannte Option --%s", unknown.GetSpecifiedName())
	case errors.As(err, &bare):
		return fmt.Errorf("die Option --%s braucht einen Wert", bare.GetFlag().Name)
	case errors.As(err, &invalid):
		return fmt.Errorf("die Option --%s kennt den Wert %q nicht", invalid.GetFlag().Name, invalid.GetValue())
	case errors.As(err, &syntax):
		return fmt.Errorf("das ist keine Option: %s", syntax.GetSpecifiedFlag())
	}
	return err
}
