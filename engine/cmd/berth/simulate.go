package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"berth/engine/qos"
	"berth/engine/sim"
	"berth/engine/workload"
)

var simulate = &command{
	name: "simulate", summary: "simulate schedulers of requests with promised availability",
	usage: "  berth simulate --workload W --hosts H [flags]",
	details: `The workload may be in the format of the authors of the QoS-driven scheduler, the
CSV of their broker, task_events of the Google trace of 2011, or CSV with the
header id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints.
Hosts may be in the authors' format, machine_events of that trace, or CSV with
the header name,cpu,memory,attributes. Overheads are CSV with the one column
overhead_s; without any, an allocation takes no time.

Status 3 says that a request could never run.`,
	run: runSimulate,
}

type simulateFlags struct {
	workload, hosts, overheads, hot, cold string
	classes, hostEvents, requests         string
	policies                              list
	preset, scheduler, output             *choice
	margin, watchdog, horizon             time.Duration
	alpha                                 float64 // ms; negative: mean
	seed                                  uint64
	hybridLimit                           int
	firstPending                          bool
}

func (p *simulateFlags) register(f *flag.FlagSet) {
	f.StringVar(&p.workload, "workload", "", "the requests, a `FILE`")
	f.StringVar(&p.hosts, "hosts", "", "the hosts, a `FILE`")
	f.StringVar(&p.overheads, "overheads", "", "allocation overheads, a `FILE`")
	f.StringVar(&p.hot, "overheads-hot", "", "overheads where the instance has run before, a `FILE`")
	f.StringVar(&p.cold, "overheads-cold", "", "overheads where it has not, a `FILE`")
	f.StringVar(&p.classes, "classes", "", "the service classes, a JSON `FILE` (default gold, silver, bronze)")
	f.Var(&p.policies, "policy", "`qos|priority|hybrid`; may be repeated (default qos)")
	p.preset = choose(f, "preset", "margin and watchdog", qos.Logs.Name, qos.Paper.Name)
	f.DurationVar(&p.margin, "margin", -1, "safety margin φ of classes that have none, a `DURATION` (default of the preset)")
	f.DurationVar(&p.watchdog, "watchdog", -1, "longest `TIME` between two passes (default of the preset)")
	p.alpha = -1
	f.Func("alpha", "expected time of an allocation: `mean` of the overheads, or a duration (default mean)", p.setAlpha)
	f.DurationVar(&p.horizon, "horizon", 0, "`TIME` to simulate from the first arrival (default until all is done)")
	f.StringVar(&p.hostEvents, "host-events", "", "hosts that fail, leave, return or are added: CSV time_s,host,event,cpu,memory, a `FILE`")
	p.scheduler = choose(f, "scheduler", "how to carry the policies out", "fast", "literal")
	f.Uint64Var(&p.seed, "seed", 1, "`SEED` of overheads and ties")
	f.IntVar(&p.hybridLimit, "hybrid-limit", qos.DefaultHybridLimit, "`LENGTH` of the queue from which hybrid goes by priority")
	f.BoolVar(&p.firstPending, "first-overhead-pending", false, "the first allocation is pending time, as in the paper")
	p.output = choose(f, "format", "what to print", "json", "text")
	f.StringVar(&p.requests, "requests", "", "write one line a request to `FILE`, CSV")
}

func (p *simulateFlags) setAlpha(text string) error {
	if text == "mean" {
		p.alpha = -1
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return errors.New("expected mean or a duration such as 2.4s")
	}
	p.alpha = float64(d) / float64(time.Millisecond)
	return nil
}

func runSimulate(c *call) error {
	f := c.flags()
	var p simulateFlags
	p.register(f)
	if _, err := c.parse(f); err != nil {
		if errors.Is(err, errHelped) {
			return nil
		}
		return err
	}
	e, err := p.experiment(c)
	if err != nil {
		return err
	}
	var out *requestsFile
	if p.requests != "" {
		if out, err = newRequestsFile(p.requests); err != nil {
			return err
		}
	}
	report, err := e.run(c, p.policies, out)
	if err != nil {
		return err
	}
	data, err := encode(report)
	if p.output.value == "text" {
		data, err = simulationText(report), nil
	}
	if err != nil {
		return err
	}
	if err := c.write("", data); err != nil {
		return err
	}
	switch {
	case c.Err() != nil:
		return c.Err()
	case e.seen.Hopeless > 0:
		return errNotPlaced
	}
	return nil
}

