package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"berth/engine/qos"
	"berth/engine/sim"
	"berth/engine/workload"
)

// reopenable is a file that is read more than once. Standard input is kept in
// memory; other files never are.
type reopenable struct {
	name string
	data []byte
	last *os.File
}

func (c *call) reopenable(name string) (*reopenable, error) {
	if name == "-" {
		name, data, err := c.read(name)
		return &reopenable{name: name, data: data}, err
	}
	if info, err := os.Stat(name); err != nil {
		return nil, unreadable(name, err)
	} else if info.IsDir() {
		return nil, badInputf("%s: is a directory, not a file", name)
	}
	return &reopenable{name: name}, nil
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

// stream hands a file to a reader. Errors are the user's.
func (c *call) stream(name string, read func(name string, r io.Reader) error) error {
	file, err := c.reopenable(name)
	if err != nil {
		return err
	}
	r, err := file.open()
	if err != nil {
		return unreadable(name, err)
	}
	if file.last != nil {
		defer file.last.Close()
	}
	if err := read(file.name, r); err != nil {
		return asInput(err)
	}
	return nil
}

// requestsFile writes one line a request, in order of arrival.
type requestsFile struct {
	file     *os.File
	csv      *csv.Writer
	policy   string
	classes  []qos.Class
	ids      []string
	outcomes []qos.Outcome
}

var requestsHeader = []string{"policy", "id", "class", "submit_s", "run_s", "pending_s", "availability", "preemptions"}

func newRequestsFile(name string) (*requestsFile, error) {
	file, err := os.Create(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	w := &requestsFile{file: file, csv: csv.NewWriter(file)}
	return w, w.csv.Write(requestsHeader)
}

// begin listens to a run, and to its source for the ids.
func (w *requestsFile) begin(policy string, source workload.Source, config *qos.Config) workload.Source {
	w.policy, w.classes, w.ids, w.outcomes = policy, config.Classes, w.ids[:0], w.outcomes[:0]
	config.Finished = func(o *qos.Outcome) { w.outcomes = append(w.outcomes, *o) }
	return &identified{source, w}
}

// identified is a source that remembers ids.
type identified struct {
	workload.Source
	to *requestsFile
}

func (i *identified) Read(buffer []workload.Request) (int, error) {
	n, err := i.Source.Read(buffer)
	for _, r := range buffer[:n] {
		id := r.ID
		if id == "" {
			id = strconv.Itoa(len(i.to.ids) + 1)
		}
		i.to.ids = append(i.to.ids, id)
	}
	return n, err
}

func (w *requestsFile) end() error {
	slices.SortFunc(w.outcomes, func(a, b qos.Outcome) int { return int(a.Index) - int(b.Index) })
	for i := range w.outcomes {
		o := &w.outcomes[i]
		err := w.csv.Write([]string{
			w.policy, w.ids[o.Index], w.classes[o.Class].Name, seconds(o.Submit), seconds(o.Run), seconds(o.Pending),
			strconv.FormatFloat(o.Availability, 'g', -1, 64), strconv.Itoa(o.Preemptions),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *requestsFile) close() error {
	w.csv.Flush()
	if err := w.csv.Error(); err != nil {
		return err
	}
	return w.file.Close()
}

// seconds writes a time in seconds with no more digits than it has.
func seconds(t sim.Time) string {
	return strconv.FormatFloat(float64(t)/1000, 'f', -1, 64)
}

func simulationText(r *qos.Report) []byte {
	var b bytes.Buffer
	for _, p := range r.Policies {
		policyText(&b, p.Name, p)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", warning)
	}
	return b.Bytes()
}

// policyText writes the figures of one policy as a table of its classes.
func policyText(w io.Writer, title string, p qos.PolicyReport) {
	fmt.Fprintf(w, "%s: %d requests, %d preemptions, %d passes, %.3f s\n", title, p.Requests, p.Preemptions, p.Passes, p.Seconds)
	fmt.Fprintf(w, "  %-12s %9s %9s %8s %8s %8s %8s %12s\n", "class", "requests", "fulfilled", "mean", "p5", "p50", "min", "penalty")
	row := func(name string, f *qos.Figures) {
		a := &f.Availability
		fmt.Fprintf(w, "  %-12s %9d %9d %8.4f %8.4f %8.4f %8.4f %12.4f\n",
			name, f.Requests, f.Fulfilled, a.Mean, a.P5, a.P50, a.Min, f.Penalty)
	}
	for i := range p.Classes {
		row(p.Classes[i].Name, &p.Classes[i].Figures)
	}
	row(p.All.Name, &p.All.Figures)
}
