package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	flag "github.com/spf13/pflag"

	"berth/engine/gallery"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/study"
)

var galleryCommand = &command{
	name: "gallery", group: experimentsGroup, summary: "run the papers' figures and judge whether they are reproduced",
	examples: `  # One figure at reduced size, judged
  berth gallery --figure thesis-6.3

  # Every figure at the papers' sizes; the same command continues after a stop
  berth gallery --full --store results`,
	details: `Each figure is an experiment with criteria from its paper. Berth computes the verdict:
agrees (every number is within its tolerance), direction (every order and trend holds
at the 5 % level), differs (the runs contradict one at the 5 % level) or undecided. If
a paper's workload is not public, Berth generates one, and the verdict is direction at
best.

--full runs the papers' sizes, if they are known; with --store it continues where it
stopped. --export prints the experiment of a figure, for berth sweep. --bundle writes
the experiment of the one --figure, without other choices that were judged. --format
bibtex prints the sources of the figures and runs nothing. --record writes the verdicts
of --full to a file, with the day, the time and the command of each figure; Berth shows
those of engine/gallery/recorded.json next to the reduced size.

--file uses a file of the authors instead of a generated one, if the paper's workload
is not public: with SLOT workload or trace Berth runs the paper's own experiment.`,
	setUp: func(c *call, f *flag.FlagSet) func([]string) error {
		p := &galleryFlags{}
		p.register(c, f)
		return func([]string) error { return p.run(c) }
	},
}

type galleryFlags struct {
	sweepFlags
	figures, files list
	full, export   bool
	format         *choice
	record         *output
}

func (p *galleryFlags) register(c *call, f *flag.FlagSet) {
	f.Var(&p.figures, "figure", "only the figure `ID`, such as thesis-6.3; may be repeated")
	f.BoolVar(&p.full, "full", false, "run the sizes of the papers, which takes hours")
	p.format = choose(f, "format", "what to print", "text", "json", "bibtex")
	f.Var(&p.files, "file", "use `SLOT=FILE` in the one --figure: workload, hosts or overheads of requests, trace of tasks; may be repeated")
	f.BoolVar(&p.export, "export", false, "print the experiment of the one --figure instead of running it")
	c.writes(f, "output", insteadOfStandard)
	p.record = c.writes(f, "record", "with --full, add each verdict to `FILE`")
	p.bundle = c.bundles(f)
	f.StringVar(&p.store, "store", "", storeUsage)
	p.registerWorkers(f, 1)
}

func (p *galleryFlags) run(c *call) error {
	entries, err := chosenEntries(c, p.figures)
	if err == nil && len(p.files) > 0 {
		err = onFiles(c, entries, p.files)
	}
	record := p.record
	switch {
	case err != nil:
		return err
	case p.store != "" && p.nats != "":
		return c.misuse(storeOrServer)
	case p.export && len(p.figures) != 1:
		return c.misuse("--export needs one --figure")
	case record.name != "" && !p.full:
		return c.misuse("--record needs --full")
	case record.name != "" && record.place == "":
		return c.misuse("--record: %s cannot keep results; expected the name of a file", record.name)
	case p.bundle.name != "" && (len(p.figures) != 1 || p.export || p.format.value == "bibtex"):
		return c.misuse("--bundle needs one --figure that is run")
	case p.format.value == "bibtex":
		return c.write(references(entries))
	case p.export:
		return c.write(scenario.Encode(entries[0].Scenario(p.full)))
	}
	if record.name != "" { // a file that is no record is refused before anything runs
		if _, err := recordIn(record, gallery.Record{}); err != nil {
			return err
		}
	}
	at, err := p.open(c, true) // figures have runs in common
	if err != nil {
		return err
	}
	defer at.close()
	var all []gallery.Judged
	failed := 0
	for i := range entries {
		begun, before := time.Now(), p.carried.Load()
		one, err := judgeEntry(c, &p.sweepFlags, at, &entries[i], p.full)
		if err != nil {
			return err
		}
		if record.name != "" {
			if err := addRecord(c, record, one.Record(begun, int(p.carried.Load()-before), time.Since(begun))); err != nil {
				return err
			}
		}
		all, failed = append(all, one), failed+one.Runs.Failed
	}
	if err := c.writeGallery(p.format.value, p.full, all); err != nil {
		return err
	}
	if failed > 0 {
		return errNotPlaced
	}
	return nil
}

func chosenEntries(c *call, ids list) ([]gallery.Entry, error) {
	if len(ids) == 0 {
		return gallery.List(), nil
	}
	var chosen []gallery.Entry
	for _, id := range ids {
		e, ok := gallery.Lookup(id)
		if !ok {
			var known []string
			for _, e := range gallery.List() {
				known = append(known, e.ID)
			}
			return nil, c.misuse("--figure: there is no %q; known: %s", id, strings.Join(known, ", "))
		}
		if slices.ContainsFunc(chosen, func(e gallery.Entry) bool { return e.ID == id }) {
			return nil, c.misuse("--figure %s is given twice", id)
		}
		chosen = append(chosen, e)
	}
	return chosen, nil
}

