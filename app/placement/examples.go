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

// exampleMenu lists the examples with a line about each.
func (v *View) exampleMenu() app.UI {
	return app.Details().Class("menu examples").Body(
		app.Summary().Class("button").DataSet("testid", "examples").Text("Examples"),
		app.Ul().Body(app.Range(exampleList).Slice(func(i int) app.UI {
			e := exampleList[i]
			return app.Li().Body(app.Button().Type("button").DataSet("testid", "example-"+e.Name).
				OnClick(func(ctx app.Context, _ app.Event) {
					closeMenu(ctx)
					v.giveWay("open “"+e.Title+"”", exampleInputs(e))
				}, app.EventScope("example", e.Name)).
				Body(app.Strong().Text(e.Title), app.Small().Text(e.Description)))
		})),
	)
}

// exampleList is made once: an example's document is encoded for it.
var exampleList = examples.List()

// closeMenu closes the menu that the source of an event stands in.
func closeMenu(ctx app.Context) {
	menu := ctx.JSSrc().Call("closest", "details")
	menu.Call("removeAttribute", "open")
	menu.Call("querySelector", "summary").Call("focus")
}
