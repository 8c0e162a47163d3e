package placement

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/scenario"
	"berth/examples"
)

// firstExample is what the first visit opens with.
func firstExample() inputs { return exampleInputs(exampleList[0]) }

// exampleInputs are the inputs of an example; its document is part of the
// program, so one that cannot be read is a mistake there.
func exampleInputs(e examples.Example) inputs {
	s, err := scenario.Decode(e.Scenario)
	if err != nil {
		panic(err)
	}
	return inputsOf(s)
}

// exampleList is made once: the documents are encoded for it.
var exampleList = examples.List()

// exampleMenu lists the examples with a line about each.
func (v *View) exampleMenu() app.UI {
	entries := make([]app.UI, len(exampleList))
	for i, e := range exampleList {
		entries[i] = menuEntry("example-"+e.Name,
			func() { v.giveWay("open “"+e.Title+"”", exampleInputs(e)) },
			app.Strong().Text(e.Title), app.Small().Text(e.Description))
	}
	return menu("examples", app.Summary().DataSet("testid", "examples").Text("Examples"), entries...)
}
