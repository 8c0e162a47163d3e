package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"berth/engine/must"
)

// placedAs has the parts of place's JSON that these tests check.
type placedAs struct {
	Deployments []struct {
		Status    string            `json:"status"`
		Placement map[string]string `json:"placement"`
		Cost      struct {
			Node, Link, Total *float64
		} `json:"cost"`
		Proved string `json:"proved"`
	} `json:"deployments"`
}

// placeJSON places a deployment on a federation, both given as DOT.
func placeJSON(t *testing.T, federation, deployment string, flags ...string) placedAs {
	t.Helper()
	folder(t)
	must.Do(t, os.WriteFile("f.dot", []byte(federation), 0o666))
	must.Do(t, os.WriteFile("d.dot", []byte(deployment), 0o666))
	stdout, stderr, _ := exec(t, "", append([]string{"place", "--federation", "f.dot", "--deployment", "d.dot"}, flags...)...)
	var p placedAs
	if err := json.Unmarshal([]byte(stdout), &p); err != nil {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	return p
}

// The traffic of two jobs is paid by the gigabyte, over every link on the path.
func TestTrafficIsPaidByVolume(t *testing.T) {
	const federation = `graph { node [cpu=10, cpu_cost=1]; eu; us; ap;
		eu -- us [latency=9, latency_cost=2, traffic_cost=0.5]; eu -- ap [latency=9, latency_cost=1, traffic_cost=3]; us -- ap [latency=9, latency_cost=1] }`
	for _, c := range []struct {
		volume string
		link   float64
	}{{"0", 1}, {"4", 1}, {"100", 1}} { // traffic between us and ap costs nothing
		p := placeJSON(t, federation, `graph { a [request=10, limit=10]; b [request=10, limit=10]; a -- b [latency=20, volume=`+c.volume+`] }`, "--strategy", "exact")
		if got := p.Deployments[0]; got.Proved != "optimal" || *got.Cost.Link != c.link {
			t.Errorf("%s GB cost %v, want %v", c.volume, *got.Cost.Link, c.link)
		}
	}
	p := placeJSON(t, federation, `graph { a [request=10, limit=10]; b [request=10, limit=10]; c [request=10, limit=10]; a -- b [latency=20, volume=4]; b -- c [latency=20, volume=1] }`, "--strategy", "exact")
	if got := *p.Deployments[0].Cost.Link; got != 1+2+0.5 { // b is on us, a on ap, c on eu
		t.Errorf("links cost %v, want 3.5", got)
	}
}

// Dependencies share the bandwidth of a link only on request.
func TestBandwidthIsConsumedOnRequest(t *testing.T) {
	const federation = `graph { node [cpu=20, cpu_cost=1]; eu; us; eu -- us [bandwidth=10, bandwidth_cost=0] }`
	const deployment = `graph { node [request=10, limit=10]; a; b; c; d; edge [bandwidth=6]; a -- b; a -- c; a -- d; b -- c; b -- d; c -- d }`
	for flag, want := range map[string]string{"": "placed", "--consume-bandwidth": "infeasible"} {
		flags := []string{"--strategy", "heuristic"}
		if flag != "" {
			flags = append(flags, flag)
		}
		if got := placeJSON(t, federation, deployment, flags...).Deployments[0].Status; got != want {
			t.Errorf("%q: %s, want %s", flag, got, want)
		}
	}
}

// Rules apply wherever they are written. A rule about something that does not exist is an error.
func TestRulesOnTheCommandLine(t *testing.T) {
	const federation = `graph { node [cpu=30, cpu_cost=1]; eu [region=eu]; us [region=us, cpu_cost=2]; ap [region=ap, cpu_cost=3]; edge [latency=9, latency_cost=0]; eu -- us; us -- ap; eu -- ap }`
	const jobs = `node [request=10, limit=10]; a [group=web]; b [group=web]; c; edge [latency=20]; a -- b; b -- c`
	for _, c := range []struct {
		rules string // of the graph
		flags []string
		want  map[string]string
	}{
		{"", nil, map[string]string{"a": "eu", "b": "eu", "c": "eu"}},
		{"apart a b by region; c: never region=eu", nil, map[string]string{"a": "eu", "b": "us", "c": "us"}},
		{"", []string{"--rule", "apart group=web by region"}, map[string]string{"a": "eu", "b": "us", "c": "eu"}},
		{"", []string{"--rule", "only region=us,ap", "--rule", "at most 2 of per region"}, map[string]string{"a": "us", "b": "us", "c": "ap"}},
		{"only cluster=ap", nil, map[string]string{"a": "ap", "b": "ap", "c": "ap"}},
		{"spread by region", nil, map[string]string{"a": "eu", "b": "us", "c": "ap"}},
	} {
		for _, strategy := range []string{"heuristic", "exact"} {
			graph := "graph { " + jobs
			if c.rules != "" {
				graph += `; rules="` + c.rules + `"`
			}
			p := placeJSON(t, federation, graph+" }", append(c.flags, "--strategy", strategy)...)
			got := p.Deployments[0]
			cost := map[string]float64{"eu": 10, "us": 20, "ap": 30}
			var total float64
			for _, at := range c.want {
				total += cost[at]
			}
			if got.Status != "placed" || *got.Cost.Total != total {
				t.Errorf("%q %v, %s: %s, %v; want a total of %v", c.rules, c.flags, strategy, got.Status, got.Placement, total)
			}
		}
	}
	for _, c := range []struct{ flag, want string }{
		{"aprt a b by region", `--rule: at character 1: found "aprt"`},
		{"apart a x by region", "--rule: apart a x by region: no job is x"},
		{"apart a b by zone", `--rule: apart a b by zone: no cluster has the attribute "zone"`},
		{"only region=er", "--rule: only region=er: no cluster has region=er"},
	} {
		complainsAt(t, "", c.want, "place", "--federation", "f.dot", "--deployment", "d.dot", "--rule", c.flag)
	}
}

// Jobs stay in place if moving costs more than it saves, and no more than --max-moves of them move.
func TestFewMoves(t *testing.T) {
	const federation = `graph { node [cpu=30, cpu_cost=1]; eu; us [cpu_cost=2]; eu -- us [latency=9, latency_cost=0] }`
	const jobs = `graph { node [request=10, limit=10]; a [current=us, move_cost=50]; b [current=us]; c [current=us, move_cost=4] }`
	for _, c := range []struct {
		flags []string
		total float64
	}{{nil, 20 + 10 + 10 + 4}, {[]string{"--max-moves", "1"}, 20 + 10 + 20}, {[]string{"--max-moves", "0"}, 60}} {
		for _, strategy := range []string{"heuristic", "exact"} {
			if got := placeJSON(t, federation, jobs, append(c.flags, "--strategy", strategy)...).Deployments[0]; got.Status != "placed" || *got.Cost.Total != c.total {
				t.Errorf("%v, %s: %s, %v; want %v", c.flags, strategy, got.Status, got.Placement, c.total)
			}
		}
	}
}

// The front of cost and another measure has the placements between the cheapest one and the one
// with the smallest value of the other measure, each with a bound.
func TestTheFrontOfTwoMeasures(t *testing.T) {
	const federation = `graph { node [cpu=30]; eu [cpu_cost=1, carbon=9, region=eu]; us [cpu_cost=2, carbon=4, region=us]; ap [cpu_cost=4, carbon=1, region=ap]
		edge [latency=9, latency_cost=0]; eu -- us; us -- ap; eu -- ap }`
	const jobs = `graph { node [request=10, limit=10, current=eu]; a; b; c; a -- b [latency=20] }`
	type front struct {
		Pareto struct {
			Measures []string
			Points   []struct {
				Values    []float64
				Bound     float64
				Proved    bool
				Placement map[string]string
			}
		}
	}
	for measure, want := range map[string][2][]float64{ // the ends
		"carbon": {{30, 270}, {120, 30}}, "resilience": {{30, 3}, {70, 1}}, "balance": {{30, 1}, {70, 1. / 3}}, "moves": {{30, 0}, {30, 0}}, "latency": {{30, 0}, {30, 0}},
	} {
		placeJSON(t, federation, jobs)
		stdout, stderr, code := exec(t, "", "place", "--federation", "f.dot", "--deployment", "d.dot", "--strategy", "exact", "--pareto", "cost,"+measure)
		var f front
		if err := json.Unmarshal([]byte(stdout), &f); err != nil || code != statusPlaced {
			t.Fatalf("%v: %s", err, stderr)
		}
		points := f.Pareto.Points
		for i, end := range [2]int{0, len(points) - 1} {
			if got := points[end]; !slices.Equal(got.Values, want[i]) || !got.Proved || len(got.Placement) != 3 {
				t.Errorf("%s: %+v, want %v", measure, got, want[i])
			}
		}
		text, _, _ := exec(t, "", "place", "--federation", "f.dot", "--deployment", "d.dot", "--strategy", "exact", "--pareto", "cost,"+measure, "--format", "text")
		if !strings.Contains(text, "front of cost and "+measure) || strings.Count(text, "optimal") < len(points) {
			t.Errorf("%s", text)
		}
	}
	for flag, want := range map[string]string{
		"cost,speed": "--pareto: found \"cost, speed\"; expected cost and one of carbon, latency, moves, resilience, balance", "carbon": "--pareto",
	} {
		complains(t, "", want, "place", "--federation", "f.dot", "--deployment", "d.dot", "--pareto", flag)
	}
}
