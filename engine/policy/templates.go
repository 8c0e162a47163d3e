package policy

import "embed"

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

// Title names a template and says what it is about.
func (t *Template) Title() string { return t.Name + ": " + t.About }

// Text is the text of a template under another name.
func (t *Template) Text(name string) Text {
	text, err := templates.ReadFile("templates/" + t.Name + ".star")
	if err != nil {
		panic(err) // it is part of the program
	}
	return Text{Name: name, Text: string(text)}
}
