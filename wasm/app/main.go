package main

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/about"
	"berth/app/library"
	"berth/app/placement"
	"berth/app/shell"
)

func main() {
	if servedPage() {
		return
	}
	world := services()
	shell.Register(shell.View{Path: placement.Path, Name: "Placement", Key: "p", New: placement.New(world)})
	shell.Register(shell.View{Path: library.Path, Name: "Library", Key: "l", New: library.New(world.Shelf, placement.Open)})
	shell.Register(shell.View{Path: "/about", Name: "How it works", Aside: true, New: about.New})
	shell.Routes()
	app.RunWhenOnBrowser()
}
