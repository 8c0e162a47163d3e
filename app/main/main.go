package main

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/placement"
	"berth/app/shell"
	"berth/app/views"
	_ "berth/engine/kinds" // which the workers run
)

func main() {
	if servedPage() {
		return
	}
	all := services()
	shell.Register(views.All(func() placement.Services { return all })...)
	shell.Routes()
	app.RunWhenOnBrowser()
}
