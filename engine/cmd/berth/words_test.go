package main

import (
	"encoding/json"
	"os"
	"testing"
)

// placedAs is what these tests look at in the JSON of place.
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
	try(t, os.WriteFile("f.dot", []byte(federation), 0o666))
	try(t, os.WriteFile("d.dot", []byte(deployment), 0o666))
	stdout, stderr, _ := exec(t, "", append([]string{"place", "--federation", "f.dot", "--deployment", "d.dot"}, flags...)...)
	var p placedAs
	if err := json.Unmarshal([]byte(stdout), &p); err != nil {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	return p
}

// What two jobs exchange is paid by the gigabyte, over every link on the way.
func TestTrafficIsPaidByVolume(t *testing.T) {
	const federation = `graph { node [cpu=10, cpu_cost=1]; eu; us; ap;
		eu -- us [latency=9, latency_cost=2, traffic_cost=0.5]; eu -- ap [latency=9, latency_cost=1, traffic_cost=3]; us -- ap [latency=9, latency_cost=1] }`
	for _, c := range []struct {
		volume string
		link   float64
	}{{"0", 1}, {"4", 1}, {"100", 1}} { // between us and ap nothing is paid for it
		p := placeJSON(t, federation, `graph { a [request=10, limit=10]; b [request=10, limit=10]; a -- b [latency=20, volume=`+c.volume+`] }`, "--strategy", "exact")
		if got := p.Deployments[0]; got.Proved != "optimal" || *got.Cost.Link != c.link {
			t.Errorf("%s GB cost %v, want %v", c.volume, *got.Cost.Link, c.link)
		}
	}
	p := placeJSON(t, federation, `graph { a [request=10, limit=10]; b [request=10, limit=10]; c [request=10, limit=10]; a -- b [latency=20, volume=4]; b -- c [latency=20, volume=1] }`, "--strategy", "exact")
	if got := *p.Deployments[0].Cost.Link; got != 1+2+0.5 { // b on us, a on ap, c on eu
		t.Errorf("links cost %v, want 3.5", got)
	}
}

// Dependencies share what a link carries only if that is asked for.
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
