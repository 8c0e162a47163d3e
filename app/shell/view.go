package shell

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// View is a page inside the frame.
type View struct {
	Path  string // "/placement"
	Name  string // "Placement"
	About string // one sentence for link previews and search engines
	Key   string // "p": the keys "g p" open the view

	// Aside views are pages to read. The status line, not the header, links to them.
	Aside bool

	// Embeds allows other pages to embed the view.
	Embeds bool

	New func() app.Composer // creates the view at its first visit
}

// places holds the views in the order of the header.
var places []View

// Register adds views. The first view of all is also the home page. Register panics if a path is
// registered twice, which is a mistake in main.
func Register(all ...View) {
	for _, v := range all {
		if slices.ContainsFunc(places, func(w View) bool { return w.Path == v.Path }) {
			panic("shell: two views for " + v.Path)
		}
		places = append(places, v)
	}
}

// EmbedPath is the path prefix of pages for embedding in other pages: the stage of a laboratory
// without navigation.
const EmbedPath = "/embed"

// Routes registers the pages of all views, and a page for unknown addresses. Call it
// after [Register].
func Routes() {
	for _, v := range places {
		framed(v.Path, Frame{Path: v.Path})
		if v.Embeds {
			framed(EmbedPath+v.Path, Frame{Path: v.Path, Embedded: true})
		}
	}
	app.Route("/", func() app.Composer { return &Frame{Path: home().Path} })
	app.RouteWithRegexp("^/", func() app.Composer { return &Frame{} })
}

func framed(path string, f Frame) {
	create := func() app.Composer {
		one := f
		return &one
	}
	app.Route(path, create)
	app.Route(path+"/", create) // some servers serve a folder at that path
}

// home returns the first registered view; the zero View if no view is registered.
func home() View {
	if len(places) == 0 {
		return View{}
	}
	return places[0]
}

// Active reports whether the view at path is shown. Hidden views also receive navigation events and
// must ask this first.
func Active(ctx app.Context, path string) bool {
	now := strings.TrimSuffix(strings.TrimPrefix(ctx.Page().URL().Path, Address("")), "/")
	now = strings.TrimPrefix(now, EmbedPath)
	return now == path || now == "" && path == home().Path
}

// Embedded reports whether the page is embedded in another one and has no navigation.
func Embedded() bool {
	return strings.HasPrefix(app.Window().Get("location").Get("pathname").String(), Address(EmbedPath)+"/")
}

// Address returns a path below the root of the site, which may itself be below a path of its host.
func Address(path string) string {
	return strings.TrimSuffix(app.Getenv("GOAPP_ROOT_PREFIX"), "/") + path
}
