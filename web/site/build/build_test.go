package build

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"berth/engine/must"
)

// exampleAssets returns the files of a small site, without compiled programs.
func exampleAssets(t *testing.T, boot string) *assets {
	t.Helper()
	a := newAssets()
	for _, name := range []string{"app.wasm", "graphviz.wasm", "wasm_exec.js", "pico.css", "a.css", "offline.js", "first.js",
		"icons/berth.svg", "icons/berth-192.png", "icons/berth-512.png"} {
		must.Do(t, a.add(name, []byte("content of "+name)))
	}
	must.Do(t, a.joinStyles())
	file := filepath.Join(t.TempDir(), "boot.js")
	must.Do(t, os.WriteFile(file, []byte(boot), 0o644))
	must.Do(t, a.addBoot(file))
	return a
}

// writeExample writes the pages of a site and returns its files by name.
func writeExample(t *testing.T, a *assets) map[string]string {
	t.Helper()
	return writeExampleAt(t, a, "https://berth.example")
}

func writeExampleAt(t *testing.T, a *assets, origin string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, writePages(dir, a, origin))
	files := map[string]string{}
	must.Do(t, filepath.WalkDir(dir, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(file)
		files[filepath.ToSlash(strings.TrimPrefix(file, dir+string(filepath.Separator)))] = string(content)
		return err
	}))
	return files
}

func version(t *testing.T, files map[string]string) string {
	t.Helper()
	match := regexp.MustCompile(`cacheName = prefix \+ "(\w+)"`).FindStringSubmatch(files["app-worker.js"])
	if match == nil {
		t.Fatal("the service worker names no version")
	}
	return match[1]
}

func TestPagesAreTheSameEachTime(t *testing.T) {
	a := exampleAssets(t, "boot")
	first := writeExample(t, a)
	for range 3 {
		for name, content := range writeExample(t, a) {
			if content != first[name] {
				t.Fatalf("%s differs from build to build", name)
			}
		}
	}
	if other := writeExample(t, exampleAssets(t, "boots")); version(t, other) == version(t, first) {
		t.Error("another content has the same version")
	}
}

func TestPages(t *testing.T) {
	a := exampleAssets(t, `const assets = {{.Assets}};`)
	files := writeExample(t, a)
	inline := regexp.MustCompile(`(?i)<script(?: defer)?>| on\w+=|javascript:`)
	for _, v := range pages {
		name := pageFile(v.path)
		page := files[name]
		if !strings.Contains(page, "<title>"+v.title+"</title>") {
			t.Errorf("%s has not the title %q", name, v.title)
		}
		if found := inline.FindString(page); found != "" {
			t.Errorf("%s has an inline script: %s", name, found)
		}
	}
	index := files["index.html"]
	for _, want := range []string{
		`<div id="first">`, `id="first-answers"`, `src="/web/first.`, `src="/web/boot.`, `src="/web/wasm_exec.`, `content="https://berth.example/web/icons/berth-512.`,
	} {
		if !strings.Contains(index, want) {
			t.Errorf("index.html lacks %s", want)
		}
	}
	if style := string(a.content[a.urls[styleSheet]]); style != "content of pico.css\ncontent of a.css\n" || strings.Count(index, `/web/site.`) != 1 {
		t.Errorf("the base style must come before what refines it, in one file: %q", style)
	}
	if strings.Index(index, "/web/boot.") > strings.Index(index, "/web/site.") {
		t.Error("a script that blocks waits for the style sheet")
	}
	if strings.Contains(index, "/web/app.wasm") || strings.Contains(files["app.js"], `"/web/app.wasm"`) {
		t.Error("a page names an asset without its hash")
	}
	if !strings.Contains(files["app.js"], "berth.instantiate(go,") {
		t.Error("go-app does not start the module of boot.js")
	}
	if _, own := files["wasm_exec.js"]; own || strings.Contains(index+files["app-worker.js"], `"/wasm_exec.js"`) {
		t.Error("a page has go-app's wasm_exec.js and not the compiler's")
	}
}

// pageFile returns the site's file for a path: the index of a folder, which every server returns
// for it.
func pageFile(path string) string {
	return strings.TrimPrefix(strings.TrimSuffix(path, "/")+"/index.html", "/")
}

// A site below another path refers to nothing outside it.
func TestSiteBelowAPath(t *testing.T) {
	a := exampleAssets(t, `const assets = {{.Assets}};`)
	a.base = "/berth"
	outside := regexp.MustCompile(`(?: (?:href|src)=|["(])"?/(?:web|docs|placement|qos|federate|gallery|library|about|app|manifest)\b`)
	files := writeExample(t, a)
	for name, content := range files {
		if content, _, _ := strings.Cut(content, `<script id="first-answers"`); strings.HasPrefix(name, "docs/files/") {
			continue
		} else if found := outside.FindAllString(content, -1); found != nil && name != "app.css" {
			t.Errorf("%s names %q, want all of it below /berth", name, found)
		}
	}
	for name, want := range map[string][]string{
		"manifest.webmanifest":    {`"scope":"/berth/"`, `"start_url":"/berth/"`, `"src":"/berth/web/icons/`},
		"app.js":                  {`"/berth/app-worker.js"`, `GOAPP_ROOT_PREFIX":"/berth/"`, `GOAPP_STATIC_RESOURCES_URL":"/berth/web"`},
		"app-worker.js":           {`"berth/berth-"`, `"/berth/"`, `"/berth/qos/"`, `"/berth/docs/formats/"`},
		"docs/formats/index.html": {`href="/berth/placement"`, `href="/berth/docs/qos"`},
		"404.html":                {`<a href="/berth/">`},
		"qos/index.html":          {`href="/berth/placement"`, `src="/berth/web/wasm_exec.`, `src="/berth/web/first.`},
	} {
		for _, part := range want {
			if !strings.Contains(files[name], part) {
				t.Errorf("%s lacks %s", name, part)
			}
		}
	}
	if boot := string(a.json()); strings.Contains(boot, `"/web/`) || !strings.Contains(boot, `"/berth/web/app.`) {
		t.Errorf("boot.js is told %s", boot)
	}
}

