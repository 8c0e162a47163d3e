package main

import (
	_ "embed"
	"strconv"
	"strings"

	"berth/engine/scenario"
)

// mostConfig is the largest experiment, in bytes, that fits into a ConfigMap, whose total limit is
// 1 MiB.
const mostConfig = 1_000_000

// kubernetes prints the objects that run the experiment on a cluster. Each pod of an Indexed Job
// executes its share of the runs, with its own store on a shared volume.
func (s *swept) kubernetes() error {
	for _, slot := range s.Slots() {
		if slot.Source.Beside() {
			return badInputf("%s: %s: the file %.200q is a file next to the experiment: put its text into the document, or use berth sweep --nats", s.file, slot.Name, slot.Source.Name)
		}
	}
	document := scenario.Encode(s.Scenario)
	if len(document) > mostConfig {
		return badInputf("%s: has %d bytes, and a ConfigMap takes at most %d: use berth sweep --nats", s.file, len(document), mostConfig)
	}
	pods := min(s.flags.workers, s.jobs)
	text := strings.ReplaceAll(strings.TrimRight(string(document), "\n"), "\n", "\n    ")
	fill := strings.NewReplacer("NAME", "berth-"+s.Hash(), "EXPERIMENT", text, "PODS", strconv.Itoa(pods), "IMAGE", strconv.Quote(s.flags.image))
	return s.call.write([]byte(fill.Replace(job)))
}

// job is a template with the placeholders NAME, EXPERIMENT, PODS and IMAGE. Kubernetes does not
// retry a pod whose runs failed, because the results record the failures.
//
//go:embed job.yaml
var job string
