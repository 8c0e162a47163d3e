package ui

import (
	"cmp"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/sorting"
)

// folderWalk collects the files in dropped folders. The browser answers each question
// with a callback, all on its one thread.
type folderWalk struct {
	files   []File
	first   string // name of the first entry
	pending int    // answers that are still to come
	done    func([]File)
}

// walk finds the files among entries of a file system and in the folders among them,
// and gives them in the order of their paths, which are their names. Like a zip's,
// hidden files are left out. It stops after [mostFiles] files.
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

// folder asks a reader, which gives some entries at a time, until it has no more.
func (w *folderWalk) folder(name string, reader app.Value) {
	w.ask(name, reader, "readEntries", func(list app.Value) {
		if list.Length() > 0 {
			w.entries(list)
			w.folder(name, reader)
		}
	})
}

// ask calls a method of the entry of this name with a callback for its answer.
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
