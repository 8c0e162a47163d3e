package lab

import (
	"sync"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/examples"
)

var exampleList = sync.OnceValue(examples.List)

// examples are the examples of the view's kind.
func (o *opener[I]) examples() []examples.Example {
	var own []examples.Example
	for _, e := range exampleList() {
		if e.Scenario.Kind == o.lab.system.Kind.Name {
			own = append(own, e)
		}
	}
	return own
}

// firstExample is the input of a first visit; blank if the kind has no example.
func (o *opener[I]) firstExample() I {
	own := o.examples()
	if len(own) == 0 {
		return o.lab.system.Inputs(nil)
	}
	return o.lab.system.Inputs(&own[0].Scenario)
}

// exampleOf is the example for the view's kind whose scenario has this hash; zero if there is none.
// Each example is hashed when it is first compared, because hashing all of them would delay the
// first screen.
func (o *opener[I]) exampleOf(hash string) (e examples.Example) {
	for _, e := range o.examples() {
		if _, ok := o.exampleHashes[e.Name]; !ok {
			o.exampleHashes[e.Name] = e.Scenario.Hash()
		}
		if o.exampleHashes[e.Name] == hash {
			return e
		}
	}
	return e
}

// Claim describes the example that the result on screen belongs to: which figure of the
// paper it reproduces, and the paper's conclusion. It is hidden for other results.
func (o *opener[I]) Claim() app.UI {
	var e examples.Example
	if o.lab.Shown != nil && o.lab.Shown.Document.Hash != "" { // avoids hashing all examples
		e = o.exampleOf(o.lab.Shown.Document.Hash)
	}
	return app.P().Class("claim").DataSet("testid", o.lab.id("claim")).Hidden(e.Name == "").Body(
		app.Strong().Text("Example: "+e.Title+". "), app.Span().Text(e.Description))
}

// thumbnail is the picture of an example; controls.js loads it when the menu opens.
func thumbnail(name string) app.UI {
	return app.Raw(`<svg class="thumbnail" aria-hidden="true"><use data-thumbnail="` + name + `"/></svg>`)
}

// exampleMenu lists the examples, each with its picture and description.
func (o *opener[I]) exampleMenu() app.UI {
	var entries []app.UI
	for _, e := range o.examples() {
		entries = append(entries, MenuEntry("example-"+e.Name,
			func() { o.giveWay("open “"+e.Title+"”", e.Scenario, e.Before) },
			thumbnail(e.Name), app.Strong().Text(e.Title), app.Small().Text(e.Description)))
	}
	return Menu("examples", app.Summary().DataSet("testid", "examples").Text("Examples"), entries...)
}
