package policy

import "embed"

//go:embed templates/*.star
var templates embed.FS

// Template is a policy text to start from.
type Template struct {
	Kind  string // the kind of scenarios it is for
	Name  string
	Like  string // name of an equivalent built-in policy, or ""
	About string
}

// Templates lists the policies of the papers as texts, and an empty one for each lab.
var Templates = []Template{
	{"placement", "heuristic", "heuristic", "the search of the thesis"},
	{"placement", "first-fit", "first-fit", "the largest job first, on the first cluster with room"},
	{"placement", "cheapest", "", "each job where it costs least"},
	{"placement", "placement-empty", "", "nothing but comments on what can be written"},
	{"qos", "qos-driven", "qos", "the request that is closest to missing its SLO first"},
	{"qos", "priority", "priority", "the more important class first"},
	{"qos", "qos-empty", "", "nothing but comments on what can be written"},
	{"federate", "fcfs", "fcfs", "one central queue"},
	{"federate", "sparrow", "sparrow", "batch sampling with late binding"},
	{"federate", "megha", "megha", "masters with copies that may be out of date, which take no time"},
	{"federate", "federate-empty", "", "nothing but comments on what can be written"},
}

// Title returns the name of the template and its description.
func (t *Template) Title() string { return t.Name + ": " + t.About }

// Text returns the text of the template under another name.
func (t *Template) Text(name string) Text {
	text, err := templates.ReadFile("templates/" + t.Name + ".star")
	if err != nil {
		panic(err) // the file is embedded in the program
	}
	return Text{Name: name, Text: string(text)}
}
