package placement

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/dot"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// pricesFile is the name of a new file of prices.
const pricesFile = "prices.dot"

// priceless reports whether clusters have no prices, so that no cost is known.
func (r *result) priceless() bool { return len(r.body().Federation.Unpriced) > 0 }

// priceNote says what CM is without prices.
func (v *View) priceNote() string {
	if v.result.priceless() {
		return "Unknown prices count as 0 in CM. "
	}
	return ""
}

// priceOffer offers to type the prices that the shown result lacks.
func (v *View) priceOffer() app.UI {
	return app.Div().Class("row").Hidden(v.result == nil || v.pictureView() == nodesView || v.Phase != lab.Done || !v.result.priceless() && len(v.pricing) == 0).Body(
		ui.Button("plus", "Give prices").DataSet("testid", "give-prices").
			Title("Open a .dot file with a line for each cluster without a price").
			OnClick(func(app.Context, app.Event) { v.givePrices() }),
		v.priceTable(),
	)
}

// hourly are the prices of a cluster as they are typed: of a core and of a GiB, an hour.
type hourly [2]string

// priceTable has a row for each cluster without a price, and for those whose prices were
// typed in it.
func (v *View) priceTable() app.UI {
	if v.result == nil {
		return ui.None()
	}
	ids := slices.Collect(maps.Keys(v.pricing))
	for _, id := range v.result.body().Federation.Unpriced {
		if _, typed := v.pricing[id]; !typed {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	rows := make([]app.UI, len(ids))
	for i, id := range ids {
		cells := []app.UI{app.Th().Scope("row").Text(show.Text(id))}
		for k, what := range []string{"core", "GiB"} {
			input := ui.Showing(lab.NumberInput("").Aria("label", "Price of a "+what+" of "+id+", an hour").DataSet("testid", "price-"+strings.ToLower(what)).DataSet("cluster", id), v.pricing[id][k])
			cells = append(cells, app.Td().Body(ui.Taking(input, "change", func(_ app.Context, text string) { v.setPrice(id, k, text) }, "price", id, k)))
		}
		rows[i] = app.Tr().Body(cells...)
	}
	return ui.Plain("Prices of clusters, an hour", []string{"cluster", "a core", "a GiB"}, rows...).DataSet("testid", "prices").Hidden(len(ids) == 0)
}

// setPrice takes one price of a cluster. With both of them they go into the file of prices.
func (v *View) setPrice(id string, which int, text string) {
	typed := v.pricing[id]
	typed[which] = strings.TrimSpace(text)
	v.pricing[id] = typed
	var prices [2]float64
	for i, text := range typed {
		price, err := lab.ParseNumber(text, 0, placementkind.MaxFactor)
		if err != nil {
			if text != "" {
				shell.Announce(v.Page, "A price is a number from 0 on, such as 0.04.")
			}
			return // the other one is not typed yet
		}
		prices[i] = price
	}
	number := func(price float64) string { return strconv.FormatFloat(price, 'f', -1, 64) }
	line := dot.Quote(id) + " [cpu_cost=" + number(prices[0]/1000) + ", memory_cost=" + number(prices[1]/1024) + "];"
	g := v.Inputs.pricesFile()
	if g == nil {
		g = lab.TextSource(v.Inputs.unusedName(pricesFile), withPrice("graph {\n}\n", id, line))
		v.Edit("set the prices of "+show.Text(id), func(in *inputs) { in.join(g) })
		return
	}
	v.typed(-1-slices.Index(v.Inputs.files, g), withPrice(g.Text, id, line))
}

// withPrice puts the line of a cluster into a file of prices, in place of the one that it
// has there.
func withPrice(text, id, line string) string {
	lines := strings.Split(text, "\n")
	name := "\t" + dot.Quote(id)
	if i := slices.IndexFunc(lines, func(s string) bool { return s == name+";" || strings.HasPrefix(s, name+" [cpu_cost=") }); i >= 0 {
		lines[i] = "\t" + line
		return strings.Join(lines, "\n")
	}
	if end := strings.LastIndexByte(text, '}'); end >= 0 {
		return text[:end] + "\t" + line + "\n" + text[end:]
	}
	return text
}

// givePrices opens the file of the federation that prices go into: the one in DOT
// that is there already, or a new one with a line for each cluster without a price.
func (v *View) givePrices() {
	if v.result == nil {
		return
	}
	g := v.Inputs.pricesFile()
	if g == nil {
		g = lab.TextSource(v.Inputs.unusedName(pricesFile), pricesText(v.result.body().Federation.Unpriced))
		v.Edit("add "+g.Name, func(in *inputs) { in.join(g) })
	}
	v.Editing = g
	v.Work(ui.PaneInput)
	ui.Focus(v.Page, editorID(-1-slices.Index(v.Inputs.files, g)))
	shell.Announce(v.Page, "Type the prices in "+g.Name+".")
}

// pricesFile is the first file of the federation that prices can be typed into.
func (in *inputs) pricesFile() *lab.Source {
	i := slices.IndexFunc(in.files, func(g *lab.Source) bool { return !beyond(g) && !g.Large() && g.Recipe == nil })
	if i < 0 {
		return nil
	}
	return in.files[i]
}

// pricesText names clusters, each on a line that a price can be added to.
func pricesText(clusters []string) string {
	var b strings.Builder
	b.WriteString("graph {\n\t// Write the price of a millicore and of a MiB of memory after\n\t// each cluster: " +
		dot.Quote(clusters[0]) + " [cpu_cost=0.4, memory_cost=0.01];\n")
	for _, id := range clusters {
		b.WriteString("\t" + dot.Quote(id) + ";\n")
	}
	b.WriteString("}\n")
	return b.String()
}
