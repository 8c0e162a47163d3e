package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"berth/engine/plural"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/scenario/body"
	"berth/engine/show"
)

// reopenable is a file that is read more than once. Standard input and pipes are
// kept in memory; other files never are.
type reopenable struct {
	name string
	data []byte
	size int64
	last *os.File
}

func (c *call) reopenable(name string) (*reopenable, error) {
	if name == "-" {
		name, data, err := c.read(name)
		return &reopenable{name: name, data: data, size: int64(len(data))}, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	switch {
	case info.IsDir():
		return nil, badInputf("%s: is a directory, not a file", name)
	case !info.Mode().IsRegular():
		_, data, err := c.read(name)
		return &reopenable{name: name, data: data, size: int64(len(data))}, err
	}
	return &reopenable{name: name, size: info.Size()}, nil
}

// open starts again from the beginning and closes what was open before: the
// last reader of the file is the only one in use.
func (r *reopenable) open() (io.Reader, error) {
	if r.data != nil {
		return bytes.NewReader(r.data), nil
	}
	if r.last != nil {
		r.last.Close()
	}
	var err error
	r.last, err = os.Open(r.name)
	return r.last, err
}

// files are those that stand beside a document, by slot.
type files struct {
	*call
	bySlot map[string]*reopenable
}

// add finds the file that a source names; messages call it by the name that the
// source has afterwards.
func (f *files) add(slot body.Slot) error {
	file, err := f.reopenable(slot.Source.Name)
	if err != nil {
		return err
	}
	if f.bySlot == nil {
		f.bySlot = map[string]*reopenable{}
	}
	f.bySlot[slot.Name], slot.Source.Name = file, file.name
	return nil
}

// besideOf finds the files that stand beside a scenario, in its folder or below
// it and nowhere else: the scenario may be of another's making.
func (f *files) besideOf(s scenario.Scenario, name, folder string) error {
	where := "the folder " + folder
	if folder == "." {
		where = "the current folder"
	}
	for _, t := range s.Texts() {
		if !t.Beside {
			continue
		}
		wrong := func(format string, args ...any) error {
			return badInputf("%s: %s: the file %.200q %s", name, t.Slot, t.Name, fmt.Sprintf(format, args...))
		}
		source := body.Source{Name: filepath.Join(folder, t.Name)}
		switch {
		case t.Name == "-":
			return wrong("would be standard input, which no scenario reads; give the name of a file in its folder")
		case !filepath.IsLocal(t.Name):
			return wrong("is not in the folder of the scenario, where its files are read from")
		case f.overwrites(source.Name):
			return wrong("is the --%s as well, and would be lost", f.output.flag)
		}
		err := f.add(body.Slot{Name: t.Slot, Source: &source})
		if errors.Is(err, fs.ErrNotExist) {
			return wrong("is not there: put it into %s", where)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// open opens the file of a slot, for body.Env.
func (f *files) open(slot string) (io.Reader, int64, error) {
	file, ok := f.bySlot[slot]
	if !ok {
		return nil, 0, body.ErrNoText
	}
	r, err := file.open()
	return r, file.size, err
}

func simulationText(r *qos.Report) []byte {
	var b bytes.Buffer
	for _, p := range r.Policies {
		policyText(&b, p.Name, p)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", show.Lines(note))
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", show.Lines(warning))
	}
	return b.Bytes()
}

// policyText writes the figures of one policy as a table of its classes.
func policyText(w io.Writer, title string, p qos.PolicyReport) {
	fmt.Fprintf(w, "%s: %s, %s, %s, %s", show.Text(title), plural.Of(p.Requests, "request"), plural.Of(p.Preemptions, "preemption"),
		plural.Of(p.Passes, "pass"), plural.Of(p.Operations, "operation"))
	if p.Seconds > 0 { // it was measured
		fmt.Fprintf(w, ", %.3f s", p.Seconds)
	}
	fmt.Fprintln(w)
	fmt.Fprintf(w, "  %-12s %9s %9s %8s %8s %8s %8s %12s\n", "class", "requests", "fulfilled", "mean", "p5", "p50", "min", "penalty")
	row := func(name string, f *qos.Figures) {
		a := &f.Availability
		fmt.Fprintf(w, "  %-12s %9d %9d %8.4f %8.4f %8.4f %8.4f %12.4f\n",
			show.Text(name), f.Requests, f.Fulfilled, a.Mean, a.P5, a.P50, a.Min, f.Penalty)
	}
	for i := range p.Classes {
		row(p.Classes[i].Name, &p.Classes[i].Figures)
	}
	row(p.All.Name, &p.All.Figures)
	controllersText(w, p.Controllers)
}

// controllersText writes a table of the controllers, if there are any.
func controllersText(w io.Writer, all []qos.ControllerReport) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(w, "  %-20s %-12s %-12s %-12s %9s %8s %12s %5s\n", "controller", "kind", "class", "measure", "instances", "SLO", "availability", "met")
	met := 0
	for _, c := range all {
		word := "no"
		if c.Met {
			word = "yes"
			met++
		}
		fmt.Fprintf(w, "  %-20s %-12s %-12s %-12s %9d %8.4g %12.4f %5s\n", show.Text(c.Name), c.Kind, show.Text(c.Class), c.Measure, c.Instances, c.SLO, c.Availability, word)
	}
	mean, _ := qoskind.OfControllers(all)
	fmt.Fprintf(w, "  %s, %d of them with the SLO met, mean availability %.4f\n", plural.Of(len(all), "controller"), met, mean)
}
