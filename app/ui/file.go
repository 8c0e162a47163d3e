package ui

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// File is a file that the user chose or dropped. Nothing of it is read until
// Read is called.
type File struct {
	Name string
	Size int64

	// Value is the browser's own File, which can be posted to a worker as it
	// is, without passing through the page's memory.
	Value app.Value
}

// Read reads the whole file and calls done on the page's goroutine.
func (f File) Read(ctx app.Context, done func(ctx app.Context, data []byte, problem string)) {
	Await(f.Value.Call("arrayBuffer"),
		func(buffer app.Value) {
			bytes := app.Window().Get("Uint8Array").New(buffer)
			data := make([]byte, bytes.Length())
			app.CopyBytesToGo(data, bytes)
			ctx.Dispatch(func(ctx app.Context) { done(ctx, data, "") })
		},
		func(reason app.Value) {
			text := f.Name + " could not be read: " + reason.Call("toString").String()
			ctx.Dispatch(func(ctx app.Context) { done(ctx, nil, text) })
		})
}

// FilesOf lists the files of a FileList or of an array of files.
func FilesOf(list app.Value) []File {
	if !list.Truthy() {
		return nil
	}
	files := make([]File, list.Length())
	for i := range files {
		value := list.Index(i)
		files[i] = File{
			Name:  value.Get("name").String(),
			Size:  int64(value.Get("size").Float()),
			Value: value,
		}
	}
	return files
}

// WithinLimit parts files into those of at most limit bytes and a sentence
// about the others, "" when there are none.
func WithinLimit(files []File, limit int64) (accepted []File, refused string) {
	for _, f := range files {
		if f.Size <= limit {
			accepted = append(accepted, f)
			continue
		}
		if refused != "" {
			refused += " "
		}
		refused += f.Name + " has " + Bytes(f.Size) + "; at most " + Bytes(limit) + " can be read."
	}
	return accepted, refused
}
