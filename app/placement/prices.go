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

// pricesFile names a new file of prices.
const pricesFile = "prices.dot"

// priceless reports whether some cluster has no price, so that the cost is unknown.
func (r *result) priceless() bool { return len(r.body().Federation.Unpriced) > 0 }

// priceNote says how CM treats unknown prices.
func (f *forms) priceNote() string {
	if f.view.result.priceless() {
		return "Unknown prices count as 0 in CM. "
	}
	return ""
}

// priceOffer offers fields and a file for the missing prices of the shown result.
func (f *forms) priceOffer() app.UI {
	return app.Div().Class("row").Hidden(f.view.result == nil || f.view.picture.pictureView() == nodesView || f.view.Phase != lab.Done || !f.view.result.priceless() && len(f.pricing) == 0).Body(
		ui.Button("plus", "Give prices").DataSet("testid", "give-prices").
			Title("Open a .dot file with a line for each cluster without a price").
			OnClick(func(app.Context, app.Event) { f.givePrices() }),
		f.priceTable(),
	)
}

// hourly holds the hourly prices of a core and of a GiB in a cluster, as the user typed them.
type hourly [2]string

// priceTable has a row for each cluster without prices, and for each cluster whose prices the user
// typed here.
func (f *forms) priceTable() app.UI {
	if f.view.result == nil {
		return ui.None()
	}
	ids := slices.Collect(maps.Keys(f.pricing))
	for _, id := range f.view.result.body().Federation.Unpriced {
		if _, typed := f.pricing[id]; !typed {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	rows := make([]app.UI, len(ids))
	for i, id := range ids {
		cells := []app.UI{app.Th().Scope("row").Text(show.Text(id))}
		for k, what := range []string{"core", "GiB"} {
			input := ui.Showing(lab.NumberInput("").Aria("label", "Price of a "+what+" of "+id+", an hour").DataSet("testid", "price-"+strings.ToLower(what)).DataSet("cluster", id), f.pricing[id][k])
			cells = append(cells, app.Td().Body(ui.Taking(input, "change", func(_ app.Context, text string) { f.setPrice(id, k, text) }, "price", id, k)))
		}
		rows[i] = app.Tr().Body(cells...)
	}
	return ui.Plain("Prices of clusters, an hour", []string{"cluster", "a core", "a GiB"}, rows...).DataSet("testid", "prices").Hidden(len(ids) == 0)
}

// setPrice sets one price of a cluster. Once both prices are valid, they go into the
// file of prices.
func (f *forms) setPrice(id string, which int, text string) {
	typed := f.pricing[id]
	typed[which] = strings.TrimSpace(text)
	f.pricing[id] = typed
	var prices [2]float64
	for i, text := range typed {
		price, err := lab.ParseNumber(text, 0, placementkind.MaxFactor)
		if err != nil {
			if text != "" {
				shell.Announce(f.view.Page, "A price is a number from 0 on, such as 0.04.")
			}
			return // the user has not typed the other price yet
		}
		prices[i] = price
	}
	number := func(price float64) string { return strconv.FormatFloat(price, 'f', -1, 64) }
	line := dot.Quote(id) + " [cpu_cost=" + number(prices[0]/1000) + ", memory_cost=" + number(prices[1]/1024) + "];"
	g := f.view.Inputs.pricesFile()
	if g == nil {
		g = lab.TextSource(f.view.Inputs.unusedName(pricesFile), withPrice("graph {\n}\n", id, line))
		f.view.Edit("set the prices of "+show.Text(id), func(in *inputs) { in.join(g) })
		return
	}
	f.view.uploads.typed(-1-slices.Index(f.view.Inputs.files, g), withPrice(g.Text, id, line))
}

// withPrice puts the line of a cluster into a file of prices. It replaces an earlier
// line for that cluster.
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

// givePrices opens the editor of the federation's DOT file, so that the user can type prices. If
// the federation has none, it adds a file with a line for each cluster without a price.
func (f *forms) givePrices() {
	if f.view.result == nil {
		return
	}
	g := f.view.Inputs.pricesFile()
	if g == nil {
		g = lab.TextSource(f.view.Inputs.unusedName(pricesFile), pricesText(f.view.result.body().Federation.Unpriced))
		f.view.Edit("add "+g.Name, func(in *inputs) { in.join(g) })
	}
	f.view.Files.Editing = g
	f.view.Stage.Work(ui.PaneInput)
	ui.Focus(f.view.Page, editorID(-1-slices.Index(f.view.Inputs.files, g)))
	shell.Announce(f.view.Page, "Type the prices in "+g.Name+".")
}

// pricesFile returns the first file of the federation that can hold prices; nil for none.
func (in *inputs) pricesFile() *lab.Source {
	i := slices.IndexFunc(in.files, func(g *lab.Source) bool { return !beyond(g) && !g.Large() && g.Recipe == nil })
	if i < 0 {
		return nil
	}
	return in.files[i]
}

// pricesText returns a DOT file with a line for each cluster, to which the user adds
// the price.
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
