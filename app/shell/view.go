package shell

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// View is one of the pages inside the frame.
type View struct {
	Path string // "/placement"
	Name string // "Placement"
	Key  string // "p": the view opens with "g p"

	// Aside views are pages to read; they are reached from the status line
	// rather than from the header.
	Aside bool

	// New makes the view when it is first visited. It is nil for a system that
	// this version does not have yet: its place is shown, and says so.
	New func() app.Composer
}

// places is every view in the order of the header.
var places = []View{
	{Path: "/placement", Name: "Placement", Key: "p"},
	{Path: "/qos", Name: "QoS", Key: "q"},
	{Path: "/federate", Name: "Federate", Key: "f"},
	{Path: "/gallery", Name: "Gallery", Key: "g"},
	{Path: "/library", Name: "Library", Key: "l"},
}

// Register puts a view into its place, or behind the others when it has none.
// The first registered view is also the home page. Registering a path twice
// panics: it is a mistake in main.
func Register(v View) {
	for i, place := range places {
		if place.Path != v.Path {
			continue
		}
		if place.New != nil {
			panic("shell: two views for " + v.Path)
		}
		places[i] = v
		return
	}
	places = append(places, v)
}

// Routes gives every path of the site its page.
func Routes() {
	for _, v := range places {
		app.Route(v.Path, frameAt(v.Path))
	}
	app.Route("/", frameAt(home().Path))
	app.RouteWithRegexp("^/", frameAt(""))
}

func frameAt(path string) func() app.Composer {
	return func() app.Composer { return &Frame{Path: path} }
}

// home is the first registered view, the zero View if there is none.
func home() View {
	for _, v := range places {
		if v.New != nil {
			return v
		}
	}
	return View{}
}

// Active reports whether the view at path is the one that is shown. Views that
// are hidden hear of navigation too and ask this first.
func Active(ctx app.Context, path string) bool {
	now := ctx.Page().URL().Path
	return now == path || now == "/" && path == home().Path
}
