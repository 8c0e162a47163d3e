package placement

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/dot"
)

// pricesFile is what the page calls a file of prices that it makes.
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
	return app.Div().Class("row").Hidden(v.result == nil || v.Phase != lab.Done || !v.result.priceless()).Body(
		ui.Button("plus", "Give prices").DataSet("testid", "give-prices").
			Title("Open a .dot file with a line for each cluster without a price").
			OnClick(func(app.Context, app.Event) { v.givePrices() }),
	)
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
	v.editing = g
	v.Work(ui.PaneInput)
	ui.Focus(v.Page, editorID(v.Inputs.index(g)))
	shell.Announce(v.Page, "Type the prices in "+g.Name+".")
}

// pricesFile is the first file of the federation that prices can be typed into.
func (in *inputs) pricesFile() *lab.Source {
	files := in.files()
	i := slices.IndexFunc(files, func(g *lab.Source) bool { return !beyond(g) && !g.Large() && g.Recipe == nil })
	if i < 0 {
		return nil
	}
	return files[i]
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
