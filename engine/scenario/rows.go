package scenario

import (
	"errors"
	"fmt"
	"slices"
)

// Subject is a subject of a document with its number of seeds. The seeds are consecutive, starting
// with the document's.
type Subject struct {
	Name  string
	Seeds int // 0 means one
}

// SubjectsOf returns subjects with the same number of seeds.
func SubjectsOf(names []string, seeds int) []Subject {
	all := make([]Subject, len(names))
	for i, name := range names {
		all[i] = Subject{name, seeds}
	}
	return all
}

// Row is one run of a document, identified by the indexes of its subject and seed.
type Row struct {
	Subject, Seed int
	Name          string // unique among the rows
}

// Rows lists the runs of a document in order: all subjects with the first seed, then all
// with the second, and so on.
func Rows(d Document) (rows []Row) {
	all, first := d.Runs(), uint64(0)
	if seeded, ok := d.(Seeded); ok {
		first = *seeded.FirstSeed()
	}
	most := 1
	for _, s := range all {
		most = max(most, s.Seeds)
	}
	for seed := range most {
		for i, s := range all {
			if seed >= max(1, s.Seeds) {
				continue
			}
			name := s.Name
			if most > 1 {
				name += fmt.Sprintf(", seed %d", first+uint64(seed))
			}
			rows = append(rows, Row{i, seed, name})
		}
	}
	return rows
}

// Part is a scenario that is run separately, as a part of another.
type Part struct {
	Row      // zero for the whole scenario
	Scenario Scenario
}

// Parts returns the scenarios of the rows, which may run concurrently. If the kind has Leads, they
// are the scenario of the first row, which ends sooner, and the whole scenario. [Join] combines
// their reports.
func Parts(s Scenario) (parts []Part) {
	kind, _ := Lookup(s.Kind)
	for i, row := range Rows(s.Body) {
		if kind.Leads && i > 0 {
			return append(parts, Part{Scenario: s})
		}
		part := Part{row, s}
		part.Scenario.Body = s.Body.One(row.Subject, row.Seed)
		parts = append(parts, part)
	}
	return parts
}

// Bodies combines the reports of rows, of type B, whose lists have subjects of type S.
type Bodies[B, S any] struct {
	List func(*B) *[]S // list of the subjects
	// Over summarises the completed seeds of a subject in first. seeds is the number of seeds in
	// the document.
	Over func(whole *B, first *S, all []S, seeds int)
	// Ends marks the whole as partial, because rows are missing.
	Ends func(whole *B)
	// Warnings is the list of warnings; nil where subjects have none of their own.
	Warnings func(*B) *[]string
}

// Gather returns a copy of the first body with the subjects of all bodies. bodies has the
// order of rows and nil for rows that have not run; at least one has run.
func (g Bodies[B, S]) Gather(rows []Row, bodies []ReportBody) ReportBody {
	var whole *B
	together, seeds := [][]S{}, map[int]int{}
	for i, row := range rows {
		seeds[row.Subject]++
		if row.Subject == len(together) {
			together = append(together, nil)
		}
		body, _ := any(bodies[i]).(*B)
		if body == nil {
			continue
		}
		if whole == nil {
			whole = new(*body)
		}
		if g.Warnings != nil && row.Seed == 0 {
			all := slices.Clip(*g.Warnings(whole))
			for _, text := range *g.Warnings(body) {
				if !slices.Contains(all, text) {
					all = append(all, text)
				}
			}
			*g.Warnings(whole) = all
		}
		together[row.Subject] = append(together[row.Subject], *g.List(body)...)
	}
	subjects := []S{}
	for i, all := range together {
		if len(all) > 0 {
			g.Over(whole, &all[0], all, seeds[i])
			subjects = append(subjects, all[0])
		}
	}
	*g.List(whole) = subjects
	if slices.Contains(bodies, nil) {
		g.Ends(whole)
	}
	return any(whole).(ReportBody)
}

// Join combines the reports of the parts of a scenario, in their order, into the report
// that a run of the whole gives. If a report is nil, because its part has not run, the
// whole is partial.
func Join(whole Scenario, parts []*Report) (*Report, error) {
	whole = whole.Clone()
	r, err := combine(whole, parts)
	if err != nil || r.Scenario != "" {
		return r, err
	}
	r.Scenario = whole.Hash()
	return r, r.sign()
}

// Combine is [Join] without the hashes, which take most of its time. It is for parts that arrive
// one by one.
func Combine(whole Scenario, parts []*Report) (*Report, error) { return combine(whole.Clone(), parts) }

// combine completes the identity of the inputs in whole.
func combine(whole Scenario, parts []*Report) (*Report, error) {
	there := slices.DeleteFunc(slices.Clone(parts), func(r *Report) bool { return r == nil })
	if len(there) == 0 {
		return nil, errors.New("no part of the scenario was run")
	}
	kind, _ := Lookup(whole.Kind)
	if kind.Leads {
		return there[len(there)-1], nil
	}
	rows := Rows(whole.Body)
	if len(parts) != len(rows) {
		return nil, fmt.Errorf("%d reports of a scenario with %d rows", len(parts), len(rows))
	}
	r := newReport(whole)
	body := r.gather(kind, rows, parts)
	if b, ok := body.(interface{ Identify(Document) }); ok {
		b.Identify(whole.Body)
	}
	r.Diagnostics = there[0].Diagnostics
	r.describe(body)
	return r, nil
}

// gather combines the bodies and times of rows, and records whether a row is partial or missing.
func (r *Report) gather(kind *Kind, rows []Row, parts []*Report) ReportBody {
	bodies := make([]ReportBody, len(rows))
	timings, timed := Timings{}, false
	running, placing := make([][]float64, len(rows)), make([][]float64, len(rows)) // by subject
	for i, part := range parts {
		if part == nil {
			r.Partial, r.missing = true, true
			continue
		}
		bodies[i] = part.Body
		r.Partial = r.Partial || part.Partial
		if t := part.Timings; t != nil {
			timed = true
			timings.Reading, timings.Total = max(timings.Reading, t.Reading), max(timings.Total, t.Total)
			at := rows[i].Subject
			running[at], placing[at] = append(running[at], slices.Concat(t.Running...)...), append(placing[at], slices.Concat(t.Placing...)...)
		}
	}
	if timed {
		none := func(times []float64) bool { return times == nil }
		timings.Running, timings.Placing = slices.DeleteFunc(running, none), slices.DeleteFunc(placing, none)
		r.Timings = &timings
	}
	if kind.Gather == nil {
		return bodies[0]
	}
	return kind.Gather(rows, bodies)
}
