//go:build !js

package placement

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/placement/placementkind"
)

const oneNode = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: \"4\", memory: 8Gi, pods: \"10\"}}\n"

// For nodes without prices, the page shows no cost and calls nothing optimal. One press opens a
// file for the prices, and with them there is a cost.
func TestPricesAreOfferedWhereTheyAreMissing(t *testing.T) {
	b := open(t)
	b.choose(deployments, lab.TextSource("two.dot", twoJobs))
	b.choose(federation, lab.TextSource("eu.yaml", oneNode), lab.TextSource("us.yaml", oneNode))
	b.wantDone()
	if h := b.headline(); h.String() != "All 2 jobs placed; cost unknown: no prices" || h.cost != "" {
		t.Fatalf("the headline is %q, %q", h.text, h.cost)
	}
	s := b.result.report(b.shown)
	for _, m := range slices.Concat(tallied(placementkind.OfCost), tallied(placementkind.OfCertificate)) {
		if got := m.of(s, b.result.body()); got != "–" {
			t.Errorf("%s is %q", m.name, got)
		}
	}
	if got := b.searches.saved(); got != "" || b.forms.priceNote() == "" {
		t.Errorf("saved %q, note %q", got, b.forms.priceNote())
	}
	b.why.selectWhy(b.Page, whyElsewhere)
	b.settle()
	if got := standingText(&b.why.standings.Explanations[0]); !strings.Contains(got, "unknown without prices") {
		t.Errorf("elsewhere: %q", got)
	}

	b.forms.givePrices()
	b.wantDone()
	g := b.Files.Editing
	if g == nil || g.Name != "prices.dot" || !slices.Contains(b.Inputs.files, g) || !b.result.priceless() {
		t.Fatalf("edited is %+v", g)
	}
	b.uploads.typed(-1-slices.Index(b.Inputs.files, g), strings.Replace(g.Text, "\teu;", "\teu [cpu_cost=2];", 1))
	b.settle()
	if text := b.sentence(); text != "All 2 jobs placed; cost unknown: no prices of us" {
		t.Errorf("with one price the headline is %q", text)
	}
	b.forms.givePrices()
	if b.Files.Editing == nil || b.Files.Editing.Name != "prices.dot" || len(b.Inputs.files) != 3 {
		t.Errorf("a second press opens %+v of %d files", b.Files.Editing, len(b.Inputs.files))
	}
	b.uploads.typed(-1-slices.Index(b.Inputs.files, b.Files.Editing), strings.Replace(b.Files.Editing.Text, "\tus;", "\tus [cpu_cost=0];", 1))
	b.wantDone()
	if h := b.headline(); h.cost == "" || strings.Contains(h.text, "unknown") {
		t.Errorf("with both prices the headline is %q, %q", h.text, h.cost)
	}
}

// A file of prices quotes names that DOT must quote.
func TestPricesOfClustersWithOddNames(t *testing.T) {
	if got := pricesText([]string{"eu-west 1"}); !strings.Contains(got, "\t\"eu-west 1\";\n") {
		t.Error(got)
	}
}

// A job that moves in a what-if without prices is described without a cost.
func TestAChangeWithoutPrices(t *testing.T) {
	x := &placementkind.Difference{Before: placementkind.NoCost, After: placementkind.NoCost, Deployments: []placementkind.DeploymentDifference{{Moves: []placementkind.MovedJob{{Job: "a", From: "eu", To: "us"}}}}}
	if got := differenceText(x); got != "1 move" {
		t.Errorf("got %q", got)
	}
}

// Prices for an hour of a core and of a GiB are typed into a table, and the scenario keeps them in
// the file of prices.
func TestPricesAreTyped(t *testing.T) {
	b := open(t)
	b.choose(deployments, lab.TextSource("two.dot", twoJobs))
	b.choose(federation, lab.TextSource("eu.yaml", oneNode), lab.TextSource("us.yaml", oneNode))
	b.wantDone()
	rows := func() int { return strings.Count(app.HTMLString(b.forms.priceTable()), `data-testid="price-core"`) }
	if rows() != 2 {
		t.Fatalf("%d rows, want one for each cluster", rows())
	}
	set := func(id string, prices ...string) {
		for i, text := range prices {
			b.forms.setPrice(id, i, text)
			b.settle()
		}
	}
	set("eu", "2", "cheap")
	if len(b.Inputs.files) != 2 || !b.result.priceless() {
		t.Errorf("half a price makes %d files", len(b.Inputs.files))
	}
	set("eu", "2", "1024")
	set("us", "1", "0")
	b.wantDone()
	g := b.Inputs.pricesFile()
	if g == nil || b.result.priceless() || !strings.Contains(g.Text, "\teu [cpu_cost=0.002, memory_cost=1];\n") || !strings.Contains(g.Text, "\tus [cpu_cost=0.001, memory_cost=0];\n") {
		t.Fatalf("priceless %v with %+v", b.result.priceless(), g)
	}
	set("us", "3", "0")
	if got := b.Inputs.pricesFile().Text; strings.Count(got, "us [") != 1 || !strings.Contains(got, "cpu_cost=0.003") || rows() != 2 {
		t.Errorf("changed: %s", got)
	}
}
