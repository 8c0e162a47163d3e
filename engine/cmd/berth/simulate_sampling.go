package main

import "berth/engine/qos/qoskind"

// checkSampling validates the flags that select requests of the workload.
func (p *simulateFlags) checkSampling(c *call, d *qoskind.Document) error {
	if d.Window != nil && d.Workload.Name == "" {
		return c.misuse("--first, --from, --to and --every need --workload: they choose a part of it")
	}
	if s := d.Sample; s != nil {
		switch {
		case s.Part == 0:
			return c.misuse("--sample-groups needs --sample")
		case d.Workload.Name == "":
			return c.misuse("--sample needs --workload, because it samples the users of the workload")
		}
		s.Seed = p.sampleSeed
	}
	if a := d.Admission; a != nil {
		switch {
		case a.Limit == 0:
			return c.misuse("--admission-at-start needs --admission")
		case d.Workload.Name == "":
			return c.misuse("--admission needs --workload, because it admits the requests of the workload")
		}
	}
	return nil
}
