package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// usualWidth is the assumed width in columns of output that does not go to a terminal.
const usualWidth = 100

// width returns the number of columns of a terminal, or [usualWidth].
func width(to io.Writer) int {
	if file, ok := to.(*os.File); ok {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return usualWidth
}

func isTerminal(to io.Writer) bool {
	file, ok := to.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// coloured reports whether a writer is a terminal that may show colours; see https://no-color.org.
func coloured(to io.Writer) bool {
	return isTerminal(to) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// bold returns a function that sets text in bold if the writer shows colours.
func bold(to io.Writer) func(string) string {
	if !coloured(to) {
		return func(text string) string { return text }
	}
	return func(text string) string { return "\x1b[1m" + text + "\x1b[0m" }
}

// explain sets the help of a command line in kubectl's layout: summary, examples, commands or
// flags, and usage.
func (c *call) explain(root *cobra.Command) {
	heading := bold(c.out)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		_, c.unsaid = io.WriteString(c.out, helpOf(cmd, heading, width(c.out)))
	})
}

func helpOf(cmd *cobra.Command, heading func(string) string, columns int) string {
	var b strings.Builder
	part := func(title, text string) {
		if text = strings.Trim(text, "\n"); text != "" {
			fmt.Fprintf(&b, "\n%s\n%s\n", heading(title), text)
		}
	}
	b.WriteString(strings.TrimSpace(cmd.Long) + "\n")
	part("Examples:", cmd.Example)
	for _, group := range cmd.Groups() {
		part(group.Title, listed(cmd, group.ID))
	}
	title := "Commands:"
	if !cmd.HasParent() {
		title = "Other:"
	}
	part(title, listed(cmd, ""))
	part("Flags:", cmd.LocalFlags().FlagUsagesWrapped(columns))
	use := "  " + cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		use = "  " + cmd.CommandPath() + " COMMAND [flags]"
	}
	part("Usage:", use)
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\"%s COMMAND --help\" explains a command.\n", cmd.CommandPath())
	}
	return b.String()
}

func listed(cmd *cobra.Command, group string) string {
	var b strings.Builder
	for _, sub := range cmd.Commands() {
		if sub.GroupID == group && (sub.IsAvailableCommand() || sub.Name() == "help") {
			fmt.Fprintf(&b, "  %-11s %s\n", sub.Name(), sub.Short)
		}
	}
	return b.String()
}

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "explain a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || found == cmd.Root() && len(rest) > 0 {
				return unknownCommand(cmd.Root(), args[0])
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}