func TestBase(t *testing.T) {
	for base, want := range map[string]string{"": "", "/": "", "/berth/": "/berth", "/a.b/c-d/": "/a.b/c-d"} {
		if got, err := prefixOf(base); got != want || err != nil {
			t.Errorf("%q gives %q (%v), want %q", base, got, err, want)
		}
	}
	for _, base := range []string{"berth", "/berth", "berth/", "//", "/../", `/a"b/`, "https://berth.example/"} {
		if got, err := prefixOf(base); err == nil {
			t.Errorf("%q is taken, as %q", base, got)
		}
	}
}

func TestMetadataIsCompleteOrAbsent(t *testing.T) {
	a := exampleAssets(t, "boot")
	meta := regexp.MustCompile(`<meta [^>]*(?:og:url|og:image|author)[^>]*>`)
	without, with := writeExampleAt(t, a, ""), writeExample(t, a)
	for _, v := range pages[1:] {
		name := pageFile(v.path)
		if found := meta.FindAllString(without[name], -1); found != nil {
			t.Errorf("%s of a site without a domain has %s", name, found)
		}
		want := `<meta content="https://berth.example` + v.path + `" property="og:url">`
		if found := meta.FindAllString(with[name], -1); len(found) != 2 || found[0] != want {
			t.Errorf("%s has %s, want %s and a picture", name, found, want)
		}
	}
}

func TestServiceWorkerCachesEverythingOnce(t *testing.T) {
	a := exampleAssets(t, "boot")
	worker := writeExample(t, a)["app-worker.js"]
	list := regexp.MustCompile(`resources = \[(.*)\]`).FindStringSubmatch(worker)
	if list == nil {
		t.Fatal("the service worker does not list what it keeps")
	}
	seen := map[string]int{}
	for _, path := range strings.Split(list[1], ",") {
		seen[strings.Trim(path, `"`)]++
	}
	want := []string{"/", "/placement/", "/about/", "/docs/", "/docs/formats/", "/app.js", "/app.css", "/manifest.webmanifest"}
	for url := range a.content {
		want = append(want, url)
	}
	for _, path := range want {
		if seen[path] != 1 {
			t.Errorf("%s is listed %d times, want once", path, seen[path])
		}
	}
}

// The themes differ only in colours, so a page that is accessible in one theme can only have too
// little contrast in the other.
func TestThemesDifferInColoursAlone(t *testing.T) {
	files, err := filepath.Glob("../../assets/*.css")
	if err != nil || len(files) == 0 {
		t.Fatalf("the styles are %v (%v)", files, err)
	}
	comment, theme := regexp.MustCompile(`(?s)/\*.*?\*/`), regexp.MustCompile(`prefers-color-scheme|data-theme`)
	for _, file := range files {
		styles := must.Get(os.ReadFile(file))(t)
		if found := theme.Find(comment.ReplaceAll(styles, nil)); found != nil {
			t.Errorf("%s has rules for a theme with %s, want colours with light-dark()", filepath.Base(file), found)
		}
	}
}

func TestAssetNames(t *testing.T) {
	a := newAssets()
	must.Do(t, a.add("icons/a.svg", []byte("<svg/>")))
	if got := a.Resolve("/web/icons/a.svg"); !regexp.MustCompile(`^/web/icons/a\.[0-9a-f]{10}\.svg$`).MatchString(got) {
		t.Errorf("resolved to %s", got)
	}
	if got := a.Resolve("/app.js"); got != "/app.js" {
		t.Errorf("/app.js resolved to %s", got)
	}
	if err := a.add("icons/a.svg", nil); err == nil {
		t.Error("one name was taken twice")
	}
}

func TestCompress(t *testing.T) {
	dir := t.TempDir()
	text := bytes.Repeat([]byte("berth "), 1000)
	for _, name := range []string{"a.js", "b.png"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	report := must.Get(compress(dir, 5))(t)
	packed := must.Get(os.ReadFile(filepath.Join(dir, "a.js.br")))(t)
	if unpacked, err := io.ReadAll(brotli.NewReader(bytes.NewReader(packed))); err != nil || !bytes.Equal(unpacked, text) {
		t.Errorf("a.js.br does not unpack to a.js (%v)", err)
	}
	if want := (File{Path: "a.js", Size: len(text), Compressed: len(packed)}); report[0] != want {
		t.Errorf("reported %+v, want %+v", report[0], want)
	}
	if _, err := os.Stat(filepath.Join(dir, "b.png.br")); !os.IsNotExist(err) {
		t.Error("a picture was compressed")
	}
}

func TestOrigin(t *testing.T) {
	for origin, want := range map[string]string{"": "", "https://berth.example": "berth.example", "http://localhost:8080/": "localhost:8080"} {
		if got, err := hostOf(origin); got != want || err != nil {
			t.Errorf("host of %q is %q (%v)", origin, got, err)
		}
	}
	if _, err := hostOf("berth.example"); err == nil {
		t.Error("an origin without a scheme was taken")
	}
}
