package lab

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// editable is the largest file, in bytes, whose text is read into the page;
// larger ones go to the worker as they are.
const editable = 256 << 10

// Text is what a file holds: its text, or where that is too large to be edited
// the file itself.
type Text struct {
	Name string
	Text string
	File bridge.Blob
}

// Take reads files of at most limit bytes each and calls then with their texts,
// all at once when the last one was read; files that cannot be read are told and
// left out. Until [Lab.FilesRead] is called nothing runs.
func (l *Lab[I]) Take(files []ui.File, limit int64, then func([]Text)) {
	files, l.Complaint = ui.WithinLimit(files, limit)
	l.Tell()
	if len(files) == 0 {
		return
	}
	read := make([]*Text, len(files))
	left := len(files)
	l.AwaitFiles()
	for i, f := range files {
		l.read(f, func(t *Text, problem string) {
			read[i] = t
			l.Complaint = strings.TrimSpace(l.Complaint + " " + problem)
			if left--; left == 0 {
				then(present(read))
			}
		})
	}
}

func (l *Lab[I]) read(f ui.File, then func(t *Text, problem string)) {
	if f.Size > editable {
		then(&Text{Name: f.Name, File: blobOf(f.Value)}, "")
		return
	}
	f.Read(l.Page, func(_ app.Context, data []byte, problem string) {
		if problem != "" {
			then(nil, problem)
			return
		}
		then(&Text{Name: f.Name, Text: string(data)}, "")
	})
}

// present leaves out the files that could not be read.
func present(read []*Text) []Text {
	var texts []Text
	for _, t := range read {
		if t != nil {
			texts = append(texts, *t)
		}
	}
	return texts
}

// AwaitFiles notes that inputs are on their way, so that nothing runs without
// them.
func (l *Lab[I]) AwaitFiles() {
	l.reading++
	l.Phase = Idle
	l.Tell()
}

// FilesRead goes on with what waited for files. What went wrong with them stays
// on screen.
func (l *Lab[I]) FilesRead() {
	l.rest()
	l.settle(SettleTime)
	if l.reading--; l.reading == 0 && l.waiting {
		l.Run()
	}
}

// OpenAmong opens the scenario that is among texts, in the view of its kind, and
// reports whether there is one.
func (l *Lab[I]) OpenAmong(texts []Text) bool {
	for _, t := range texts {
		if !strings.HasPrefix(strings.TrimSpace(t.Text), "{") {
			continue
		}
		s, err := scenario.Decode([]byte(t.Text))
		if err != nil {
			continue
		}
		if s.Kind != l.system.Kind {
			Open(l.Page, "open "+t.Name, s)
		} else {
			l.GiveWay("open "+t.Name, l.system.Of(s))
		}
		return true
	}
	return false
}
