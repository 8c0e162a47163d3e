package lab

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/dot"
	"berth/engine/input/format/sniff"
	"berth/engine/input/packed"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// editable is the size of the largest file, in bytes, whose text the page reads. The page passes a
// larger file unread to a worker and reads only its beginning, to recognise the format.
const (
	editable  = 512 << 10
	beginning = 64 << 10
)

// fileReader reads files and shows the sources among the inputs.
type fileReader[I Inputs[I]] struct {
	lab *Lab[I]

	Trouble string  // an invalid file or a missing input, shown in the input pane
	Editing *Source // source with an open editor; nil for none
}

// Take reads files within limit and then calls then with all of them. It reports and leaves out
// unreadable files and files of another system. It asks before it reads files that may take much
// memory. No run starts until [fileReader.FilesRead] is called.
func (rd *fileReader[I]) Take(files []ui.File, limit ui.Sizes, then func([]*Source)) {
	files, rd.lab.Complaint = ui.WithinLimit(files, limit)
	rd.lab.Tell()
	if len(files) == 0 {
		return
	}
	rd.measure(slices.Clone(files), func(files []ui.File) {
		read := func() { rd.readAll(files, then) }
		if !rd.askForMemory(files, read) {
			read()
		}
	})
}

// TakeAll takes files in any format that the system reads.
func (rd *fileReader[I]) TakeAll(_ app.Context, files []ui.File) {
	rd.Take(files, rd.lab.system.Files.Limit, rd.lab.system.Files.Arrived)
}

// readAll reads files and calls then after the last one.
func (rd *fileReader[I]) readAll(files []ui.File, then func([]*Source)) {
	read := make([][]*Source, len(files))
	var packed *Bundle
	left := len(files)
	rd.AwaitFiles()
	for i, f := range files {
		rd.read(f, func(s []*Source, b *Bundle, problem string) {
			read[i] = s
			if b != nil {
				packed = b
			}
			if problem != "" {
				rd.complain(problem + leftOut(len(files)))
			}
			left--
			if left == 0 {
				rd.haveRead(slices.Concat(read...), packed, then)
			}
		})
	}
}

// haveRead passes on the files that were read, or opens the bundle among them.
func (rd *fileReader[I]) haveRead(read []*Source, packed *Bundle, then func([]*Source)) {
	if packed == nil {
		then(rd.Own(read))
		return
	}
	rd.lab.Opening.openBundle(packed)
	rd.FilesRead()
}

// TakeFirst reads the first of some files and calls use with it, if that succeeds.
func (rd *fileReader[I]) TakeFirst(files []ui.File, limit int64, use func(*Source)) {
	rd.Take(files[:1], ui.AtMost(limit), func(read []*Source) {
		for _, s := range read {
			use(s)
		}
		rd.FilesRead()
	})
}

// read reads a file: a source, plain or packed, or a zip with several sources or a
// bundle.
func (rd *fileReader[I]) read(f ui.File, then func(s []*Source, b *Bundle, problem string)) {
	most := f.Size
	if most > editable {
		most = beginning
	}
	f.Read(rd.lab.Page, most, func(_ app.Context, data []byte, problem string) {
		switch {
		case problem != "":
			then(nil, nil, problem)
		case packed.Addable(data):
			rd.readLater(f.Name, blobOf(f.Value), rd.lab.Opening.unpack, then)
		case scenario.Carries(data):
			rd.readLater(f.Name, blobOf(f.Value), rd.carried, then)
		default:
			then([]*Source{sourceOf(f.Name, f.Size, data, blobOf(f.Value))}, nil, "")
		}
	})
}

// readLater calls read, which may block, off the page's goroutine.
func (rd *fileReader[I]) readLater(name string, file bridge.Blob, read func(name string, file bridge.Blob) ([]*Source, *Bundle, error), then func(s []*Source, b *Bundle, problem string)) {
	var sources []*Source
	var b *Bundle
	rd.lab.Try(func() (err error) {
		sources, b, err = read(name, file)
		return err
	}, func(err error) {
		if err != nil {
			then(nil, nil, name+": "+err.Error())
			return
		}
		then(sources, b, "")
	})
}

