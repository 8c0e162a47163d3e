package kinds_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	_ "berth/engine/kinds"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

// nodesOf is a cluster of one node, in the form that kubectl writes.
const nodesOf = `apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
`

// priceless returns two clusters that have only nodes, with files of prices.
func priceless(strategy, deployment string, prices ...string) scenario.Scenario {
	d := placementkind.Document{
		Federation: placementkind.GraphSource{Name: "eu=eu.yaml", Text: nodesOf}, Federations: []placementkind.GraphSource{{Name: "us=us.yaml", Text: nodesOf}},
		Deployments: []placementkind.GraphSource{{Name: "shop.dot", Text: deployment}}, Strategies: []placementkind.StrategyRun{{Name: strategy}},
	}
	for _, text := range prices {
		d.Federations = append(d.Federations, placementkind.GraphSource{Name: "prices.dot", Text: text})
	}
	return placementkind.New("", d)
}

const shop = `graph { a [request=2500, limit=2500]; b [request=2500, limit=2500]; a -- b [latency=20]; }`

// Without prices costs, bounds and gaps are undefined, and nothing is optimal.
func TestCostsAreUnknownWithoutPrices(t *testing.T) {
	for _, test := range []struct {
		name, prices string
		unpriced     []string
		sentence     string
	}{
		{"none", "", []string{"eu", "us"}, "Placed all 2 jobs; cost unknown: no prices"},
		{"of one", `graph { eu [cpu_cost=0.4]; }`, []string{"us"}, "Placed all 2 jobs; cost unknown: no prices of us"},
		{"named alone", `graph { eu; us [cpu_min_request=1]; }`, []string{"eu", "us"}, "Placed all 2 jobs; cost unknown: no prices"},
		{"all", `graph { eu [cpu_cost=0.4]; us [memory_cost=0]; }`, nil, "placed 2 of 2 jobs · cost 1\u202f000"},
		{"all nothing", `graph { eu [cpu_cost=0]; us [cpu_cost=0]; }`, nil, "placed 2 of 2 jobs · cost 0"},
	} {
		for _, strategy := range []string{"heuristic", "random", "best", "exact"} {
			s := priceless(strategy, shop)
			if test.prices != "" {
				s = priceless(strategy, shop, test.prices)
			}
			e, report := runTest(t, s)
			r := placementkind.ReportOf(report)
			one := &r.Strategies[0]
			d := &one.Deployments[0]
			known := test.unpriced == nil
			headline, _ := r.Sentences()
			if !slices.Equal(r.Federation.Unpriced, test.unpriced) || !strings.HasPrefix(headline, test.sentence) {
				t.Errorf("%s, %s: without prices are %q: %s", test.name, strategy, r.Federation.Unpriced, headline)
			}
			if one.Total.Total.Defined() != known || d.Cost.Node.Defined() != known || (d.Bound != nil) != known || (d.Gap != nil) != known ||
				d.PerUnit.Defined() != known || !known && (d.Proved != placement.NoProof || d.Trace != nil) || !d.Placed() {
				data, _ := json.Marshal(d)
				t.Errorf("%s, %s: %s", test.name, strategy, data)
			}
			if common := r.TallyIn(one, r.Common()); common.Total.Defined() != known {
				t.Errorf("%s, %s: in common %+v", test.name, strategy, common)
			}
			why, err := e.Standing(t.Context(), placementkind.StandingQuery{})
			if err != nil || len(why.Explanations) != 2 || (why.Explanations[0].Cost != nil) != known || !known && len(why.Prices)+len(why.Bindings) > 0 {
				t.Errorf("%s, %s: %+v, %v", test.name, strategy, why, err)
			}
			if file, err := e.Export(placementkind.ExportQuery{Format: placementkind.DOTPlain}); err != nil || strings.Contains(string(file.Data), "NaN") ||
				strings.Contains(string(file.Data), "total cost") != known {
				t.Errorf("%s, %s: %v\n%s", test.name, strategy, err, file.Data)
			}
		}
	}
}

// A problem that cannot be solved needs no prices to show that.
func TestInfeasibleNeedsNoPrices(t *testing.T) {
	_, report := runTest(t, priceless("exact", `graph { a [request=9000, limit=9000]; }`))
	if d := placementkind.ReportOf(report).Strategies[0].Deployments[0]; d.Proved != placement.ProvedInfeasible || d.Placed() {
		t.Errorf("%+v", d)
	}
}

// In joint placements, over seeds and with a what-if, costs stay unknown, and a text says how to
// give prices.
func TestWithoutPricesNothingIsComparedByCost(t *testing.T) {
	s := priceless("random", shop)
	d := placementkind.Of(s)
	d.Deployments = append(d.Deployments, placementkind.GraphSource{Name: "more.dot", Text: `graph { c [request=100, limit=100]; }`})
	d.Strategies[0].Seeds, d.Joint, d.WhatIf = 3, true, []string{"price eu ×2"}
	_, report := runTest(t, s)
	one := placementkind.ReportOf(report).Strategies[0]
	if j := one.Joint; j.Bound != nil || j.Gap != nil || j.Proved != placement.NoProof || j.InOrder.Total.Defined() || j.OrderCosts.Defined() {
		t.Errorf("at once: %+v", j)
	}
	if m := one.Summary; m.Placed != 3 || len(m.Estimates) != 2 || m.At("expansions").N != 3 {
		t.Errorf("over seeds: %+v", m)
	}
	if x := one.WhatIf; x.Before.Total.Defined() || x.After.Total.Defined() || x.Deployments[0].Cost.After.Total.Defined() {
		t.Errorf("with a what-if: %+v", x)
	}
	if _, err := scenario.DecodeReport(scenario.EncodeReport(report)); err != nil {
		t.Errorf("the report is not read: %v", err)
	}
	if got := string(report.Text()); !strings.Contains(got, "cost unknown: no prices of eu, us. Give prices with --federation prices.dot, such as: graph { eu [cpu_cost=0.4]; }") {
		t.Errorf("the text is\n%s", got)
	}
}

// runTest runs a scenario.
func runTest(t *testing.T, s scenario.Scenario) (*placementkind.Prepared, *scenario.Report) {
	t.Helper()
	e := must.Get(scenario.Prepare(t.Context(), s, scenario.Env{}))(t)
	r := must.Get(e.Run(t.Context()))(t)
	work := must.Get(scenario.WorkOf[*placementkind.Prepared](e))(t)
	return work, r
}
