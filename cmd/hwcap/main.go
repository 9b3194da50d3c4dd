// Command hwcap captures what a Linux machine says about its hardware and
// reports, on any machine, what can be told from it.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
)

// commands makes the subcommands, in the order in which help shows them.
var commands = []func() *cobra.Command{
	newCollectCmd,
	newReportCmd,
	newDiffCmd,
	newInspectCmd,
	newFactsCmd,
	newRedactCmd,
	newExplainCmd,
	newVersionCmd,
	newLicensesCmd,
}

func main() { os.Exit(main1()) }

// main1 runs the command line in os.Args and returns the exit code.
func main1() int {
	// A command is over within a second and holds little: a heap of five times
	// what is in use, at least 16 MiB, spares a quarter of the time of a report.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	// What a hostile archive makes of that stays within what it may take: the
	// windows that its blocks leave behind are collected before.
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(224 << 20)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once

	root, running := newRoot()
	err := root.ExecuteContext(ctx)
	if err != nil && !*running {
		err = usageError(err, text(
			"„hwcap --help“ und „hwcap BEFEHL --help“ zeigen, was möglich ist",
			"hwcap --help and hwcap COMMAND --help show what is possible"))
	}
	return report(os.Stderr, err)
}

// newRoot returns the root command and whether a subcommand's own code has
// begun: what fails before that is an error of usage.
func newRoot() (root *cobra.Command, running *bool) {
	running = new(bool)
	root = &cobra.Command{
		Use: "hwcap",
		Short: text(
			"Erfasst, was ein Linux-Rechner über seine Hardware sagt, und berichtet darüber",
			"Captures what a Linux machine says about its hardware, and reports on it"),
		Args:          cobra.ArbitraryArgs, // so that an unknown command reaches RunE
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	root.Version = version()
	root.SetVersionTemplate("hwcap {{.Version}}\n")
	root.SuggestionsMinimumDistance = 2
	cobra.EnableCommandSorting = false
	root.DisableFlagsInUseLine = true
	root.Flags().BoolP("version", "v", false, text("zeigt die Version", "shows the version"))
	helpFlag(root)
	for _, make := range commands {
		cmd := make()
		helpFlag(cmd)
		if !cmd.DisableFlagsInUseLine && cmd.HasAvailableFlags() {
			cmd.DisableFlagsInUseLine = true
			cmd.Use += " [OPTION...]"
		}
		if run := cmd.RunE; run != nil {
			cmd.RunE = func(cmd *cobra.Command, args []string) error {
				*running = true
				return run(cmd, args)
			}
		}
		root.AddCommand(cmd)
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if name := cmd.Name(); name == "help" || name == "completion" {
			refuseUnknown(root, cmd)
		}
	}
	if german {
		makeGerman(root)
	}
	return root, running
}

// refuseUnknown lets a command of cobra's own, which shows its help whatever it
// is asked for, fail where there is no such thing.
func refuseUnknown(root, cmd *cobra.Command) {
	under := cmd // the shells
	if cmd.Name() == "help" {
		under = root
	}
	cmd.Args, cmd.DisableFlagsInUseLine = cobra.ArbitraryArgs, true
	cmd.Run = nil
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		found, rest, err := under.Find(args)
		if under != root && len(args) > 0 || err != nil || len(rest) > 0 {
			return unknownCommand(under, args[0])
		}
		return found.Help()
	}
}

// helpFlag adds the option that cobra adds in English.
func helpFlag(cmd *cobra.Command) {
	cmd.Flags().BoolP("help", "h", false, text("zeigt diese Hilfe", "shows this help"))
}
