package ui

import (
	"fmt"
	"path"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// File is a file that the user chose or dropped. Its content is read only by Read.
type File struct {
	Name string
	Size int64

	// Value is the browser's File. It can be posted to a worker without passing through the page's
	// memory.
	Value app.Value

	Unpacked int64 // unpacked size in bytes; 0: unknown

	Problem string // reason why it cannot be read; "" if none is known
}

// Read reads at most most bytes from the start of the file, and calls done on the page's goroutine.
func (f File) Read(ctx app.Context, most int64, done func(ctx app.Context, data []byte, problem string)) {
	f.readPart(ctx, 0, most, done)
}

// ReadLast reads the last n bytes of the file, like [File.Read].
func (f File) ReadLast(ctx app.Context, n int64, done func(ctx app.Context, data []byte, problem string)) {
	f.readPart(ctx, max(0, f.Size-n), f.Size, done)
}

func (f File) readPart(ctx app.Context, from, to int64, done func(ctx app.Context, data []byte, problem string)) {
	Await(f.Value.Call("slice", from, to).Call("arrayBuffer"),
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

// Dropped passes the files of a drop or a paste to take. controls.js keeps them with the event.
// Only the first call for an event gets them.
func Dropped(ctx app.Context, e app.Event, take func(ctx app.Context, files []File)) {
	dropped := e.Get("dropped")
	e.Set("dropped", nil)
	if dropped.Truthy() {
		Await(dropped, func(files app.Value) {
			ctx.Dispatch(func(ctx app.Context) { take(ctx, FilesOf(files)) })
		}, func(app.Value) {}) // Read reports a file that cannot be read
	}
}

// FilesOf returns the files of a FileList, of a drop or of a paste.
func FilesOf(list app.Value) []File {
	if !list.Truthy() {
		return nil
	}
	files := make([]File, list.Length())
	for i := range files {
		value := list.Index(i)
		files[i] = File{Name: value.Get("name").String(), Size: int64(value.Get("size").Float()), Value: value}
		if problem := value.Get("problem"); problem.Truthy() {
			files[i].Problem = problem.String()
		}
	}
	return files
}

// mostFiles is the highest number of files that can be taken at once. controls.js has the same
// number.
const mostFiles = 1000

// Sizes limits the size of files in bytes by extension; the entry for "" applies to all other
// extensions.
type Sizes map[string]int64

func (l Sizes) of(name string) int64 {
	if most, ok := l[strings.ToLower(path.Ext(name))]; ok {
		return most
	}
	return l[""]
}

// WithinLimit returns the files that can be read and are within their limit, and sentences about
// the others, or "". It returns no file if there are more than mostFiles.
func WithinLimit(files []File, limit Sizes) (accepted []File, refused string) {
	if len(files) > mostFiles {
		return nil, fmt.Sprintf("There are more than %d files. Choose fewer.", mostFiles)
	}
	for _, f := range files {
		if f.Problem == "" && f.Size <= limit.of(f.Name) {
			accepted = append(accepted, f)
			continue
		}
		if refused != "" {
			refused += " "
		}
		if f.Problem != "" {
			refused += f.Name + " " + f.Problem + "."
			continue
		}
		refused += f.Name + " has " + Bytes(f.Size) + "; at most " + Bytes(limit.of(f.Name)) + " can be read."
	}
	return accepted, refused
}

// AtMost returns the same limit, in bytes, for all extensions.
func AtMost(bytes int64) Sizes { return Sizes{"": bytes} }
