package build

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"html"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/views"
	_ "berth/engine/kinds" // registers the kinds of the first screens
	"berth/engine/placement/placementkind"
	"berth/web/docs"
)

// page is the static content of a page, for link previews and browsers without
// JavaScript. app/main draws the page itself.
type page struct {
	app.Compo
	path, title, description string
	shows                    string // path of the view on its first screen; "": its own
	embedded                 bool   // other pages frame it; it has no first screen, because its link determines the content
}

// pages are the home page and the pages of the views.
var pages = func() []page {
	all := []page{{path: "/", title: "Berth: a placement laboratory",
		description: "Drop deployment and federation graphs on the page and see which cluster hosts each job, and why. It runs in the browser; nothing is uploaded.", shows: placementkind.Kind.Path}}
	for _, v := range views.All(nil) {
		one := page{path: v.Path, title: v.Name + " · Berth", description: v.About}
		all = append(all, one)
		if v.Embeds {
			one.path, one.embedded = shell.EmbedPath+v.Path, true
			all = append(all, one)
		}
	}
	return all
}()

func (p *page) OnPreRender(ctx app.Context) {
	ctx.Page().SetTitle(p.title)
	ctx.Page().SetDescription(p.description)
}

// firstPlace marks the position of the first screen in a page.
const firstPlace = `<div id="first"></div>`

// Render draws the place for the first screen. An embedded page has none, and gets
// only a heading that names it for screen readers.
func (p *page) Render() app.UI {
	if p.embedded {
		return app.Raw(`<div id="first"><main><h1 class="visually-hidden">` + html.EscapeString(p.title) + `</h1></main></div>`)
	}
	return app.Raw(firstPlace)
}

//go:embed app-worker.js
var serviceWorker string

//go:embed 404.html
var notFound []byte

// writePages generates the files with fixed names: pages, scripts and the manifest.
func writePages(dir string, a *assets, origin string) error {
	paths := make([]string, len(pages))
	for i := range pages {
		paths[i] = pages[i].path
		app.Route(paths[i], func() app.Composer {
			p := pages[i]
			return &p
		})
	}
	if err := os.WriteFile(filepath.Join(dir, "404.html"), rebase(notFound, a.base), 0o644); err != nil {
		return err
	}
	documentation, err := writeDocs(dir, a)
	if err != nil {
		return err
	}
	host, err := hostOf(origin)
	if err != nil {
		return err
	}
	// The version is the hash of the site, but the site contains its version. So the site is first
	// generated without a version.
	version := "none"
	for range 2 {
		if err := app.GenerateStaticWebsite(dir, newHandler(a, host, version, documentation), paths...); err != nil {
			return err
		}
		if err := adjust(dir, a); err != nil {
			return err
		}
		version, err = hashDir(dir)
		if err != nil {
			return err
		}
	}
	return nil
}

// writeDocs writes the documentation and returns the paths of its pages and files.
func writeDocs(dir string, a *assets) ([]string, error) {
	files, err := docs.Render(docs.Site{Style: a.urls[styleSheet], Theme: a.urls["theme.js"], Search: a.urls["search.js"], Lesson: a.urls["lesson.js"], Icon: a.urls["icons/berth.svg"]})
	if err != nil {
		return nil, err
	}
	for name, content := range files {
		if path.Ext(name) == ".html" {
			files[name] = rebase(content, a.base)
		}
	}
	return docs.Paths(files), writeFiles(dir, files)
}

func newHandler(a *assets, host, version string, documentation []string) *app.Handler {
	cached := append(slices.Clone(documentation), "/berth.mjs", "/berth.json")
	for _, p := range pages {
		cached = append(cached, strings.TrimSuffix(p.path, "/")+"/")
	}
	for _, name := range a.names() {
		cached = append(cached, "/web/"+name)
	}
	return &app.Handler{
		Name:            "Berth",
		Icon:            app.Icon{Default: "/web/icons/berth-192.png", Large: "/web/icons/berth-512.png", Maskable: "/web/icons/berth-512.png", SVG: "/web/icons/berth.svg"},
		Image:           "/web/icons/berth-512.png",
		Domain:          host,
		Description:     pages[0].description,
		BackgroundColor: "#ffffff",
		ThemeColor:      "#0b5c87",
		LoadingLabel:    "Loading Berth: {progress} %",
		Styles:          []string{"/web/" + styleSheet},
		// theme.js and boot.js block on purpose: they must take effect before the first paint.
		// The others run before the page's own code; see [scriptsFirst].
		Scripts:               []string{"/web/theme.js", "/web/boot.js", "/web/controls.js defer", "/web/panzoom.js defer", "/web/rove.js defer", "/web/offline.js defer"},
		CacheableResources:    cached,
		Env:                   map[string]string{"BERTH_VERSION": version},
		Resources:             a,
		Version:               version,
		WasmContentLength:     strconv.Itoa(len(a.content[a.urls["app.wasm"]])),
		ServiceWorkerTemplate: strings.ReplaceAll(serviceWorker, "{{.Base}}", a.base),
	}
}

// hostOf returns the host of an origin such as https://example.org.
func hostOf(origin string) (string, error) {
	if origin == "" {
		return "", nil
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return "", fmt.Errorf("origin is %q; it must look like https://example.org", origin)
	}
	return u.Host, nil
}

// hashDir returns the hash of all paths and contents below dir.
func hashDir(dir string) (string, error) {
	var sum bytes.Buffer
	err := filepath.WalkDir(dir, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(file)
		fmt.Fprintf(&sum, "%s %x\n", file[len(dir):], sha256.Sum256(content))
		return err
	})
	hash := sha256.Sum256(sum.Bytes())
	return hex.EncodeToString(hash[:8]), err
}
