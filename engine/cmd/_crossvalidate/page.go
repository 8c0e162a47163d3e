package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"berth/engine/show"
	"berth/engine/stats"
)

// page returns the part of the documentation that shows a record, in Markdown.
func (r *record) page() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Run on %s: %s, %s. Each time is the mean over the traces, Berth / other, in seconds.\n\n", r.Date,
		show.Count(r.Seeds, "trace"), show.Count(r.Workers, "worker"))
	b.WriteString("| scheduler | simulator | jobs | mean | difference of the mean: least to most | p50 | p90 | p99 | short jobs, mean | long jobs, mean | run time, other / Berth |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for i := range r.Runs {
		r.Runs[i].row(&b)
	}
	b.WriteString("\n| simulator | commit | mended | run |\n|---|---|---|---|\n")
	for _, p := range programs {
		mended, ran := "–", "yes"
		if p.mended {
			mended = "yes"
		}
		if slices.Contains(r.NotRun, p.id) {
			ran = "no: no command was given (`-" + p.id + "`)"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", p.name, p.source, mended, ran)
	}
	return b.String()
}

// row writes one line of the table.
func (p *pairs) row(b *strings.Builder) {
	i := slices.IndexFunc(programs, func(one program) bool { return one.id == p.Program })
	name := programs[i].name
	if programs[i].mended {
		name += ", mended"
	}
	mean := func(all []outcome, of func(*outcome) float64) float64 {
		values := make([]float64, len(all))
		for k := range all {
			values[k] = of(&all[k])
		}
		return stats.Mean(values)
	}
	both := func(of func(*outcome) float64) string {
		return fmt.Sprintf("%.1f / %.1f", mean(p.Berth, of), mean(p.Theirs, of))
	}
	least, most := math.Inf(1), math.Inf(-1)
	for k := range p.Berth {
		difference := p.Berth[k].All.Mean/p.Theirs[k].All.Mean - 1
		least, most = min(least, difference), max(most, difference)
	}
	took := func(o *outcome) float64 { return o.Seconds }
	fmt.Fprintf(b, "| `%s` | %s | %d | %s | %+.1f %% to %+.1f %% | %s | %s | %s | %s | %s | %.0f |\n", p.Scheduler, name, p.Jobs,
		both(func(o *outcome) float64 { return o.All.Mean }), 100*least, 100*most,
		both(func(o *outcome) float64 { return o.All.P50 }), both(func(o *outcome) float64 { return o.All.P90 }), both(func(o *outcome) float64 { return o.All.P99 }),
		both(func(o *outcome) float64 { return o.Short.Mean }), both(func(o *outcome) float64 { return o.Long.Mean }),
		mean(p.Theirs, took)/mean(p.Berth, took))
}
