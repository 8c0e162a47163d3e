package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	flag "github.com/spf13/pflag"

	"berth/engine/must"
)

var (
	flagInText    = regexp.MustCompile(`(?:^|[^-\w])--([a-z][a-z0-9-]*)`)
	commandInText = regexp.MustCompile(`berth ([a-z]+)(?:[^.;:\n]|[.;:]\S)*$`) // before a flag
	otherProgram  = regexp.MustCompile(`(kubectl|sacct)[^.;:\n]*$`)
	flagInHelp    = regexp.MustCompile(`(?m)^ +(?:-\w, )?--([a-z][a-z0-9-]*)`)
)

// flagsByCommand lists the flags of each command from its help.
func flagsByCommand(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, c := range commands {
		lines := [][]string{{c.name, "--help"}}
		if c == generate {
			lines = [][]string{{c.name, "federation", "--help"}, {c.name, "deployment", "--help"}}
		}
		all[c.name] = []string{"help"}
		for _, line := range lines {
			help := succeeds(t, "", line...)
			for _, m := range flagInHelp.FindAllStringSubmatch(help, -1) {
				all[c.name] = append(all[c.name], m[1])
			}
		}
	}
	return all
}

// literals calls f with each text that the source below a folder may show to people.
func literals(t *testing.T, folder string, f func(file, text string)) {
	t.Helper()
	must.Do(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				text, err := strconv.Unquote(l.Value)
				if err != nil {
					t.Error(path, err)
				}
				f(path, text)
			}
			return true
		})
		return nil
	}))
}

// Every flag in a message exists: in the command that the message names, or in the command of its
// source file, or otherwise in any command.
func TestFlagsInMessagesExist(t *testing.T) {
	known, any, found := flagsByCommand(t), []string{"licences", "version"}, 0
	for _, flags := range known {
		any = append(any, flags...)
	}
	literals(t, "../..", func(file, text string) {
		of := any
		name, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".go"), "_")
		if flags := known[name]; flags != nil && filepath.Dir(file) == filepath.Join("..", "..", "cmd", "berth") {
			of = flags
		}
		for _, m := range flagInText.FindAllStringSubmatchIndex(text, -1) {
			before, flag, allowed := text[:m[2]], text[m[2]:m[3]], of
			if otherProgram.MatchString(before) {
				continue
			}
			if c := commandInText.FindStringSubmatch(before); c != nil && known[c[1]] != nil {
				allowed = known[c[1]]
			}
			found++
			if !slices.Contains(allowed, flag) {
				t.Errorf("%s says --%s in %q, which the command does not have", file, flag, text)
			}
		}
	})
	if found < 50 {
		t.Errorf("only %d flags were found in messages", found)
	}
}

// An error in a field of the document names the flag for that field.
func TestFieldsAreSaidAsFlags(t *testing.T) {
	f := flag.NewFlagSet("place", flag.ContinueOnError)
	new(placeFlags).register(&call{}, f)
	for field, want := range map[string]string{
		"shortestPaths": "shortest-paths", "steps": "steps", "strategies[0].name": "strategy", "federations[1]": "federation", "deployments[0]": "deployment",
		"whatIf[2]": "what-if", "clusterBy": "cluster-by", "inferredLatency": "latency", "noInferred": "inferred", "center": "center", "consumeBandwidth": "consume-bandwidth", "notThere": "",
	} {
		if got := (fields{FlagSet: f}).flag(field); got != want {
			t.Errorf("%s is --%s, want --%s", field, got, want)
		}
	}
	folder(t)
	must.Do(t, os.WriteFile("star.dot", []byte(`graph { center=eu; eu [cpu=9, cpu_cost=1]; us [cpu=9, cpu_cost=1]; eu -- us [latency=8, latency_cost=0] }`), 0o666))
	must.Do(t, os.WriteFile("d.dot", []byte(`graph { a [request=1, limit=1] }`), 0o666))
	complainsAt(t, "", "--shortest-paths: the federation is a star", "place", "--federation", "star.dot", "--deployment", "d.dot", "--shortest-paths")
}