// simulation is an experiment whose input has been checked.
type simulation struct {
	input    qos.Input
	config   qos.Config
	policy   map[string]qos.Policy
	requests func() (workload.Source, error)
	seen     *qos.Inspection
	notes    []string
	warnings []string
}

func (p *simulateFlags) experiment(c *call) (*simulation, error) {
	for _, required := range []struct{ flag, value string }{{"workload", p.workload}, {"hosts", p.hosts}} {
		if required.value == "" {
			return nil, c.misuse("--%s is missing", required.flag)
		}
	}
	e := &simulation{policy: map[string]qos.Policy{}, notes: []string{}, warnings: []string{}}
	var err error
	if e.config, err = p.config(c, e); err != nil {
		return nil, err
	}
	if err = p.choosePolicies(c, e); err != nil {
		return nil, err
	}
	if err = p.infrastructure(c, e); err != nil {
		return nil, err
	}
	file, err := c.reopenable(p.workload)
	if err != nil {
		return nil, err
	}
	e.requests = func() (workload.Source, error) { return workload.OpenRequests(file.name, file.open) }
	return e, e.inspect(file.name)
}

func (p *simulateFlags) choosePolicies(c *call, e *simulation) error {
	if len(p.policies) == 0 {
		p.policies = list{"qos"}
	}
	for _, name := range p.policies {
		policy, err := qos.PolicyNamed(name)
		if err != nil {
			return c.misuse("--policy: %v", err)
		}
		if _, again := e.policy[name]; again {
			return c.misuse("--policy %s is given twice", name)
		}
		if name == "hybrid" {
			policy = qos.Hybrid(p.hybridLimit)
		}
		e.policy[name] = policy
	}
	e.config.Policy = e.policy[p.policies[0]]
	return nil
}

func (p *simulateFlags) config(c *call, e *simulation) (qos.Config, error) {
	preset := qos.Logs
	if p.preset.value == qos.Paper.Name {
		preset = qos.Paper
	}
	for _, d := range []struct {
		flag  string
		value time.Duration
		unset time.Duration
		to    *sim.Time
	}{{"margin", p.margin, -1, &preset.Margin}, {"watchdog", p.watchdog, -1, &preset.Watchdog}} {
		if d.value < 0 && d.value != d.unset {
			return qos.Config{}, c.misuse("--%s %v must not be negative", d.flag, d.value)
		}
		if d.value != d.unset {
			*d.to = d.value.Milliseconds()
		}
	}
	if preset.Watchdog == 0 {
		return qos.Config{}, c.misuse("--watchdog must be at least 1ms")
	}
	if p.horizon < 0 {
		return qos.Config{}, c.misuse("--horizon %v is before the first arrival", p.horizon)
	}
	config := qos.Config{
		Classes: qos.GoogleClasses(preset.Margin), Watchdog: preset.Watchdog, Alpha: p.alpha,
		Horizon: p.horizon.Milliseconds(), Seed: p.seed, Literal: p.scheduler.value == "literal",
		FirstOverheadPending: p.firstPending,
	}
	if p.classes != "" {
		name, data, err := c.read(p.classes)
		if err != nil {
			return config, err
		}
		if config.Classes, err = qos.ParseClasses(data, preset.Margin); err != nil {
			return config, badInputf("%s: %v", name, err)
		}
	}
	var err error
	config.HotSet, config.ColdSet, err = p.overheadSets(c, e)
	return config, err
}

func (p *simulateFlags) overheadSets(c *call, e *simulation) (hot, cold []sim.Time, err error) {
	read := func(file string) []sim.Time {
		if err != nil {
			return nil
		}
		var set []sim.Time
		err = c.stream(file, func(name string, r io.Reader) error {
			var err error
			set, err = workload.Overheads(name, r)
			return err
		})
		return set
	}
	switch {
	case p.overheads != "" && (p.hot != "" || p.cold != ""):
		return nil, nil, c.misuse("--overheads is for hot and cold alike; give either it or --overheads-hot and --overheads-cold")
	case p.overheads != "":
		hot = read(p.overheads)
		return hot, hot, err
	case p.hot != "" && p.cold != "":
		hot, cold = read(p.hot), read(p.cold)
		return hot, cold, err
	case p.hot != "" || p.cold != "":
		return nil, nil, c.misuse("--overheads-hot and --overheads-cold go together")
	}
	e.notes = append(e.notes, "no overheads were given: an allocation takes no time")
	hot = []sim.Time{0}
	return hot, hot, nil
}

