package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"berth/engine/budget"
	"berth/engine/scenario"
)

// command describes a subcommand of berth.
type command struct {
	name, summary string
	group         string
	use           string   // arguments and main flags, as shown after the name
	args          []string // names of the arguments; if the last one ends in "…" it may be repeated
	examples      string
	details       string
	commands      []*command
	setUp         func(*call, *flag.FlagSet) func(args []string) error // adds the flags and returns the function that runs the command
}

// flagged returns the setUp of a command whose flags are the fields of a struct.
func flagged[P any, F interface {
	*P
	register(*call, *flag.FlagSet)
	run(c *call, args []string) error
}]() func(*call, *flag.FlagSet) func([]string) error {
	return func(c *call, f *flag.FlagSet) func([]string) error {
		p := F(new(P))
		p.register(c, f)
		return func(args []string) error { return p.run(c, args) }
	}
}

// call is one invocation of a command.
type call struct {
	context.Context
	path      string // full name of the command, such as "berth place"
	in        io.Reader
	stdinUsed bool
	out, errs io.Writer
	outputs   []*output // a first output with the flag --output replaces standard output
	budget    *budget.Budget
	plugin    bool              // runs as a plug-in of kubectl and fetches dumps that are not given
	together  map[string]*input // by joined name: files that are read as one; see joined
	unsaid    error             // error while writing the help, which cobra does not return
}

// The groups of commands, in the order of the help.
const (
	modelsGroup      = "Place and simulate:"
	clustersGroup    = "Ask a Kubernetes cluster:"
	experimentsGroup = "Run, repeat and compare:"
	filesGroup       = "Make and convert files:"
)

var commands = []*command{place, pending, drain, consolidate, simulate, federateCommand, fragmentCommand, run, sweep, worker, galleryCommand, diff, check, generate, convert, render, export, link}

const overview = `Berth is a laboratory for scheduling and placement: it places deployments on a
federation of clusters, simulates schedulers of requests, and compares architectures
that share one data centre. The page at "make run" has the same engines.

A FILE may be "-", which is standard input.

Exit status: 0 everything was placed or could run; 3 something could not, a run of an
experiment failed, or a bundle differs; 2 bad input or flags; 1 anything else.`

// runAs runs one command. The name of the program selects the kubectl plug-in. The caller passes
// the error to status.
func runAs(program string, ctx context.Context, args []string, in io.Reader, out, errs io.Writer) error {
	c := &call{Context: ctx, path: "berth", in: in, out: out, errs: shown{errs}, plugin: asPlugin(program)}
	defer c.discard()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1)) // see keepWithin
	root := c.root()
	root.SetArgs(twoDashes(args))
	return cmp.Or(root.ExecuteContext(ctx), c.unsaid)
}

// oneDash matches a long flag with one dash, such as -seed, which berth accepted until version 0.1.
var oneDash = regexp.MustCompile(`^-[a-z][a-z_-]`)

// twoDashes adds a second dash to long flags with one dash. This is unambiguous because -h is the
// only short flag.
func twoDashes(args []string) []string {
	args = slices.Clone(args)
	for i, a := range args {
		if a == "--" {
			break
		}
		if oneDash.MatchString(a) {
			args[i] = "-" + a
		}
	}
	return args
}

// root returns the root command with all subcommands.
func (c *call) root() *cobra.Command {
	var printLicences *bool
	root := &cobra.Command{
		Use: "berth", Short: "A laboratory for scheduling and placement", Long: overview, Version: version(),
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if *printLicences {
				_, err := io.WriteString(c.out, licences)
				return err
			}
			if len(args) == 0 {
				return badInputf("berth: a command is missing. See berth --help")
			}
			return unknownCommand(cmd, args[0])
		},
		Args: cobra.ArbitraryArgs,
	}
	printLicences = root.Flags().Bool("licences", false, "print the licences of the software in this program")
	root.SetOut(c.out)
	root.SetErr(c.errs)
	root.SetIn(c.in)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	for _, group := range []string{modelsGroup, clustersGroup, experimentsGroup, filesGroup} {
		root.AddGroup(&cobra.Group{ID: group, Title: group})
	}
	for _, one := range commands {
		root.AddCommand(c.command(one, "berth"))
	}
	root.SetHelpCommand(helpCommand())
	c.explain(root)
	return root
}

// use returns the usage of a command. In the plug-in dumps are optional, because kubectl can fetch
// them.
func (c *call) use(one *command) string {
	if !c.plugin {
		return one.use
	}
	return strings.NewReplacer("--federation DUMP", "[--federation DUMP]", "DUMP…", "[DUMP…]").Replace(one.use)
}

