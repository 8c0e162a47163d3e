package ui

import (
	"fmt"
	"strings"
	"syscall/js"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// entries has two folders. shop has two files, which the browser returns one at a time, a subfolder
// with a file, a hidden file and one that cannot be read. empty has none.
const entries = `
	const file = (fullPath, text) => ({
		isDirectory: false, name: fullPath.split("/").at(-1), fullPath,
		file: (done, failed) => setTimeout(() => text == null ? failed(new Error("it is locked")) : done(new File([text], "any"))),
	});
	const folder = (fullPath, ...entries) => ({
		isDirectory: true, name: fullPath.split("/").at(-1), fullPath,
		createReader: () => { const left = [...entries]; return {readEntries: (done) => setTimeout(() => done(left.splice(0, 1)))} },
	});
	return [
		folder("/shop", file("/shop/web.yaml", "web"), file("/shop/.hidden", ""), folder("/shop/.git", file("/shop/.git/head", "")),
			folder("/shop/data", file("/shop/data/sql.yaml", "mysql")), file("/shop/locked", null)),
		folder("/empty"),
	]`

func TestFoldersAreWalked(t *testing.T) {
	loadControls(t)
	all := app.ValueOf(js.Global().Get("Function").New(entries).Invoke())
	for _, c := range []struct {
		name    string
		entries app.Value
		want    string
	}{
		{"all", all, `shop/data/sql.yaml 5 "", shop/locked 0 "could not be read: Error: it is locked", shop/web.yaml 3 ""`},
		{"empty", all.Call("slice", 1), `empty 0 "has no files"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := make(chan []File, 1)
			Await(app.Window().Get("berth").Call("walk", c.entries), func(found app.Value) { files <- FilesOf(found) }, func(app.Value) { files <- nil })
			var found []string
			for _, f := range <-files {
				found = append(found, fmt.Sprintf("%s %d %q", f.Name, f.Size, f.Problem))
			}
			if got := strings.Join(found, ", "); got != c.want {
				t.Errorf("found %s, want %s", got, c.want)
			}
		})
	}
}
