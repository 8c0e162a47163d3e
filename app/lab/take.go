package lab

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// editable is the largest file, in bytes, whose text is read into the page;
// larger ones go to the worker as they are.
const editable = 256 << 10

// Take reads files of at most limit bytes each and calls then with them, all at
// once when the last one was read; files that cannot be read, or only by another
// system, are told and left out. Until [Lab.FilesRead] is called nothing runs.
func (l *Lab[I]) Take(files []ui.File, limit int64, then func([]*Source)) {
	files, l.Complaint = ui.WithinLimit(files, limit)
	l.Tell()
	if len(files) == 0 {
		return
	}
	read := make([]*Source, len(files))
	left := len(files)
	l.AwaitFiles()
	for i, f := range files {
		l.read(f, func(s *Source, problem string) {
			read[i] = s
			l.Complaint = strings.TrimSpace(l.Complaint + " " + problem)
			if left--; left == 0 {
				then(l.Own(slices.DeleteFunc(read, func(s *Source) bool { return s == nil })))
			}
		})
	}
}

// TakeFirst reads the first of some files, if it can be read, and goes on.
func (l *Lab[I]) TakeFirst(files []ui.File, limit int64, use func(*Source)) {
	l.Take(files[:1], limit, func(read []*Source) {
		for _, s := range read {
			use(s)
		}
		l.FilesRead()
	})
}

func (l *Lab[I]) read(f ui.File, then func(s *Source, problem string)) {
	if f.Size > editable {
		then(fileSource(f), "")
		return
	}
	f.Read(l.Page, func(_ app.Context, data []byte, problem string) {
		if problem != "" {
			then(nil, problem)
			return
		}
		then(sourceOf(f, data), "")
	})
}

// sourceOf is the source of a file with so many bytes: its text, unless that
// cannot be unpacked here. A worker then says what is wrong with it.
func sourceOf(f ui.File, data []byte) *Source {
	text, err := scenario.Unpack(data, editable)
	if err != nil {
		return fileSource(f)
	}
	return TextSource(strings.TrimSuffix(f.Name, ".gz"), string(text))
}

// fileSource is a source whose text the page does not look at.
func fileSource(f ui.File) *Source {
	return &Source{Source: scenario.Source{Name: f.Name}, File: blobOf(f.Value)}
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

// OpenAmong opens the scenario that is among files, in the view of its kind, and
// then calls opened, or none if there is none.
func (l *Lab[I]) OpenAmong(files []*Source, opened, none func()) {
	var s scenario.Scenario
	name := ""
	l.Later(func() {
		for _, t := range files {
			if !strings.HasPrefix(strings.TrimSpace(t.Text), "{") {
				continue
			}
			var err error
			if s, err = l.Engine.OpenScenario(l.Page, bridge.OpenQuery{}, []byte(t.Text)); err == nil {
				name = "open " + t.Name
				return
			}
		}
	}, func() {
		switch {
		case name == "":
			none()
			return
		case s.Kind != l.system.Kind.Name:
			Open(l.Page, name, s)
		default:
			l.GiveWay(name, l.system.Of(s))
		}
		opened()
	})
}
