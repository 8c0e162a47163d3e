package lab

import (
	"sync"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/scenario"
	"berth/examples"
)

// example is one of package examples with its scenario decoded.
type example struct {
	examples.Example
	scenario scenario.Scenario
}

// exampleList is all examples, made once: the documents are encoded for it. They
// are part of the program, so one that cannot be read is a mistake there.
var exampleList = sync.OnceValue(func() []example {
	var list []example
	for _, e := range examples.List() {
		s, err := scenario.Decode(e.Scenario)
		if err != nil {
			panic(err)
		}
		list = append(list, example{e, s})
	}
	return list
})

// examples are those of the view's kind.
func (l *Lab[I]) examples() []example {
	var own []example
	for _, e := range exampleList() {
		if e.scenario.Kind == l.system.Kind {
			own = append(own, e)
		}
	}
	return own
}

// firstExample is what the first visit opens with; nothing if there is none of
// this kind.
func (l *Lab[I]) firstExample() I {
	own := l.examples()
	if len(own) == 0 {
		return l.system.Empty()
	}
	return l.system.Of(own[0].scenario)
}

// exampleMenu lists the examples with a line about each.
func (l *Lab[I]) exampleMenu() app.UI {
	var entries []app.UI
	for _, e := range l.examples() {
		entries = append(entries, MenuEntry("example-"+e.Name,
			func() { l.GiveWay("open “"+e.Title+"”", l.system.Of(e.scenario)) },
			app.Strong().Text(e.Title), app.Small().Text(e.Description)))
	}
	return Menu("examples", app.Summary().DataSet("testid", "examples").Text("Examples"), entries...)
}
