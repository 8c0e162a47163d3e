package drawn

import (
	"fmt"
	"slices"

	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// QoS draws a scenario of package qoskind. Its requests and hosts are tables or recipes.
func QoS(seed uint64) scenario.Scenario {
	r := newDraw(seed, qosStream)
	d := &qoskind.Document{
		Seed: r.small(), Seeds: pick(r, 0, 0, 0, 2), Preset: pick(r, "", "logs", "paper"), NoLimit: r.often(20), FirstOverheadPending: r.often(30),
		Horizon: pick(r, 0.0, 300, 900), Hosts: r.hosts(),
	}
	for i := range r.between(0, 4) {
		d.Classes = append(d.Classes, r.class(i))
	}
	classes := []string{"gold", "silver", "bronze"}
	if len(d.Classes) > 0 {
		classes = nil
		for _, c := range d.Classes {
			classes = append(classes, c.Name)
		}
	}
	if r.often(25) && d.Classes == nil {
		preset := pick(r, qoskind.GoogleLike, qoskind.FirstHour)
		d.Workload = recipe(r, qoskind.RequestsGenerator, preset, map[string]float64{"requests": float64(r.between(20, 150)), "days": 0.01, "stretch": 0.2})
	} else {
		d.Workload = r.requests(classes)
	}
	if r.often(15) && d.Workload.Recipe != nil {
		d.Hosts = recipe(r, qoskind.HostsGenerator, qoskind.GoogleLike, map[string]float64{"part": pick(r, 0.7, 1), "pool": 300})
	}
	r.overheads(d)
	r.policies(d)
	r.hostEvents(d)
	if r.often(30) {
		r.controllers(d, classes)
	}
	if r.often(10) {
		d.Sample = &qoskind.Sample{Part: pick(r, 0, 0.3, 0.6), Groups: pick(r, 0, 2), Seed: r.small()}
	}
	if r.often(20) {
		d.PointEvery, d.FairnessEvery = new(pick(r, 0.0, 10)), new(pick(r, 0.0, 30))
	}
	s := qoskind.New(fmt.Sprint("drawn ", seed), *d)
	r.turn(s, 10, 10, slices.DeleteFunc(slices.Clone(qoskind.Parameters()), func(p parameter.Parameter) bool { return p.Name == "horizon" }))
	return s
}

func recipe(r draw, generator, preset string, parameters map[string]float64) scenario.Source {
	return scenario.Source{Name: preset, Recipe: &workload.Recipe{Generator: generator, Preset: preset, Seed: r.small(), Parameters: parameters}}
}

func (r draw) class(i int) qoskind.Class {
	c := qoskind.Class{Name: fmt.Sprint("class", i), SLO: pick(r, 1, 0.99, 0.95, 0.9, 0.77, 0.5, 0.2), Importance: pick(r, 0, 0, 1, 2)}
	if r.often(50) {
		c.Margin = new(pick(r, 0.0, 10, 30, 45))
	}
	if r.often(30) {
		c.Limit = new(pick(r, 0, 0.05, 1))
	}
	if r.often(20) {
		c.Bonus = []qos.Bonus{{Below: 0.5, Credit: 30}, {Below: 0.9, Credit: 10}}
	}
	return c
}

func (r draw) hosts() scenario.Source {
	text := table("name,cpu,memory,attributes,gpus", r.between(2, 8), func(i int) []any {
		return []any{fmt.Sprint("h", i), r.between(2, 10), r.between(2, 10), fmt.Sprintf("disk=%s;cores=%d", pick(r, "ssd", "hdd"), r.IntN(5)), r.IntN(3)}
	})
	return scenario.Source{Name: "hosts.csv", Text: text}
}

// requests draws a table of requests. Depending on the seed, they contend for the hosts heavily or
// not at all.
func (r draw) requests(classes []string) scenario.Source {
	at, step, load := 0, pick(r, 1, 1000, 777), r.between(1, 20)
	gpus := r.often(30)
	text := table("id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints,user,gpus", r.between(5, 70), func(i int) []any {
		if r.often(60) {
			at += r.IntN(1000*load) / step * step
		}
		gpu := ""
		if gpus {
			gpu = pick(r, "", "1", "2", "0.3", "0.5")
		}
		return []any{
			fmt.Sprint("r", i), fmt.Sprint("j", i/3), float64(at) / 1000, float64(r.between(1, 200_000)) / 1000, r.tenths(1, 40), r.tenths(1, 40),
			pick(r, classes...), pick(r, 0, 0, 1), pick(r, "", "", "", "disk=ssd", "cores>2", "disk!=hdd;cores<4"), fmt.Sprint("u", r.IntN(6)), gpu,
		}
	})
	return scenario.Source{Name: "requests.csv", Text: text}
}

func (r draw) overheads(d *qoskind.Document) {
	set := func() *scenario.Source {
		if r.often(50) {
			return new(recipe(r, qoskind.OverheadsGenerator, qoskind.Validation, map[string]float64{"count": float64(r.between(1, 40)), "sigma": pick(r, 0, 0.2, 1)}))
		}
		return &scenario.Source{Name: "overheads.csv", Text: table("overhead_s", r.between(1, 4), func(int) []any { return []any{r.tenths(0, 80)} })}
	}
	switch r.IntN(3) {
	case 0:
		d.Overheads = set()
	case 1:
		d.Hot, d.Cold = set(), set()
	}
}

func (r draw) policies(d *qoskind.Document) {
	for _, name := range some(r, 3, qos.Names()) {
		p := qoskind.PolicyRun{Name: name, Scheduler: pick(r, "", "", qoskind.Fast, qoskind.Literal)}
		if name == "hybrid" && r.often(70) {
			p.Parameters = parameter.Values{"limit": float64(pick(r, 1, 5, 50))}
		}
		if r.often(20) {
			p.Savings = &qoskind.Savings{
				ScoreCaching: r.often(50), CacheValidity: pick(r, 5.0, 30), EquivalenceClass: r.often(50), WithinJob: r.often(20),
				QTolerance: pick(r, 0.0, 5), Relaxed: pick(r, 0, 0.3, 1), Pruning: pick(r, "", "none", "printed", "safe"),
			}
		}
		d.Policies = append(d.Policies, p)
	}
	if r.often(10) {
		d.Policies = append(d.Policies, qoskind.PolicyRun{Policy: r.written(
			"def queue(request, now):\n    return request.time_to_violate\n\ndef may_preempt(request, victim, now):\n    return request.importance < victim.importance\n",
			"def queue(request, now):\n    return request.importance\n",
		)})
	}
}

// hostEvents draws events of hosts that leave and return, as rows of the document or as a table.
func (r draw) hostEvents(d *qoskind.Document) {
	if r.often(50) || d.Hosts.Recipe != nil {
		return
	}
	at := 0
	for range r.between(1, 8) {
		at += r.IntN(60)
		e := qoskind.HostEvent{Time: float64(at), Host: fmt.Sprint("h", r.IntN(2)), Event: pick(r, "fail", "leave", "remove", "return", "add"), CPU: 4, Memory: 4}
		if e.Event == "add" {
			e.Host = fmt.Sprint("h", r.IntN(12)) // may add a new host
		}
		d.HostEvents = append(d.HostEvents, e)
	}
	if events := d.HostEvents; r.often(40) {
		text := table("time_s,host,event,cpu,memory,gpus", len(events), func(i int) []any {
			return []any{events[i].Time, events[i].Host, events[i].Event, 5, 5, r.IntN(3)}
		})
		d.HostEvents, d.HostEventSource = nil, &scenario.Source{Name: "events.csv", Text: text}
	}
}

func (r draw) controllers(d *qoskind.Document, classes []string) {
	for i, kind := range some(r, 3, qos.ControllerKinds()) {
		c := qoskind.Controller{
			Name: fmt.Sprint("c", i), Kind: kind, Class: pick(r, classes...), CPU: r.tenths(1, 30), Memory: r.tenths(1, 30), Submit: r.tenths(0, 500),
			Copies: r.IntN(3), Interval: r.tenths(0, 300), Duration: r.tenths(10, 2000), AntiAffinity: r.often(20), GPUs: pick(r, 0, 0, 0, 0.5, 1),
		}
		switch {
		case c.Batch():
			c.Completions, c.Parallelism = r.between(1, 5), r.IntN(3)
			if kind == qos.CronJob.String() {
				c.Period, c.Runs = r.tenths(100, 900), r.between(1, 4)
			}
		default:
			c.Measure = pick(r, qoskind.Measures()...)
			if kind != qos.DaemonSet.String() {
				c.Replicas = r.between(1, 4)
			}
			if d.Horizon > 0 && r.often(50) {
				c.Duration = 0
			}
		}
		if r.often(20) {
			c.Constraints = []string{"disk=ssd"}
		}
		d.Controllers = append(d.Controllers, c)
	}
}
