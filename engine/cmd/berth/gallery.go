package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	flag "github.com/spf13/pflag"

	"berth/engine/gallery"
	"berth/engine/input/packed"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/study"
)

var galleryCommand = &command{
	name: "gallery", group: experimentsGroup, summary: "run the papers' figures and judge whether they are reproduced",
	examples: `  # One figure at reduced size, judged
  berth gallery --figure thesis-6.3

  # Every figure at the papers' sizes; the same command continues after a stop
  berth gallery --full --store results

  # What the authors published, and the figures on it
  berth gallery --sources
  berth gallery --data DIR`,
	details: "Each figure is an experiment with criteria from its paper. Berth computes the verdict:\n" +
		ruled(study.Verdicts) + "\nThe evidence of a criterion is one of:\n" + ruled(study.EvidenceRules) + "\nHow criteria are judged:\n" + ruled(study.Rules) + `
--data takes the files of the authors that are in a folder or below it, also packed with
gzip, by their hashes. A figure then has two verdicts, on the authors' input and on
generated input; its own is the first. Figures 6.3 to 6.9 of the thesis have the
authors' input as a preset. --sources lists the files, with commands that fetch them.

--full runs the papers' sizes, if they are known; with --store it continues where it
stopped. --export prints the experiment of a figure, for berth sweep. --bundle writes
the experiment of the one --figure, without other choices that were judged. --format
bibtex prints the sources of the figures and runs nothing. --record writes the verdicts
of --full to a file, with the day, the time and the command of each figure; Berth shows
those of engine/gallery/recorded.json next to the reduced size.

--file uses a file of the authors instead of a generated one, if the paper's workload
is not public: with SLOT workload or trace Berth runs the paper's own experiment.`,
	setUp: flagged[galleryFlags](),
}

type galleryFlags struct {
	sweepFlags
	figures, files        list
	data                  string
	full, export, sources bool
	format                string
	record                *output
}

func (p *galleryFlags) register(c *call, f *flag.FlagSet) {
	f.Var(&p.figures, "figure", "only the figure `ID`, such as thesis-6.3; may be repeated")
	f.BoolVar(&p.full, "full", false, "run the sizes of the papers, which takes hours")
	choose(f, &p.format, "format", "what to print", "text", "json", "bibtex")
	f.Var(&p.files, "file", "use `SLOT=FILE` in the one --figure: workload, hosts or overheads of requests, trace of tasks; may be repeated")
	f.StringVar(&p.data, "data", "", "run on the authors' files that are in the folder `DIR` or below it")
	f.BoolVar(&p.sources, "sources", false, "list the files that the authors published instead of running anything")
	f.BoolVar(&p.export, "export", false, "print the experiment of the one --figure instead of running it")
	c.writes(f, "output", insteadOfStandard)
	p.record = c.writes(f, "record", "with --full, add each verdict to `FILE`")
	p.bundle = c.bundles(f)
	f.StringVar(&p.store, "store", "", storeUsage)
	p.registerWorkers(f, 1)
}

func (p *galleryFlags) run(c *call, _ []string) error {
	entries, err := chosenEntries(c, p.figures)
	if err == nil && len(p.files) > 0 {
		err = onFiles(c, entries, p.files)
	}
	files := gallery.AuthorFiles{}
	if err == nil && p.data != "" {
		err = takeFiles(c, files, p.data)
	}
	record := p.record
	switch {
	case err != nil:
		return err
	case p.data != "" && len(p.files) > 0:
		return c.misuse("--data and --file both say what stands in for generated input; expected one of them")
	case p.sources:
		return c.writeSources(p.format)
	case p.store != "" && p.nats != "":
		return c.misuse(storeOrServer)
	case p.export && len(p.figures) != 1:
		return c.misuse("--export needs one --figure")
	case record.name != "" && !p.full:
		return c.misuse("--record needs --full")
	case record.name != "" && record.place == "":
		return c.misuse("--record: %s cannot keep results; expected the name of a file", record.name)
	case p.bundle.name != "" && (len(p.figures) != 1 || p.export || p.format == "bibtex"):
		return c.misuse("--bundle needs one --figure that is run")
	case p.format == "bibtex":
		return c.write(references(entries))
	case p.export:
		return c.write(scenario.Encode(entries[0].OnInputs(files)[0].Scenario(p.full)))
	}
	if record.name != "" { // returns an error for a file without records before anything runs
		if _, err := recordIn(record, gallery.Record{}); err != nil {
			return err
		}
	}
	at, err := p.open(c, true) // keeps results, because figures share runs
	if err != nil {
		return err
	}
	defer at.close()
	var all []gallery.Judged
	failed := 0
	for i := range entries {
		begun, before := time.Now(), p.carried.Load()
		one, err := p.judge(c, at, &entries[i], files)
		if err != nil {
			return err
		}
		if record.name != "" {
			if err := addRecord(c, record, one.Record(begun, int(p.carried.Load()-before), time.Since(begun))); err != nil {
				return err
			}
		}
		all, failed = append(all, one), failed+one.Runs.Failed
		if p.format != "json" {
			if err := c.begin(figureText(&one, len(entries)-i-1)); err != nil {
				return err
			}
		}
	}
	if err := c.writeGallery(p.format, p.full, all); err != nil {
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
			known := show.Joined(gallery.List(), ", ", func(e gallery.Entry) string { return e.ID })
			return nil, c.misuse("--figure: there is no %q; known: %s", id, known)
		}
		chosen = append(chosen, e)
	}
	return chosen, c.distinct("figure", ids)
}

