package examples

import (
	"fmt"
	"strings"

	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// deployments is the experiment of section 7.2.6 of the thesis: 53 Deployments
// of two instances each, one a second. Of the 4 GB of a host Kubernetes takes a
// quarter of one; what is left has room for 20 instances, 100 of 106 in all.
func deployments() Example {
	hosts := "name,cpu,memory,attributes\n"
	for i := range 5 {
		hosts += fmt.Sprintf("node-%d,4,3.75,\n", i+1)
	}
	d := qoskind.Document{
		Hosts:     scenario.Source{Name: "nodes.csv", Text: hosts},
		Overheads: generatedOverheads(),
		Policies:  policies(),
		Preset:    "paper", // φ = 10 s
		Horizon:   3600,
		Seed:      1,
	}
	at := 0
	for i, service := range []struct {
		slo   float64
		count int
	}{{1, 20}, {0.95, 16}, {0.9, 17}} {
		class := fmt.Sprintf("service %d", i+1)
		d.Classes = append(d.Classes, qoskind.Class{Name: class, SLO: service.slo})
		d.Controllers = append(d.Controllers, qoskind.Controller{
			Name: strings.ReplaceAll(class, " ", "-"), Kind: "deployment", Class: class, Copies: service.count, Interval: 1,
			Replicas: 2, CPU: 0.187, Memory: 0.187, Submit: float64(at), Measure: "aggregated",
		})
		at += service.count
	}
	return encoded("deployments", "53 Deployments of two instances each",
		"Room for 100 of 106 instances. The thesis measured 94.3 % of availability by priority and 93.3 % by QoS, closer to each SLO (7.2.6).", d)
}
