package placement

import (
	"fmt"
	"maps"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/kube"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

func poolRows() *lab.Rows[*inputs, placementkind.Pool] {
	column := func(name string) lab.Column[placementkind.Pool] {
		return lab.ColumnOf[placementkind.Pool](name, placementkind.PoolFields, name)
	}
	kind := lab.TextColumn("type", "type", "", "enter the name of the pool", func(p *placementkind.Pool) *string { return &p.Type })
	kind.Unset = func(*placementkind.Pool) string { return "large" }
	return &lab.Rows[*inputs, placementkind.Pool]{
		Lead: "pool-", Tested: "pool-", Thing: "pool", Name: func(p *placementkind.Pool) string { return show.Text(p.Type) },
		Of: func(in *inputs) []placementkind.Pool { return in.options.Pools },
		Put: func(in *inputs, all []placementkind.Pool, _ int) error {
			if in.options.Pools = all; len(all) == 0 {
				in.options.Pools = nil // nil, as in inputs that never had a pool
			}
			return nil
		},
		Columns: []lab.Column[placementkind.Pool]{
			kind, amountColumn("cpu", "CPU", kube.CPU, "4"), amountColumn("memory", "memory", kube.Memory, "16Gi"), column("price"), column("maximum"),
		},
	}
}

// amountColumn is the column of a resource's capacity on a node of the pool.
func amountColumn(key, name, resource, hint string) lab.Column[placementkind.Pool] {
	return lab.Column[placementkind.Pool]{Key: key, Name: name, Unset: func(*placementkind.Pool) string { return hint },
		Text: func(p *placementkind.Pool) string { return p.Allocatable[resource] }, Set: func(p *placementkind.Pool, text string) error {
			if text == "" {
				return fmt.Errorf("enter what pods can have of a node, such as %s", hint)
			}
			p.Allocatable = maps.Clone(p.Allocatable)
			if p.Allocatable == nil {
				p.Allocatable = map[string]string{}
			}
			p.Allocatable[resource] = text
			return nil
		}}
}

// poolsTable draws the node pools with their prices. Users can add nodes of these pools. The pools
// are part of the scenario.
func (f *forms) poolsTable() app.UI {
	pools := f.view.Inputs.options.Pools
	return app.Div().Class("pools").DataSet("testid", "pools").Body(
		app.H3().Text("Pools of nodes that can be added"),
		app.Ul().Aria("label", "Pools").Body(app.Range(pools).Slice(func(i int) app.UI { return f.poolRow(i) })),
		f.view.Form.WrongTexts(poolsID),
		app.Div().Class("row").Body(ui.Button("plus", "Add a pool").DataSet("testid", "pool-add").
			OnClick(func(app.Context, app.Event) { f.addPool() })),
	)
}

const poolsID = "pools"

func (f *forms) poolRow(i int) app.UI {
	rows := poolRows()
	fields := make([]app.UI, len(rows.Columns))
	ids := make([]string, len(rows.Columns))
	for k := range rows.Columns {
		c := &rows.Columns[k]
		ids[k] = rows.ID(i, c.Key)
		fields[k] = rows.Labelled(f.view.Lab, i, c)
	}
	fields = append(fields, rows.RemoveButton(f.view.Lab, i).DataSet("testid", "pool-remove"))
	return app.Li().DataSet("testid", "pool-row").Body(app.Div().Class("row").Body(fields...), f.view.Form.WrongTexts(ids...))
}

// addPool adds a copy of the last pool under another name.
func (f *forms) addPool() {
	f.view.Edit("add a pool", func(in *inputs) {
		one := placementkind.Pool{Allocatable: map[string]string{kube.CPU: "4", kube.Memory: "16Gi", kube.Pods: "110"}, Price: 0.2}
		if n := len(in.options.Pools); n > 0 {
			one = in.options.Pools[n-1]
		}
		for n := 1; one.Type == "" || slices.ContainsFunc(in.options.Pools, func(p placementkind.Pool) bool { return p.Type == one.Type }); n++ {
			one.Type = fmt.Sprintf("pool-%d", n)
		}
		in.options.Pools = append(in.options.Pools, one)
	})
}

// pools returns the names of the node pools. If there are several clusters, the name of the cluster
// precedes each.
func (v *View) pools() (names []string) {
	clusters := v.clusters()
	for _, p := range v.Inputs.options.Pools {
		if len(clusters) < 2 {
			names = append(names, p.Type)
			continue
		}
		for _, id := range clusters {
			names = append(names, id+"/"+p.Type)
		}
	}
	return names
}
