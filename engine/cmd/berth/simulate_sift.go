package main

import (
	"flag"
	"strconv"

	"berth/engine/qos/qoskind"
)

// siftFlags say which requests of the workload are simulated.
type siftFlags struct {
	part, limit, atStart float64 // 0: not given
	groups               int     // likewise
	seed                 uint64
}

func (p *siftFlags) register(f *flag.FlagSet) {
	part(f, &p.part, "sample", "simulate the requests of this `PART` of the users, drawn from each group that k-means finds (default all)")
	parsed(f, &p.groups, "sample-groups", "`NUMBER` of groups of users (default 6)", "a whole number from 1 to "+strconv.Itoa(qoskind.MaxGroups), func(s string) (int, bool) {
		n, err := strconv.Atoi(s)
		return n, err == nil && n >= 1 && n <= qoskind.MaxGroups
	})
	seedOf(f, &p.seed, "sample-seed", "`SEED` of the sample (default 1)")
	part(f, &p.limit, "admission", "let a request in if the active ones then ask for no more than this `PART` of all hosts (default all are let in)")
	part(f, &p.atStart, "admission-at-start", "the same `PART` at time 0 (default 0.2 less)")
}

// part adds a flag for a part of a whole.
func part(f *flag.FlagSet, to *float64, name, usage string) {
	parsed(f, to, name, usage, "a part above 0 and up to 1, such as 0.1", func(s string) (float64, bool) {
		v, ok := finite(s)
		return v, ok && v >= 1e-6 && v <= 1
	})
}

// put puts them into a document.
func (p *siftFlags) put(c *call, d *qoskind.Document) error {
	switch {
	case p.part > 0 && d.Workload.Name == "":
		return c.misuse("--sample needs --workload, whose users it is of")
	case p.limit > 0 && d.Workload.Name == "":
		return c.misuse("--admission needs --workload, whose requests it is for")
	case p.groups > 0 && p.part == 0:
		return c.misuse("--sample-groups needs --sample")
	case p.atStart > 0 && p.limit == 0:
		return c.misuse("--admission-at-start needs --admission")
	case p.atStart > p.limit:
		return c.misuse("--admission-at-start %v is above --admission %v", p.atStart, p.limit)
	case p.limit > 0 && p.limit <= 0.2 && p.atStart == 0:
		return c.misuse("--admission %v needs --admission-at-start, which would be 0.2 less", p.limit)
	}
	if p.part > 0 {
		d.Sample = &qoskind.Sample{Part: p.part, Groups: p.groups, Seed: p.seed}
	}
	if p.limit > 0 {
		d.Admission = &qoskind.Admission{Limit: p.limit, AtStart: p.atStart}
	}
	return nil
}
