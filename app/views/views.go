// Package views lists the views of the page. The page uses the list, and the build pre-renders a
// page for each view.
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

// All lists the views in the order of the header. A view gets its services at its first
// visit.
func All(services func() placement.Services) []shell.View {
	return []shell.View{
		laboratory(placementkind.Kind, "p", func() app.Composer { return placement.New(services()) }),
		laboratory(qoskind.Kind, "q", func() app.Composer { return qos.New(services().Services) }),
		laboratory(federatekind.Kind, "f", func() app.Composer { return federate.New(services().Services) }),
		{Path: study.Kind.Path, Name: "Gallery", Key: "g", About: "Figures of the scheduling literature, reproduced in the browser.",
			New: func() app.Composer { return gallery.New(services().Services) }},
		{Path: library.Path, Name: "Library", Key: "l", About: "Scenarios and runs saved in this browser.",
			New: func() app.Composer { return library.New(services().Shelf, lab.Open, lab.OpenPair) }},
		{Path: "/about", Name: "How it works", Aside: true, About: "The algorithms behind Berth, with the symbols of the papers they come from.",
			New: func() app.Composer { return about.New() }},
	}
}

func laboratory(kind *scenario.Kind, key string, view func() app.Composer) shell.View {
	return shell.View{Path: kind.Path, Name: kind.Title, About: kind.About, Key: key, Embeds: true, New: view}
}
