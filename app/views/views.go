// Package views says which views the page has, for the program of the page and
// for the build, which opens each of them to write down what it shows first.
package views

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/about"
	"berth/app/federate"
	"berth/app/gallery"
	"berth/app/lab"
	"berth/app/library"
	"berth/app/placement"
	"berth/app/qos"
	"berth/app/shell"
	"berth/engine/federate/federatekind"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/study"
)

// Register puts all views into their places. The world is asked for when a view is
// first visited.
func Register(world func() placement.Services) {
	shell.Register(viewOf(placementkind.Kind, "p", func() app.Composer { return placement.New(world())() }))
	shell.Register(viewOf(qoskind.Kind, "q", func() app.Composer { return qos.New(world().Services)() }))
	shell.Register(viewOf(federatekind.Kind, "f", func() app.Composer { return federate.New(world().Services)() }))
	shell.Register(shell.View{Path: study.Kind.Path, Name: "Gallery", Key: "g",
		New: func() app.Composer { return gallery.New(world().Services)() }})
	shell.Register(shell.View{Path: library.Path, Name: "Library", Key: "l",
		New: func() app.Composer { return library.New(world().Shelf, lab.Open, lab.OpenPair)() }})
	shell.Register(shell.View{Path: "/about", Name: "How it works", Aside: true, New: about.New})
}

// viewOf is the laboratory of a kind of scenario.
func viewOf(kind *scenario.Kind, key string, view func() app.Composer) shell.View {
	return shell.View{Path: kind.Path, Name: kind.Title, Key: key, Embeds: true, New: view}
}