// carried reads the scenario from a picture or a report; it blocks.
func (rd *fileReader[I]) carried(name string, file bridge.Blob) ([]*Source, *Bundle, error) {
	data, err := file.Bytes(rd.lab.Page)
	if err != nil {
		return nil, nil, err
	}
	document, err := scenario.Carried(data)
	return []*Source{sourceOf(name, int64(len(document)), document, bridge.NewBlob(document))}, nil, err
}

// sourceOf makes the source of a file of this size. data is its beginning or all of it. The source
// holds the text unless it is too large or cannot be unpacked here; in that case a worker reads the
// file and reports any errors.
func sourceOf(name string, size int64, data []byte, file bridge.Blob) *Source {
	text, err := packed.Unpack(data, editable)
	if err != nil || size > editable {
		return &Source{Source: scenario.Source{Name: name}, File: file, head: string(text[:min(len(text), beginning)])}
	}
	return TextSource(strings.TrimSuffix(name, ".gz"), string(dot.Text(text)))
}

// AwaitFiles records that files are being read, so that no run starts without them.
func (rd *fileReader[I]) AwaitFiles() {
	rd.lab.reading++
	rd.lab.Phase, rd.lab.Intake.last = Idle, nil
	rd.lab.Tell()
}

// FilesRead ends the wait that AwaitFiles began, and starts a run that waited for the
// files. Errors about the files stay on screen.
func (rd *fileReader[I]) FilesRead() {
	rd.lab.rest()
	rd.lab.settle(rd.lab.Rest)
	rd.lab.reading--
	if rd.lab.reading == 0 && rd.lab.waiting {
		rd.lab.Runs.Run()
	}
}

// OpenAmong opens the scenario among files in the view for its kind, and then calls opened. If no
// file is a valid scenario, it reports the errors of the invalid scenarios and calls none with the
// other files.
func (rd *fileReader[I]) OpenAmong(files []*Source, opened func(), none func([]*Source)) {
	var s scenario.Scenario
	name := ""
	wrong := map[*Source]error{}
	rd.lab.Later(func() {
		for _, t := range files {
			data, err := rd.object(t)
			if err == nil && data == nil {
				continue
			}
			if err == nil {
				s, err = rd.lab.Engine.OpenScenario(rd.lab.Page, bridge.OpenQuery{}, data)
			}
			if err == nil {
				name = "open " + t.Name
				return
			}
			if sniff.Look(t.Head(), sniff.Documents).Is(sniff.Documents) {
				wrong[t] = err
			}
		}
	}, func() {
		switch {
		case name == "":
			none(rd.withoutWrong(files, wrong))
			return
		case s.Kind != rd.lab.system.Kind.Name:
			Open(rd.lab.Page, name, s)
		default:
			rd.lab.Opening.giveWay(name, s, nil)
		}
		opened()
	})
}

// withoutWrong reports the errors of scenarios among files, and returns the other
// files.
func (rd *fileReader[I]) withoutWrong(files []*Source, wrong map[*Source]error) []*Source {
	return slices.DeleteFunc(slices.Clone(files), func(t *Source) bool {
		err, is := wrong[t]
		if is {
			rd.complain(InFile(t, err) + leftOut(len(files)))
		}
		return is
	})
}

// object returns the whole text of a file that holds a JSON object; nil for other
// files.
func (rd *fileReader[I]) object(t *Source) ([]byte, error) {
	if found := sniff.Look(t.Head(), sniff.Documents); found.Format != nil && !found.Doubtful && !found.Is(sniff.Documents) {
		return nil, nil
	}
	text, begins := strings.CutPrefix(strings.TrimSpace(t.Head()), "{")
	text = strings.TrimSpace(text)
	switch {
	case !begins || text != "" && text[0] != '"' && text[0] != '}' || t.Size() > scenario.MaxBytes:
		return nil, nil
	case !t.Large():
		return []byte(t.Text), nil
	}
	data, err := t.File.Bytes(rd.lab.Page)
	if err != nil {
		return nil, err
	}
	return packed.Unpack(data, scenario.MaxBytes)
}
