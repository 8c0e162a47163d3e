package drawn

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/policy"
	"berth/engine/scenario"
)

// Federate draws a scenario of package federatekind. Its trace is a recipe, a table of
// tasks, a log of gangs, or a list of pods that share GPUs.
func Federate(seed uint64) scenario.Scenario {
	r := newDraw(seed, federateStream)
	gms, lms := r.between(1, 4), r.between(1, 4)
	d := &federatekind.Document{
		GMs: gms, LMs: lms, Workers: max(gms, lms) + r.between(0, 12), Seed: r.small(), Seeds: pick(r, 0, 0, 0, 2), KeepProgress: r.often(50),
		Preset: pick(r, "", federatekind.DefaultPreset, federatekind.PaperPreset), State: pick(r, "", federatekind.FullState, federatekind.ChangedState), IdealProcessing: r.often(15),
	}
	users := pick(r, 0, 0, 2, 4)
	slots, gpus := true, false
	switch r.IntN(10) {
	case 0:
		d.Trace = r.gangs()
	case 1:
		d.Trace, slots, gpus = r.pods(), false, true
	case 2, 3, 4:
		slots = r.often(50)
		d.Trace = r.tasks(users, slots)
	default:
		d.Trace, slots = r.jobs(users)
	}
	if gpus || r.often(25) {
		r.machines(d)
	}
	unlike, moving := d.Classes != nil || d.Machines != nil, d.Machines != nil && d.Machines.Name == "events.csv"
	d.Schedulers = some(r, 3, slices.DeleteFunc(federate.Names(), func(name string) bool {
		p, _ := federate.Lookup(name)
		return !p.Facts.Unbounded && (p.Facts.Slots && !slots || unlike && !p.Facts.Unlike || moving && !p.Facts.Moves || gpus && !p.Facts.Pooled)
	}))
	if r.often(10) && !unlike {
		d.Policies = []policy.Text{*r.written("def pick(task, workers):\n    return workers.first\n", "def pick(task, workers):\n    return workers.all[-1]\n")}
		d.Schedulers = append(d.Schedulers, d.Policies[0].Name)
	}
	if users > 0 && d.Trace.Name != "log.swf" && !gpus && r.often(50) {
		d.Shares = map[int][]float64{2: {0.3, 0.7}, 4: {0.1, 0.25, 0.15, 0.5}}[users]
		d.KeepProgress = true // otherwise users preempt each other forever
	}
	if !unlike && r.often(30) {
		d.Constraints = []workload.ConstraintTable{{Name: "even", Machine: slices.Repeat([]float64{0.8}, workload.Constraints)}}
	}
	if r.often(10) {
		d.Window = &workload.Window{First: pick(r, 0, 15), Every: pick(r, 0, 2), From: pick(r, 0.0, 1)}
	}
	r.outages(d)
	if r.often(6) {
		d.Sweep = []federatekind.Sweep{{Parameter: "heartbeat", Values: []float64{1, 5}}}
	}
	s := federatekind.New(fmt.Sprint("drawn ", seed), *d)
	r.turn(s, 15, 1, slices.DeleteFunc(federatekind.Parameters(), func(p parameter.Parameter) bool { return !turned(d, &p) }))
	return s
}

// turned reports whether [draw.turn] may set a parameter: it applies to the document's schedulers
// or to all schedulers, and nothing else in this file draws it.
func turned(d *federatekind.Document, p *parameter.Parameter) bool {
	if p.Group == federate.SchedulerGroup {
		path := strings.TrimPrefix(p.JSONPath(), "parameters.")
		return slices.ContainsFunc(d.Schedulers, func(name string) bool { return strings.HasPrefix(path, name+".") })
	}
	return !p.Required && p.Group != federatekind.SeedGroup && p.Group != federatekind.CapacityGroup && !strings.HasPrefix(p.JSONPath(), "window.")
}

// jobs draws a recipe. slots is true if its tasks take slots.
func (r draw) jobs(users int) (s scenario.Source, slots bool) {
	preset := pick(r, workload.JobPresets()...)
	v := map[string]float64{
		"jobs": float64(r.between(1, 40)), "interarrival": pick(r, 0.01, 0.3, 1), "burst": pick(r, 1.0, 5), "min_tasks": 1, "max_tasks": float64(r.between(1, 30)),
		"min_duration": pick(r, 0.2, 2), "max_duration": pick(r, 5.0, 40), "users": float64(users),
	}
	if all, _, _ := workload.JobFigures(workload.Recipe{Generator: workload.JobsGenerator, Preset: preset}); parameter.Index(all, "long") >= 0 {
		v["long"], v["min_long_tasks"], v["max_long_tasks"], v["min_long_duration"], v["max_long_duration"] = 0.2, 2, 20, 30, 120
	}
	return recipe(r, workload.JobsGenerator, preset, v), preset != "alibaba" && preset != "google"
}

