package scenario

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Divided is a document of several subjects and seeds. Each subject with each seed is a run
// of its own: all subjects come with the first seed, then with the second, and so on.
type Divided interface {
	Document
	Each() (subjects []string, seeds []uint64)
	One(subject, seed int) Document // by their places
}

// Row says which run of a document one is: the places of its subject and seed, and what
// tells it from the others.
type Row struct {
	Subject, Seed int
	Name          string
}

// rowsOf lists the rows of a document in their order.
func rowsOf(d Divided) (rows []Row) {
	subjects, seeds := d.Each()
	for k, seed := range seeds {
		for i, name := range subjects {
			if len(seeds) > 1 {
				name += fmt.Sprintf(", seed %d", seed)
			}
			rows = append(rows, Row{i, k, name})
		}
	}
	return rows
}

// Led is a document with a part that runs first, because its result is there sooner. A
// program that has run it takes over what it has done.
type Led interface {
	Document
	Lead() (Document, bool) // false where that is the whole
}

// Part is a scenario that is run by itself as a part of another one.
type Part struct {
	Row      // empty of a document without rows
	Scenario Scenario
}

// Parts returns the scenarios of the rows, which can be run beside each other, or that of
// what leads and then the whole. [Join] makes one report of theirs.
func Parts(s Scenario) (parts []Part) {
	add := func(row Row, body Document) {
		part := Part{row, s}
		part.Scenario.Body = body
		parts = append(parts, part)
	}
	if d, ok := s.Body.(Divided); ok {
		for _, row := range rowsOf(d) {
			add(row, d.One(row.Subject, row.Seed))
		}
		return parts
	}
	if d, ok := s.Body.(Led); ok {
		if lead, ok := d.Lead(); ok {
			add(Row{}, lead)
		}
	}
	add(Row{}, s.Body)
	return parts
}

// RunRows carries out the rows one after the other, and notes the times of each subject.
// When ctx ends it returns what has come by then, up to the row under way, at least the
// first; others are nil.
func RunRows[B any](ctx context.Context, d Divided, env *Env, t *Timings, run func(Row, func(Progress)) (*B, float64, error)) ([]*B, error) {
	subjects, _ := d.Each()
	all := rowsOf(d)
	rows := make([]*B, len(all))
	t.Running = make([][]float64, len(subjects))
	for i, row := range all {
		if i > 0 && ctx.Err() != nil {
			break
		}
		r, milliseconds, err := run(row, func(p Progress) {
			p.Fraction = (float64(i) + p.Fraction) / float64(len(rows))
			env.Tell(p)
		})
		if err != nil {
			return nil, err
		}
		rows[i], t.Running[row.Subject] = r, append(t.Running[row.Subject], milliseconds)
	}
	t.Running = slices.DeleteFunc(t.Running, func(times []float64) bool { return times == nil })
	return rows, nil
}

// Gather puts the reports of rows together: it is the first one, with the subjects that
// list finds in all of them. What a subject came to over its seeds goes into the first of
// these by over. Some but not all rows may be nil.
func Gather[B, S any](rows []*B, d Divided, list func(*B) *[]S, over func(first *S, all []S)) *B {
	whole := *rows[slices.IndexFunc(rows, func(r *B) bool { return r != nil })]
	subjects, _ := d.Each()
	seeds := make([][]S, len(subjects))
	for i, row := range rowsOf(d) {
		if rows[i] != nil {
			seeds[row.Subject] = append(seeds[row.Subject], *list(rows[i])...)
		}
	}
	together := []S{}
	for _, all := range seeds {
		if len(all) > 0 {
			over(&all[0], all)
			together = append(together, all[0])
		}
	}
	*list(&whole) = together
	return &whole
}

// GatherBy makes the Gather of a [Kind] of a function of its own type.
func GatherBy[B any, R interface {
	*B
	ReportBody
}](gather func([]*B, Divided) *B) func([]*Report, Divided) ReportBody {
	return func(parts []*Report, d Divided) ReportBody {
		rows := make([]*B, len(parts))
		for i, part := range parts {
			if part != nil {
				rows[i] = part.Body.(R)
			}
		}
		return R(gather(rows, d))
	}
}

// Join makes the report of a scenario of those of its parts, in their order: the
// same as that of a run of the whole. A report that is nil is of a part that was
// not run; then the whole is partial. Without rows it is the last one that there is.
func Join(whole Scenario, parts []*Report) (*Report, error) {
	there := slices.DeleteFunc(slices.Clone(parts), func(r *Report) bool { return r == nil })
	if len(there) == 0 {
		return nil, errors.New("no part of the scenario was run")
	}
	d, several := whole.Body.(Divided)
	if !several {
		return there[len(there)-1], nil
	}
	rows := rowsOf(d)
	if len(parts) != len(rows) {
		return nil, fmt.Errorf("%d reports of a scenario with %d rows", len(parts), len(rows))
	}
	r := newReport(whole)
	r.joinTimings(parts, rows)
	kind, _ := Lookup(whole.Kind)
	body := kind.Gather(parts, d)
	whole = whole.Clone()
	if b, ok := body.(interface{ Identify(Document) }); ok {
		b.Identify(whole.Body)
	}
	r.Diagnostics = there[0].Diagnostics
	r.Scenario = whole.Hash()
	return r, r.conclude(body)
}

// joinTimings also says whether a part is partial or missing.
func (r *Report) joinTimings(parts []*Report, rows []Row) {
	timings := Timings{Running: make([][]float64, len(rows))}
	for i, part := range parts {
		if part == nil {
			r.Partial, r.missing = true, true
			continue
		}
		r.Partial = r.Partial || part.Partial
		if t := part.Timings; t != nil {
			timings.Reading, timings.Total = max(timings.Reading, t.Reading), max(timings.Total, t.Total)
			of := &timings.Running[rows[i].Subject]
			*of = append(*of, slices.Concat(t.Running...)...)
			r.Timings = &timings
		}
	}
	timings.Running = slices.DeleteFunc(timings.Running, func(times []float64) bool { return times == nil })
}

// Seeds are so many from the first one on, at least one.
func Seeds(first uint64, many int) []uint64 {
	all := make([]uint64, max(1, many))
	for k := range all {
		all[k] = first + uint64(k)
	}
	return all
}