// onFiles replaces generated inputs of a single entry by files.
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
		name, data, err := c.text(name, scenario.MaxBytes)
		if err != nil {
			return err
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

// judge runs an entry and its variants on each available input, and judges the results. The first
// input goes into the bundle.
func (p *galleryFlags) judge(c *call, at *site, entry *gallery.Entry, files gallery.AuthorFiles) (gallery.Judged, error) {
	var inputs []gallery.OnInput
	for _, e := range entry.OnInputs(files) {
		s := e.Scenario(p.full)
		r, err := p.report(c, at, s, e.ID)
		if err == nil && inputs == nil {
			err = p.pack(s, r, e.Cite())
		}
		if err != nil {
			return gallery.Judged{}, err
		}
		on := gallery.OnInput{Input: e.Input, Setup: e.Setup, Outcome: e.Outcome(s, r), Chart: e.Chart(study.Of(s), r)}
		for _, v := range e.Tried {
			s := e.With(v, p.full)
			r, err := p.report(c, at, s, e.ID)
			if err != nil {
				return gallery.Judged{}, err
			}
			on.Tried = append(on.Tried, gallery.Tried{What: v.What, Outcome: e.Outcome(s, r)})
		}
		inputs = append(inputs, on)
	}
	j := entry.Judge(inputs)
	if !p.full {
		j.FullSize = entry.Recorded()
	}
	return j, nil
}

// takeFiles reads the files of the manifest in a folder and its subfolders.
func takeFiles(c *call, files gallery.AuthorFiles, folder string) error {
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		gzipped := strings.HasSuffix(name, ".gz")
		if err != nil || info.Size() > scenario.MaxBytes || !gzipped && !files.Has(info.Size()) {
			return err
		}
		_, data, err := c.read(name)
		if err != nil {
			return err
		}
		if gzipped {
			if data, err = packed.Unpack(data, scenario.MaxBytes); err != nil {
				return nil // not in the manifest
			}
		}
		files.Take(data)
		return nil
	})
	switch {
	case err != nil:
		return unreadable(folder, err)
	case len(files) == 0:
		return c.misuse("--data: no file in %s is one of the authors' files; berth gallery --sources lists them", folder)
	}
	return nil
}

// recordIn returns the content of a file of records, which need not exist, with one record added.
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

// addRecord adds a record to a file. It completes the file after each figure, because the next
// figure may take hours.
func addRecord(c *call, to *output, r gallery.Record) error {
	data, err := recordIn(to, r)
	if err != nil {
		return err
	}
	if to.beside == "" { // the output was completed after the previous figure
		if err := to.open(c.out); err != nil {
			return fmt.Errorf("%s: %w", to.name, pathless(err))
		}
	}
	return to.whole(data)
}

// report runs the experiment of an entry.
func (p *galleryFlags) report(c *call, at *site, s scenario.Scenario, id string) (*study.Report, error) {
	w, err := sweptOf(c, &p.sweepFlags, &document{Scenario: s, file: id, folder: "."})
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

// references returns the papers of the entries in BibTeX.
func references(entries []gallery.Entry) []byte {
	var all []string
	for _, p := range gallery.Papers() {
		if slices.ContainsFunc(entries, func(e gallery.Entry) bool { return e.Paper == p.ID }) {
			all = append(all, p.BibTeX)
		}
	}
	return []byte(strings.Join(all, "\n"))
}