// tasks draws a table of tasks. Some of its jobs wait for others.
func (r draw) tasks(users int, slots bool) scenario.Source {
	header, waits, at := "arrival,job,duration,after", r.often(40), 0
	if users > 0 {
		header += ",user"
	}
	if !slots {
		header += ",cpu,memory,constraints,priority"
	}
	return scenario.Source{Name: "tasks.csv", Text: table(header, r.between(users+1, 60), func(i int) []any {
		if i%3 == 0 {
			at += r.IntN(3000)
		}
		row := []any{float64(at) / 1000, fmt.Sprint("j", i/3), r.tenths(1, 300), ""}
		if waits && i >= 3 && i%3 == 0 && r.often(40) {
			row[3] = fmt.Sprint("j", r.IntN(i/3))
		}
		if users > 0 {
			row = append(row, fmt.Sprint("u", i/3%users))
		}
		if !slots {
			row = append(row, r.tenths(1, 80), r.tenths(1, 80), pick(r, "", "", "1", "2;5"), i/3%3)
		}
		return row
	})}
}

// gangs draws a log in the Standard Workload Format.
func (r draw) gangs() scenario.Source {
	var b strings.Builder
	at := 0
	for i := range r.between(3, 40) {
		at += r.IntN(6)
		run, size := r.between(1, 60), r.between(1, 4)
		fmt.Fprintln(&b, i+1, at, -1, run, size, -1, -1, size, run+r.IntN(20), -1, 1, 1+r.IntN(3), -1, -1, -1, -1, -1, -1)
	}
	return scenario.Source{Name: "log.swf", Text: b.String()}
}

func (r draw) pods() scenario.Source {
	return scenario.Source{Name: "pods.csv", Text: table("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,creation_time,deletion_time,scheduled_time", r.between(3, 50), func(i int) []any {
		at := i * r.IntN(3)
		return []any{fmt.Sprint("p", i), 100 * r.between(1, 40), 256 * r.between(1, 20), pick(r, 0, 1, 1, 2), pick(r, 300, 500, 1000), pick(r, "", "", "T4", "T4|V100"), at, at + r.between(1, 60), at}
	})}
}

// machines draws classes of workers, a list of workers, or a list of machine events.
func (r draw) machines(d *federatekind.Document) {
	d.Workers = 0
	n := r.between(1, 3)
	if r.often(20) { // as in the Google trace, machines leave and return; only machine m stays
		n += 5
		d.Machines = &scenario.Source{Name: "events.csv", Text: table("0,m,0,p,16,16", 2*n, func(i int) []any {
			if i < n {
				return []any{0, i, 0, "p", r.between(4, 32), r.between(4, 32)}
			}
			return []any{1_000_000*i + r.IntN(1_000_000), i / 2 % n, i % 2, "p", 8, 8}
		})}
		return
	}
	if r.often(40) {
		d.Machines = &scenario.Source{Name: "machines.csv", Text: table("name,cpu,memory,attributes,gpus,count,slots,speed,rack", n, func(i int) []any {
			return []any{fmt.Sprint("m", i), r.between(8, 32), r.between(8, 32), "model=" + pick(r, "T4", "V100"), r.IntN(4), r.between(2, 10), r.between(1, 3), pick(r, 0.5, 1, 2), pick(r, "r1", "r2")}
		})}
		return
	}
	for i := range n {
		d.Classes = append(d.Classes, federatekind.MachineClass{
			Name: fmt.Sprint("m", i), Count: r.between(2, 10), CPU: float64(r.between(8, 32)), Memory: float64(r.between(8, 32)), GPUs: r.IntN(4),
			Slots: new(r.between(1, 3)), Speed: new(pick(r, 0.5, 1, 2)), Attributes: map[string]string{"model": pick(r, "T4", "V100"), workload.RackKey: pick(r, "r1", "r2")},
		})
	}
}

// outages draws failures of masters, workers and racks. No master, worker or rack fails twice.
func (r draw) outages(d *federatekind.Document) {
	if r.often(50) {
		return
	}
	for _, subject := range some(r, 3, []string{"gm", "lm", "worker"}) {
		for _, index := range some(r, 2, []int{0, 1}[:min(2, max(1, min(d.GMs, d.LMs)))]) {
			d.Outages = append(d.Outages, federatekind.Outage{Subject: subject, Index: index, At: r.tenths(0, 100), Duration: r.tenths(1, 100)})
		}
	}
	if d.Classes != nil && r.often(30) {
		d.Outages = []federatekind.Outage{{Subject: "rack", Rack: d.Classes[0].Attributes[workload.RackKey], At: r.tenths(0, 100), Duration: r.tenths(1, 100)}}
	}
}
