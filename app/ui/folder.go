package ui

import (
	"cmp"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/sorting"
)

// folderWalk collects the files in dropped folders. The browser answers each request with a
// callback, all of them on its one thread.
type folderWalk struct {
	files   []File
	first   string // name of the first entry
	pending int    // outstanding answers
	done    func([]File)
}

// walk finds the files among the entries of a file system and in their folders. It returns them in
// the order of their paths, which become their names. Like in zip files, it skips hidden files. It
// stops after [mostFiles] files.
func (w *folderWalk) walk(entries app.Value) {
	w.first = entries.Index(0).Get("name").String()
	w.pending++
	w.entries(entries)
	w.answered()
}

func (w *folderWalk) entries(list app.Value) {
	for i := range list.Length() {
		e := list.Index(i)
		name := strings.TrimPrefix(e.Get("fullPath").String(), "/")
		switch {
		case strings.HasPrefix(e.Get("name").String(), ".") || len(w.files) > mostFiles:
		case e.Get("isDirectory").Bool():
			w.folder(name, e.Call("createReader"))
		default:
			w.ask(name, e, "file", func(file app.Value) {
				w.files = append(w.files, File{Name: name, Size: int64(file.Get("size").Float()), Value: file})
			})
		}
	}
}

// folder reads a folder to its end; the reader returns some entries per call.
func (w *folderWalk) folder(name string, reader app.Value) {
	w.ask(name, reader, "readEntries", func(list app.Value) {
		if list.Length() > 0 {
			w.entries(list)
			w.folder(name, reader)
		}
	})
}

// ask calls a method of an entry with a callback; the name identifies the entry in errors.
func (w *folderWalk) ask(name string, of app.Value, method string, answer func(app.Value)) {
	w.pending++
	of.Call(method, oneOf(func(v app.Value) {
		answer(v)
		w.answered()
	}, func(reason app.Value) {
		w.files = append(w.files, File{Name: name, Problem: "could not be read: " + reason.Call("toString").String()})
		w.answered()
	})...)
}

func (w *folderWalk) answered() {
	if w.pending--; w.pending > 0 {
		return
	}
	if len(w.files) == 0 {
		w.files = []File{{Name: w.first, Problem: "has no files"}}
	}
	sorting.By(w.files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	w.done(w.files)
}