// command returns the cobra command of a subcommand.
func (c *call) command(one *command, above string) *cobra.Command {
	path := above + " " + one.name
	cmd := &cobra.Command{
		Use: strings.TrimSpace(one.name + " " + c.use(one)), Short: one.summary, GroupID: one.group, Example: one.examples,
		Long: strings.ToUpper(one.summary[:1]) + one.summary[1:] + ".\n\n" + one.details,
		Args: cobra.ArbitraryArgs,
	}
	for _, sub := range one.commands {
		cmd.AddCommand(c.command(sub, path))
	}
	mine := *c // a copy, because each command has its own outputs
	mine.path = path
	f := cmd.Flags()
	f.SortFlags = false
	run := one.setUp(&mine, f)
	f.VisitAll(func(f *flag.Flag) {
		completeFlag(cmd, f)
		f.Value = &given{Value: f.Value}
	})
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		if len(one.args) == 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		defer mine.discard()
		if len(one.commands) > 0 && len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		if err := mine.check(one.args, args); err != nil {
			return err
		}
		if err := mine.claimFiles(f, args); err != nil {
			return err
		}
		return run(args)
	}
	return cmd
}

// completeFlag registers the completion of a flag's value with the shell.
func completeFlag(cmd *cobra.Command, f *flag.Flag) {
	known, isChoice := f.Value.(interface{ values() []string })
	value, _ := flag.UnquoteUsage(f)
	switch {
	case isChoice:
		_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(known.values(), cobra.ShellCompDirectiveNoFileComp))
	case value == "DIR":
		_ = cmd.MarkFlagDirname(f.Name)
	case value != "FILE" && !strings.HasSuffix(value, "=FILE"):
		_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions)
	}
}

// check returns an error unless the number of arguments fits their names and none is empty.
func (c *call) check(names, given []string) error {
	many := len(names) > 0 && strings.HasSuffix(names[len(names)-1], "…")
	if len(given) > len(names) && !many {
		return c.misuse("unexpected argument %q", given[len(names)])
	}
	if len(given) < len(names) && !many {
		return c.misuse("%s is missing", names[len(given)])
	}
	if i := slices.Index(given, ""); i >= 0 {
		return c.misuse("%s is empty", names[min(i, len(names)-1)])
	}
	return nil
}

// claimFiles opens the outputs. The arguments, and the values of input flags of type FILE or
// SLOT=FILE, are inputs, which no output may overwrite.
func (c *call) claimFiles(f *flag.FlagSet, args []string) error {
	inputs, empty := slices.Clone(args), ""
	f.VisitAll(func(f *flag.Flag) {
		g, ours := f.Value.(*given)
		value, _ := flag.UnquoteUsage(f)
		named := strings.HasSuffix(value, "=FILE")
		if !ours || value != "FILE" && !named {
			return
		}
		_, out := g.Value.(*output)
		for _, file := range g.texts {
			if named {
				_, file, _ = strings.Cut(file, "=")
			}
			if file == "" {
				empty = f.Name
			}
			if !out {
				inputs = append(inputs, file)
			}
		}
	})
	if empty != "" {
		return c.misuse("--%s: expected the name of a file", empty)
	}
	return c.claim(inputs)
}

// misuse returns an error about flags or arguments, which points to the help.
func (c *call) misuse(format string, args ...any) error {
	return badInputf("%s: %s %s --help", c.path, see(fmt.Sprintf(format, args...)), c.path)
}

// see appends the word "see" to a sentence, before the name of a help page.
func see(text string) string {
	if strings.HasSuffix(text, "?") {
		return text + " See"
	}
	return text + "; see"
}

// flagError explains an error in a flag, and suggests a similar flag.
func flagError(cmd *cobra.Command, err error) error {
	at := &call{path: cmd.CommandPath()}
	if unknown, ok := errors.AsType[*flag.NotExistError](err); ok {
		name := unknown.GetSpecifiedName()
		var known []string
		cmd.Flags().VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
		return at.misuse("there is no flag --%s%s", name, didYouMean("--", name, known))
	}
	if invalid, ok := errors.AsType[*flag.InvalidValueError](err); ok {
		what := invalid.Unwrap().Error()
		if errors.Is(invalid, strconv.ErrSyntax) { // only for a boolean flag
			what = "expected true or false"
		}
		if strings.HasPrefix(what, "expected") && !strings.Contains(what, ", not ") {
			what += fmt.Sprintf(", not %q", invalid.GetValue())
		}
		return at.misuse("--%s: %s", invalid.GetFlag().Name, what)
	}
	return at.misuse("%v", err)
}

// unknownCommand returns an error that suggests a similar command.
func unknownCommand(cmd *cobra.Command, name string) error {
	var known []string
	for _, sub := range cmd.Commands() {
		known = append(known, sub.Name())
	}
	return (&call{path: cmd.CommandPath()}).misuse("there is no command %q%s", name, didYouMean("", name, known))
}

// didYouMean returns a question with the known name that is most similar to name; "" if no name is
// similar.
func didYouMean(prefix, name string, known []string) string {
	all := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, k := range known {
		all.AddCommand(&cobra.Command{Use: k, Run: func(*cobra.Command, []string) {}})
	}
	near := all.SuggestionsFor(name)
	if len(near) == 0 {
		return ""
	}
	return ". Did you mean " + prefix + near[0] + "?"
}

// version returns the version of the engine and, if the build records it, the commit.
func version() string {
	text := "berth " + scenario.Engine
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return text
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	if commit == "" {
		commit = "unknown"
	} else if settings["vcs.modified"] == "true" {
		commit += " with changes"
	}
	return fmt.Sprintf("%s, commit %s, %s %s/%s", text, commit, info.GoVersion, settings["GOOS"], settings["GOARCH"])
}