// onFiles puts files in place of generated ones in the only entry.
func onFiles(c *call, entries []gallery.Entry, files list) error {
	if len(entries) != 1 {
		return c.misuse("--file needs one --figure")
	}
	sources := map[string]scenario.Source{}
	for _, file := range files {
		slot, name, ok := strings.Cut(file, "=")
		if _, twice := sources[slot]; !ok || slot == "" || twice {
			return c.misuse("--file: %s; expected SLOT=FILE, such as workload=requests.csv, each slot once", file)
		}
		name, data, err := c.read(name)
		if err != nil {
			return err
		}
		data, err = scenario.Unpack(data, scenario.MaxBytes)
		if err != nil {
			return unreadable(name, err)
		}
		sources[slot] = scenario.Source{Name: filepath.Base(name), Text: string(data)}
	}
	e, err := entries[0].On(sources)
	if err != nil {
		return c.misuse("--file: %v", err)
	}
	entries[0] = *e
	return nil
}

// judgeEntry runs an entry and what was tried with it.
func judgeEntry(c *call, p *sweepFlags, at *site, e *gallery.Entry, full bool) (gallery.Judged, error) {
	s := e.Scenario(full)
	r, err := reportOf(c, p, at, s, e.ID)
	if err != nil {
		return gallery.Judged{}, err
	}
	if err := p.pack(s, r); err != nil {
		return gallery.Judged{}, err
	}
	f := e.Judge(s, r)
	if !full {
		f.FullSize = e.Recorded()
	}
	for _, v := range e.Tried {
		s := e.With(v, full)
		r, err := reportOf(c, p, at, s, e.ID)
		if err != nil {
			return f, err
		}
		f.Tried = append(f.Tried, gallery.Tried{What: v.What, Outcome: e.Judge(s, r).Outcome})
	}
	return f, nil
}

// recordIn returns a file of records, which need not be there yet, with one more.
func recordIn(file *output, r gallery.Record) ([]byte, error) {
	data, err := os.ReadFile(file.name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, unreadable(file.name, err)
	}
	data, err = gallery.AddRecord(data, r)
	if err != nil {
		return nil, inFile(file.name, err)
	}
	return data, nil
}

// addRecord puts a record into a file, which is complete after each figure: the next one
// may take hours.
func addRecord(c *call, to *output, r gallery.Record) error {
	data, err := recordIn(to, r)
	if err != nil {
		return err
	}
	if to.beside == "" { // complete with the figure before
		if err := to.open(c.out); err != nil {
			return fmt.Errorf("%s: %w", to.name, pathless(err))
		}
	}
	return to.whole(data)
}

// reportOf carries out an experiment of an entry.
func reportOf(c *call, p *sweepFlags, at *site, s scenario.Scenario, id string) (*study.Report, error) {
	w, err := sweptOf(c, p, s, id, ".")
	if err == nil {
		err = w.carryOut(at)
	}
	if c.Err() != nil {
		return nil, fmt.Errorf("interrupted while %s ran", id)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", id, err)
	}
	return w.sheet.Report(), nil
}

// references are the papers of entries in BibTeX.
func references(entries []gallery.Entry) []byte {
	var all []string
	for _, p := range gallery.Papers() {
		if slices.ContainsFunc(entries, func(e gallery.Entry) bool { return e.Paper == p.ID }) {
			all = append(all, p.BibTeX)
		}
	}
	return []byte(strings.Join(all, "\n"))
}

func (c *call) writeGallery(format string, full bool, all []gallery.Judged) error {
	if format == "json" {
		data, err := encode(struct {
			Engine  string           `json:"engine"`
			Full    bool             `json:"full"`
			Figures []gallery.Judged `json:"figures"`
		}{scenario.Engine, full, all})
		if err != nil {
			return err
		}
		return c.write(data)
	}
	var b strings.Builder
	count := map[study.Verdict]int{}
	for _, f := range all {
		count[f.Verdict]++
		fmt.Fprintf(&b, "%s: %s. %s (%s)\n", f.ID, f.Verdict, f.Title, show.Count(f.Runs.All, "run"))
		if f.FullSize != nil {
			fmt.Fprintf(&b, "  at full size: %s (%s)\n", f.FullSize.Verdict, f.FullSize.How())
		}
		writeCriteria(&b, "  ", f.Criteria)
		for _, v := range f.Tried {
			fmt.Fprintf(&b, "  with %s: %s\n", v.What, v.Verdict)
			writeCriteria(&b, "    ", v.Criteria)
		}
	}
	fmt.Fprintf(&b, "\n%s:", show.Count(len(all), "figure"))
	for i, v := range []study.Verdict{study.Agrees, study.Direction, study.Differs, study.Undecided} {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %d %s", count[v], v)
	}
	b.WriteByte('\n')
	return c.write([]byte(b.String()))
}

func writeCriteria(w io.Writer, indent string, all []study.Judged) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, j := range all {
		fmt.Fprintf(t, "%s%s\t%s\t%s\texpected %s\tfound %s\t%s\n", indent, j.Verdict, j.ID, j.Says, j.Published, j.Ours, j.Why)
	}
	t.Flush()
}
