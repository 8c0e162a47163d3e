package written

import (
	"embed"

	"berth/engine/policy"
)

//go:embed templates/*.star
var templates embed.FS

// Template is a policy to begin with.
type Template struct {
	Kind  string // of scenarios that it is for
	Name  string
	Like  string // the name of the built-in one that it is equal to; "" of one that only resembles it
	About string
}

// Templates are the policies of the papers, written out.
var Templates = []Template{
	{"placement", "heuristic", "heuristic", "the search of the thesis"},
	{"placement", "first-fit", "first-fit", "the largest job first, on the first cluster with room"},
	{"qos", "qos-driven", "qos", "the request that is closest to missing its SLO first"},
	{"qos", "priority", "priority", "the more important class first"},
	{"federate", "fcfs", "fcfs", "one central queue"},
	{"federate", "sparrow", "sparrow", "batch sampling with late binding"},
	{"federate", "megha", "", "a small Megha: masters with copies that may be out of date"},
}

// Text is the text of a template under another name.
func (t *Template) Text(name string) policy.Text {
	text, err := templates.ReadFile("templates/" + t.Name + ".star")
	if err != nil {
		panic(err) // it is part of the program
	}
	return policy.Text{Name: name, Text: string(text)}
}
