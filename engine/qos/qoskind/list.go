package qoskind

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"

	"berth/engine/figure"
	"berth/engine/input/csv"
	"berth/engine/scenario"
)

// MaxListed limits the number of requests in a list, which is built in memory.
const MaxListed = 2_000_000

// List repeats the run of a policy and returns a CSV row for each request, with the columns of
// [RequestsHeader] and a final column penalty_cpu_h: the penalty of the request in CPU-hours, or 0
// if it met its SLO.
func (e *Prepared) List(ctx context.Context, q PolicyQuery) (*scenario.Export, error) {
	config, err := e.repeated(q.Policy)
	if err != nil {
		return nil, err
	}
	if n := e.arrivals(); n > MaxListed {
		return nil, fmt.Errorf("there are %d requests; a list has up to %d: use berth simulate --requests", n, MaxListed)
	}
	var b bytes.Buffer
	list := &requestList{policy: e.document.Policies[q.Policy].Title(), to: csv.NewWriter(&b), penalties: true, hosts: e.everyHost()}
	if err := list.to.Write(append(slices.Clone(RequestsHeader), penaltyColumn)); err != nil {
		return nil, err
	}
	result, err := e.runOnce(ctx, config, list)
	if err != nil {
		return nil, err
	}
	if result.Partial {
		return nil, fmt.Errorf("the list was not finished: %w", ctx.Err())
	}
	err = list.to.Flush()
	return &scenario.Export{Name: "berth-requests.csv", Type: "text/csv", Data: b.Bytes()}, err
}

// The tables that a report can be exported as.
var (
	FiguresTable     = figure.ListingOf("figures", "Figures as CSV", (*Report).figureRows) // one row per policy and class
	ControllersTable = figure.ListingOf("controllers", "Controllers as CSV", (*Report).controllerRows)
)

func (r *Report) figureRows() [][]string {
	shown := figure.Where(ClassFigures, func(f *figure.Figure) bool { return f.Column != "" })
	rows := [][]string{append([]string{"policy", "class", "slo"}, figure.Columns(shown)...)}
	for i := range r.Policies {
		p := &r.Policies[i]
		for _, c := range append(slices.Clone(p.Run.Classes), p.Run.All) {
			slo := figure.Undefined
			if c.SLO > 0 {
				slo = figure.Number(c.SLO)
			}
			rows = append(rows, append([]string{p.Title, c.Name, plain(slo)}, figure.Cells(shown, &c, plain)...))
		}
	}
	return rows
}

// plain formats a figure with the fewest digits that represent it exactly; "" if it is undefined.
func plain(x figure.Number) string {
	if x != x {
		return ""
	}
	return strconv.FormatFloat(float64(x), 'f', -1, 64)
}
