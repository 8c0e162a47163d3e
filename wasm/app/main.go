package main

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/about"
	"berth/app/federate"
	"berth/app/lab"
	"berth/app/library"
	"berth/app/placement"
	"berth/app/qos"
	"berth/app/shell"
	"berth/engine/federate/federatekind"
	_ "berth/engine/kinds" // that the workers know, too
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

func main() {
	if servedPage() {
		return
	}
	world := services()
	shell.Register(viewOf(placementkind.Kind, "p", placement.New(world)))
	shell.Register(viewOf(qoskind.Kind, "q", qos.New(world.Services)))
	shell.Register(viewOf(federatekind.Kind, "f", federate.New(world.Services)))
	shell.Register(shell.View{Path: library.Path, Name: "Library", Key: "l", New: library.New(world.Shelf, lab.Open, lab.OpenPair)})
	shell.Register(shell.View{Path: "/about", Name: "How it works", Aside: true, New: about.New})
	shell.Routes()
	app.RunWhenOnBrowser()
}

// viewOf is the laboratory of a kind of scenario.
func viewOf(kind *scenario.Kind, key string, view func() app.Composer) shell.View {
	return shell.View{Path: kind.Path, Name: kind.Title, Key: key, New: view}
}
