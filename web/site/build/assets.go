package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// assets are the files below /web/. Each file name contains the hash of the content, so that a
// browser may cache the file for ever. assets is the app.ResourceResolver of the generated pages.
type assets struct {
	base    string            // prefix of each path of the site: "", or "/berth"
	urls    map[string]string // plain name to path: "icons/berth.svg" to "/web/icons/berth.0123456789.svg"
	content map[string][]byte // by path
}

func newAssets() *assets {
	return &assets{urls: map[string]string{}, content: map[string][]byte{}}
}

// add adds a file under its plain name, with slashes.
func (a *assets) add(name string, content []byte) error {
	if _, ok := a.urls[name]; ok {
		return fmt.Errorf("two assets are called %s", name)
	}
	sum := sha256.Sum256(content)
	ext := path.Ext(name)
	url := "/web/" + strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:5]) + ext
	a.urls[name] = url
	a.content[url] = content
	return nil
}

// addDir adds every file below dir except skip, named relative to dir.
func (a *assets) addDir(dir string, skip ...string) error {
	return filepath.WalkDir(dir, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil || slices.Contains(skip, name) {
			return err
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return a.add(filepath.ToSlash(name), content)
	})
}

// addFiles adds files in a folder, by their plain names.
func (a *assets) addFiles(dir string, files map[string]string) error {
	for name, file := range files {
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err == nil {
			err = a.add(name, content)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addBoot adds boot.js, which contains the URLs of all other assets.
func (a *assets) addBoot(file string) error {
	script, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return a.add("boot.js", bytes.Replace(script, []byte("{{.Assets}}"), a.json(), 1))
}

// Resolve returns the URL of "/web/<plain name>" or of another path of the site. It
// returns any other location unchanged.
func (a *assets) Resolve(location string) string {
	if url, ok := a.urls[strings.TrimPrefix(location, "/web/")]; ok {
		location = url
	}
	if strings.HasPrefix(location, "/") {
		return a.base + location
	}
	return location
}

// names lists the plain names in alphabetical order.
func (a *assets) names() []string { return slices.Sorted(maps.Keys(a.urls)) }

// styleSheet is the name of the style sheet of all pages.
const styleSheet = "site.css"

// joinStyles replaces all style sheets by one, because a browser waits for each before it shows
// a page. Pico comes before the others, which refine it.
func (a *assets) joinStyles() error {
	var all []byte
	for _, name := range append([]string{"pico.css"}, a.names()...) {
		if url, ok := a.urls[name]; ok && path.Ext(name) == ".css" {
			all = append(append(all, a.content[url]...), '\n')
			delete(a.urls, name)
			delete(a.content, url)
		}
	}
	return a.add(styleSheet, all)
}

// json encodes the map from plain names to URLs.
func (a *assets) json() []byte {
	urls := map[string]string{}
	for name, url := range a.urls {
		urls[name] = a.base + url
	}
	text, err := json.Marshal(urls)
	if err != nil {
		panic(err) // a map of strings always encodes
	}
	return text
}

// writeFiles writes files by their paths in the site, and creates their folders.
func writeFiles(dir string, files map[string][]byte) error {
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