func (p *simulateFlags) infrastructure(c *call, e *simulation) error {
	err := c.stream(p.hosts, func(name string, r io.Reader) error {
		var err error
		e.input.Hosts, e.input.HostEvents, err = workload.ReadHosts(name, r)
		return err
	})
	if err != nil || p.hostEvents == "" {
		return err
	}
	return c.stream(p.hostEvents, func(name string, r io.Reader) error {
		events, err := workload.HostEvents(name, r)
		e.input.HostEvents = workload.MergeHostEvents(e.input.HostEvents, events)
		return err
	})
}

// inspect reads the workload once, to say what can be known before the run.
func (e *simulation) inspect(name string) error {
	source, err := e.requests()
	if err != nil {
		return asInput(err)
	}
	e.seen, err = qos.Inspect(source, e.input, e.config)
	if syntax := new(workload.SyntaxError); err != nil && !errors.As(err, &syntax) {
		return badInputf("%s: %v", name, err)
	}
	if err != nil {
		return asInput(err)
	}
	if e.seen.Requests == 0 {
		return badInputf("%s:1: there are no requests in the file", name)
	}
	e.input.InAll = e.seen.Requests
	if google, ok := source.(*workload.GoogleTasks); ok && google.LeftOut > 0 {
		e.warnings = append(e.warnings, fmt.Sprintf("%d tasks are left out: they never ran or their resources are missing", google.LeftOut))
	}
	if n := e.seen.Hopeless; n > 0 {
		e.warnings = append(e.warnings, fmt.Sprintf("%d of %d requests fit no host, even an empty one, and will wait for ever; the first is %s", n, e.seen.Requests, e.seen.Example))
	}
	if !e.seen.Ordered {
		e.warnings = append(e.warnings, "the requests are not in order of submission: they were sorted, which needs all of them in memory")
		return e.sort()
	}
	return nil
}

// sort makes a trace that is out of order fit to be streamed.
func (e *simulation) sort() error {
	source, err := e.requests()
	if err != nil {
		return asInput(err)
	}
	all, err := workload.ReadAll(source)
	if err != nil {
		return asInput(err)
	}
	workload.SortBySubmit(all)
	e.requests = func() (workload.Source, error) { return &workload.Slice{Requests: all}, nil }
	return nil
}

// run simulates one policy after the other.
func (e *simulation) run(c *call, names []string, out *requestsFile) (*qos.Report, error) {
	report := &qos.Report{Policies: []qos.PolicyReport{}, Notes: e.notes, Warnings: e.warnings}
	for _, warning := range e.warnings {
		fmt.Fprintln(c.errs, "warning:", warning)
	}
	for _, name := range names {
		source, err := e.requests()
		if err != nil {
			return nil, asInput(err)
		}
		config, input := e.config, e.input
		config.Policy, input.Requests = e.policy[name], source
		if out != nil {
			input.Requests = out.begin(name, source, &config)
		}
		start := time.Now()
		result, err := qos.Run(c, input, config)
		if err != nil {
			return nil, asInput(err)
		}
		policy := result.Report()
		policy.Seconds = time.Since(start).Seconds()
		report.Policies = append(report.Policies, policy)
		if left := e.seen.Requests - result.Requests; left > 0 && !result.Partial {
			report.Notes = append(report.Notes, fmt.Sprintf("%s: %d of %d requests come after the horizon and are left out", name, left, e.seen.Requests))
		}
		if result.Partial {
			report.Warnings = append(report.Warnings, fmt.Sprintf("%s: stopped at %v s: the figures are those of a part", name, seconds(result.End)))
		}
		if out != nil {
			if err := out.end(); err != nil {
				return nil, err
			}
		}
	}
	if out != nil {
		return report, out.close()
	}
	return report, nil
}

// asInput makes an error the user's, unless it is of reading a file.
func asInput(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return unreadable(path.Path, err)
	}
	return badInputf("%v", err)
}
