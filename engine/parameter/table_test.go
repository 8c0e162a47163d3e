package parameter_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/golden"
	"berth/engine/parameter"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario/scenariotest"
)

// The documentation has every parameter with its names, bounds and defaults.
func TestTablesOfParameters(t *testing.T) {
	rows := qoskind.Parameters()
	for _, p := range qoskind.RunParameters() {
		p.Path = "policies[k]." + p.Path
		rows = append(rows[:len(rows):len(rows)], p)
	}
	federate := slices.DeleteFunc(federatekind.Parameters(), func(p parameter.Parameter) bool { return p.Group == federatekind.SeedGroup })
	for name, want := range map[string]string{
		"placement": table(placementkind.Parameters(), false), "qos": table(rows, false), "federate": table(federate, true),
	} {
		golden.Part(t, "../../web/docs/pages/parameters.md", "parameters of "+name, want)
	}
}

// table writes parameters as a table in Markdown, with their names in sweeps if they have any.
func table(rows []parameter.Parameter, sweeps bool) string {
	var b strings.Builder
	head := "flag"
	if sweeps {
		head += ", sweep"
	}
	b.WriteString("| parameter | document | " + head + " | values | default | what |\n|---|---|---|---|---|---|\n")
	for _, p := range rows {
		usual := cmp.Or(p.Usual, strings.TrimSpace(p.Text(p.Default)+" "+p.Unit))
		if p.Required {
			usual = ""
		}
		p.Above = p.Above || p.Zero != ""
		flag := ""
		if p.Help != "" {
			flag = "`--" + p.Flag() + "`"
		}
		if sweeps && p.Number() {
			flag += ", `" + p.Name + "`"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s | %s |\n", cmp.Or(p.In(p.Unit), p.Name), p.JSONPath(), flag, p.Expected(), usual, strings.ReplaceAll(p.Help, "`", ""))
	}
	return b.String()
}

// Fields of every type have a row in the documentation.
func TestRowsOfFields(t *testing.T) {
	got := table(scenariotest.Fields, false)
	for _, want := range []string{
		"| Throws of the die | `throws` | `--throws` | 1 to 100 |  | NUMBER of throws |", "| the die is loaded | `loaded` | `--loaded` | true or false | false | throw a loaded die |",
		"| Colour | `dieColour` | `--die-colour` | white, black | white | colour of the die |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the table lacks %s:\n%s", want, got)
		}
	}
}
