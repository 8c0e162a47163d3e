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
	"berth/engine/scenario"
)

func main() {
	if servedPage() {
		return
	}
	world := services()
	shell.Register(shell.View{Path: lab.Path(scenario.KindPlacement), Name: "Placement", Key: "p", New: placement.New(world)})
	shell.Register(shell.View{Path: lab.Path(scenario.KindQoS), Name: "QoS", Key: "q", New: qos.New(world.Services)})
	shell.Register(shell.View{Path: lab.Path(scenario.KindFederate), Name: "Federate", Key: "f", New: federate.New(world.Services)})
	shell.Register(shell.View{Path: library.Path, Name: "Library", Key: "l", New: library.New(world.Shelf, lab.Open)})
	shell.Register(shell.View{Path: "/about", Name: "How it works", Aside: true, New: about.New})
	shell.Routes()
	app.RunWhenOnBrowser()
}
