package build

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/library"
	"berth/app/placement"
	"berth/app/shell"
	"berth/app/views"
	"berth/wasm/bridge"
	"berth/wasm/first"
	"berth/wasm/graphviz"
	"berth/wasm/store"
)

// firstScreen is the content of a page before its program runs: the page frame with the result of
// the first example, as HTML, and the recorded answers with which the program draws the same
// content.
type firstScreen struct{ html, answers string }

// current has the services of the view that is being opened.
var current placement.Services

// firstScreens opens every path of the site. A process can do so only once, because
// views can be registered only once.
var firstScreens = sync.OnceValues(func() (map[string]firstScreen, error) {
	shell.Register(views.All(func() placement.Services { return current })...)
	screens := map[string]firstScreen{}
	for _, p := range pages {
		if p.embedded {
			continue
		}
		screen, err := openFirst(cmp.Or(p.shows, p.path))
		if err != nil {
			return nil, fmt.Errorf("the first screen of %s: %w", p.path, err)
		}
		screens[p.path] = screen
	}
	return screens, nil
})

// openFirst opens the frame at a path until two successive screens are equal. Once all answers are
// recorded, the page's questions and screen no longer depend on the speed of this machine, unless
// it is very slow at the moment.
func openFirst(path string) (firstScreen, error) {
	const attempts = 10
	record := first.NewRecording()
	var last firstScreen
	for range attempts {
		screen, err := openWith(record, path)
		if err != nil || screen == last {
			return screen, err
		}
		last = screen
	}
	return firstScreen{}, fmt.Errorf("it differs each of %d times", attempts)
}

// openWith opens the frame at a path, wide and as narrow as a phone. The screen has both forms of its
// drawing; the style sheet shows one.
func openWith(record *first.Recording, path string) (firstScreen, error) {
	record.Begin()
	wide, err := opened(record, path, false)
	if err != nil {
		return firstScreen{}, err
	}
	narrow, err := opened(record, path, true)
	if err != nil {
		return firstScreen{}, err
	}
	answers, err := record.Encode()
	if err != nil {
		return firstScreen{}, err
	}
	shown := drawing.FindString(wide)
	html, err := repair(strings.Replace(wide, shown, shown+narrowDrawing.FindString(narrow), 1))
	return firstScreen{html: html, answers: string(answers)}, err
}

var (
	drawing       = regexp.MustCompile(`(?s)<div class="panzoom-stage">.*?</svg>`)
	narrowDrawing = regexp.MustCompile(`(?s)<svg [^>]*class="narrow".*?</svg>`)
)

// opened returns the frame at a path as HTML, with new services.
func opened(record *first.Recording, path string, narrow bool) (string, error) {
	os.Unsetenv("BERTH_VERSION") // go-app sets this variable for the program, to the hash of the site being built
	engine := bridge.NewPool(1, record.Recorder())
	shelf := library.NewShelf(engine, func(context.Context) (*store.Store, error) { return store.Memory(), nil })
	current = placement.Services{
		Services: lab.Services{Engine: engine, Shelf: shelf, Drafts: store.NewTab(shelf.Store)},
		Renderer: record.DrawingRecorder(renderer{}),
		Narrow:   func() bool { return narrow },
	}
	frame, page := &shell.Frame{Path: path}, app.NewTestEngine()
	if err := page.Load(frame); err != nil {
		return "", err
	}
	page.ConsumeAll()
	return app.HTMLString(frame), nil
}

// renderer draws with Graphviz in this process, instead of a page's worker.
type renderer struct{}

func (renderer) Render(ctx context.Context, dot []byte, o graphviz.Options) ([]byte, error) {
	return graphviz.Render(ctx, dot, o)
}

// putFirst inserts a first screen into a page: an empty element for the program's
// page, the first screen itself, and the recorded answers.
func putFirst(page []byte, s firstScreen, a *assets) ([]byte, error) {
	return changed(page, "writes the page", [2]string{firstPlace, fmt.Sprintf(`<div></div>
<div id="first"><noscript><p class="banner">Berth computes in your browser: to change anything, it needs JavaScript and WebAssembly.</p></noscript>%s</div>
<script id="first-answers" type="application/json">%s</script>
<script src="%s"></script>`, rebase([]byte(s.html), a.base), s.answers, a.Resolve("/web/first.js"))})
}
