package placement

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/packing"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// poolColumn is a column of the table of pools.
type poolColumn struct {
	name, title, hint string
	number, whole     bool
	text              func(p *placementkind.Pool) string
	set               func(p *placementkind.Pool, text string) error
}

var poolColumns = []poolColumn{
	{"type", "type", "large", false, false, func(p *placementkind.Pool) string { return p.Type }, func(p *placementkind.Pool, text string) error {
		if text == "" {
			return fmt.Errorf("enter the name of the pool")
		}
		p.Type = text
		return nil
	}},
	amountColumn("cpu", "CPU", packing.CPU, "4"),
	amountColumn("memory", "memory", packing.Memory, "16Gi"),
	{"price", "price an hour", "0.2", true, false, func(p *placementkind.Pool) string { return ui.Number(p.Price) }, func(p *placementkind.Pool, text string) (err error) {
		p.Price, err = lab.ParseNumber(text, 0, placementkind.MaxFactor)
		return err
	}},
	{"maximum", "at most", "any number", true, true, func(p *placementkind.Pool) string {
		if p.Maximum == 0 {
			return ""
		}
		return strconv.Itoa(p.Maximum)
	}, func(p *placementkind.Pool, text string) (err error) {
		if p.Maximum = 0; text != "" {
			p.Maximum, err = lab.ParseWhole(text, 1, placementkind.MaxReplicas)
		}
		return err
	}},
}

// amountColumn has what a node of a pool has of a resource.
func amountColumn(name, title, resource, hint string) poolColumn {
	return poolColumn{name, title, hint, false, false, func(p *placementkind.Pool) string { return p.Allocatable[resource] }, func(p *placementkind.Pool, text string) error {
		if text == "" {
			return fmt.Errorf("enter what pods can have of a node, such as %s", hint)
		}
		amounts := map[string]string{}
		maps.Copy(amounts, p.Allocatable)
		amounts[resource] = text
		p.Allocatable = amounts
		return nil
	}}
}

// poolsTable is the table of the kinds of nodes that can be added, with their prices. It is
// a part of the scenario.
func (v *View) poolsTable() app.UI {
	pools := v.Inputs.options.Pools
	return app.Div().Class("pools").DataSet("testid", "pools").Body(
		app.H3().Text("Pools of nodes that can be added"),
		app.Ul().Aria("label", "Pools").Body(app.Range(pools).Slice(func(i int) app.UI { return v.poolRow(i) })),
		v.WrongTexts(poolsID),
		app.Div().Class("row").Body(ui.Button("plus", "Add a pool").DataSet("testid", "pool-add").
			OnClick(func(app.Context, app.Event) { v.addPool() })),
	)
}

const poolsID = "pools"

func poolID(i int, column string) string { return fmt.Sprintf("pool-%d-%s", i, column) }

func (v *View) poolRow(i int) app.UI {
	fields := make([]app.UI, 0, len(poolColumns)+1)
	ids := make([]string, len(poolColumns))
	for k, c := range poolColumns {
		id := poolID(i, c.name)
		ids[k] = id
		input := app.Input().Type("text").ID(id).Placeholder(c.hint).DataSet("testid", "pool-"+c.name)
		label := c.title + " of pool " + v.Inputs.options.Pools[i].Type
		text, set := lab.InRow((*inputs).pools, i, c.text, c.set)
		field := ui.Field(id, c.title, v.Entry(id, label, input, text(v.Inputs), set))
		if c.number {
			field = v.Pinnable(field, lab.DialOf(id, label, c.whole, text, set))
		}
		fields = append(fields, field)
	}
	fields = append(fields, ui.IconButton("close", "Remove the pool "+v.Inputs.options.Pools[i].Type).DataSet("testid", "pool-remove").
		OnClick(func(app.Context, app.Event) { v.removePool(i) }, app.EventScope("pool", i)))
	return app.Li().DataSet("testid", "pool-row").Body(app.Div().Class("row").Body(fields...), v.WrongTexts(ids...))
}

func (in *inputs) pools() []placementkind.Pool { return in.options.Pools }

// addPool adds a pool like the last one, with another name.
func (v *View) addPool() {
	v.Edit("add a pool", func(in *inputs) {
		one := placementkind.Pool{Allocatable: map[string]string{packing.CPU: "4", packing.Memory: "16Gi", packing.Pods: "110"}, Price: 0.2}
		if n := len(in.options.Pools); n > 0 {
			one = in.options.Pools[n-1]
		}
		for n := 1; one.Type == "" || slices.ContainsFunc(in.options.Pools, func(p placementkind.Pool) bool { return p.Type == one.Type }); n++ {
			one.Type = fmt.Sprintf("pool-%d", n)
		}
		in.options.Pools = append(in.options.Pools, one)
	})
}

func (v *View) removePool(i int) {
	if i >= len(v.Inputs.options.Pools) {
		return
	}
	v.Renumber("pool-")
	v.Edit("remove the pool "+show.Text(v.Inputs.options.Pools[i].Type), func(in *inputs) {
		if in.options.Pools = slices.Delete(in.options.Pools, i, i+1); len(in.options.Pools) == 0 {
			in.options.Pools = nil // as if there had been none
		}
	})
}

// pools are the names of the pools that nodes can be added from, with the cluster where
// there are several.
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
