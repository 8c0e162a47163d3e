package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	flag "github.com/spf13/pflag"

	"berth/engine/input/csv"
	"berth/engine/parameter"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

var simulate = &command{
	name: "simulate", group: modelsGroup, summary: "simulate schedulers of requests with promised availability",
	use: "--workload W --hosts H",
	examples: `  # Two policies on the same requests
  berth simulate --workload requests.csv --hosts hosts.csv --policy qos --policy priority --format text

  # Controllers, which replace lost instances
  berth simulate --controllers controllers.json --hosts nodes.yaml

  # What happens inside one cluster of a placement
  berth simulate --from-placement shop.json --cluster eu`,
	details: `The workload may be in the format of the authors of the QoS-driven scheduler, the
CSV of their broker, task_events of the Google trace of 2011, or CSV with the
header id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints and,
for --sample, user. Hosts may be in the authors' format, machine_events of that
trace, or CSV with the header name,cpu,memory,attributes. Both may be lists of openb.
Overheads are CSV with the single column overhead_s; without them an allocation takes
no time. Each of these files may be compressed with gzip.

Hosts and controllers may be Kubernetes YAML or JSON: nodes, with the pods on them,
and workloads, which run only on nodes that take them; --class-of gives their
classes. Other controllers are JSON: [{"name":"web","kind":"deployment","class":"gold",
"replicas":2,"cpu":1,"memory":1,"measure":"aggregated"}, …]. Kinds are deployment,
statefulset, daemonset, job and cronjob. Other fields: copies, interval, submit,
duration, completions, parallelism, period, runs, antiAffinity, constraints.

--score-caching, --equivalence-class, --relaxed and --pruning switch on optimisations
of the literal scheduler, to count its operations: an operation checks one host for
one request. With any of them Berth runs the literal scheduler, whatever --scheduler
says. --relaxed, --cache-validity, --q-tolerance and --pruning printed may change
decisions; --pruning safe changes none.

Status 3 says that a request or an instance of a controller could never run.`,
	setUp: flagged[simulateFlags](),
}

type simulateFlags struct {
	laboratory
	classes, controllers string
	placement            fromPlacementFlags
	requests             *output
	workloads, policies  list
	how                  qoskind.PolicyRun // options of each policy run
	document             qoskind.Document
	parameters           map[string]parameter.Values // by policy: parameters that the user has set
	sampleSeed           uint64
}

func (p *simulateFlags) register(c *call, f *flag.FlagSet) {
	d := &p.document
	f.Var(&p.workloads, "workload", "the requests, a `FILE`; may be repeated, or a folder, for tables that belong together")
	f.StringVar(&d.Hosts.Name, "hosts", "", "the hosts, a `FILE`")
	p.placement.register(f)
	source(f, &d.Overheads, "overheads", "allocation overheads, a `FILE`")
	source(f, &d.Hot, "overheads-hot", "overheads on hosts where the instance has run before, a `FILE`")
	source(f, &d.Cold, "overheads-cold", "overheads on hosts that are new to the instance, a `FILE`")
	f.StringVar(&p.classes, "classes", "", "the service classes, a JSON `FILE` (default gold, silver, bronze)")
	f.StringVar(&p.controllers, "controllers", "", "controllers that submit instances, with or without requests, a JSON `FILE`")
	f.Var(&p.policies, "policy", "`"+strings.Join(qos.Names(), "|")+"|FILE.star`; may be repeated; a file has a policy in Starlark (default qos)")
	parameterFlags(f, d, qoskind.Parameters(), (*parameter.Parameter).ParseBounded)
	seedOf(f, &p.sampleSeed, "sample-seed", "`SEED` of the sample (default 1)")
	source(f, &d.HostEventSource, "host-events", "hosts that fail, leave, return or are added: CSV time_s,host,event,cpu,memory, a `FILE`")
	choose(f, &p.how.Scheduler, "scheduler", "how to run the policies", "fast", "literal")
	seed(f, &d.Seed)
	p.parameters = map[string]parameter.Values{}
	for _, name := range qos.Names() {
		policy, _ := qos.Lookup(name)
		p.parameters[name] = plugInFlags(f, name, policy.Parameters)
	}
	f.BoolVar(&d.FirstOverheadPending, "first-overhead-pending", false, "the first allocation is pending time, as in the paper")
	parameterFlags(f, &p.how, qoskind.RunParameters(), (*parameter.Parameter).ParseBounded)
	p.laboratory.register(f, qoskind.Parameters(), "json", "text")
	p.requests = c.writes(f, "requests", "write one line per request to `FILE`, as CSV")
}

func (p *simulateFlags) run(c *call, _ []string) error {
	keepWithin(p.memory, 1)
	if err := p.fill(c); err != nil {
		return err
	}
	list := csv.NewWriter(p.requests)
	_, report, err := conduct(c, &p.laboratory, qoskind.New("", p.document), func(w *qoskind.Prepared) {
		if p.requests.name != "" {
			w.Requests = list
			list.Write(qoskind.RequestsHeader) // Flush returns the error
		}
	})
	if err := cmp.Or(list.Flush(), err); err != nil {
		return err
	}
	r := qoskind.ReportOf(report)
	times := report.Timings.Running
	err = c.print(p.output, qoskind.CommandReport(r, times), func(w io.Writer) { r.WriteCommand(w, times) })
	switch {
	case err != nil:
		return err
	case c.Err() != nil && p.requests.name == "":
		return errInterrupted
	case c.Err() != nil:
		return fmt.Errorf("%w, and %s was not written", errInterrupted, p.requests.name)
	}
	if err := p.requests.complete(); err != nil || r.Complete() {
		return err
	}
	return errNotPlaced
}

// fill completes the document from the flags.
func (p *simulateFlags) fill(c *call) (err error) {
	d := &p.document
	if d.Workload.Name, err = c.joined(p.workloads); err != nil {
		return err
	}
	from := p.placement.scenario
	if from != "" && d.Workload.Name+p.controllers+d.Hosts.Name != "" {
		return c.misuse("--from-placement brings hosts and controllers; leave out --workload, --controllers and --hosts")
	}
	if err := c.required("workload", d.Workload.Name+p.controllers+from, "hosts", d.Hosts.Name+from); err != nil {
		return err
	}
	d.PointEvery, d.FairnessEvery = new(0.0), new(0.0)
	for _, part := range []func(*call, *qoskind.Document) error{p.sources, p.choosePolicies, p.checkSampling} {
		if err := part(c, d); err != nil {
			return err
		}
	}
	return nil
}

// sources sets the sources of the document. It also reads the table of classes.
func (p *simulateFlags) sources(c *call, d *qoskind.Document) error {
	switch {
	case d.Overheads != nil && (d.Hot != nil || d.Cold != nil):
		return c.misuse("--overheads is for hot and cold hosts; give either it or --overheads-hot and --overheads-cold")
	case (d.Hot == nil) != (d.Cold == nil):
		return c.misuse("--overheads-hot and --overheads-cold go together: give both")
	}
	if p.classes != "" {
		name, data, err := c.text(p.classes, scenario.MaxBytes)
		if err != nil {
			return err
		}
		d.Classes, err = qoskind.ParseClasses(name, data)
		if err != nil {
			return badInputf("%v", err)
		}
	}
	if err := p.fromFiles(c, d); err != nil {
		return err
	}
	if p.placement.scenario != "" {
		if err := p.placement.put(c, d); err != nil {
			return err
		}
	}
	return nil
}

func (p *simulateFlags) choosePolicies(c *call, d *qoskind.Document) error {
	if len(p.policies) == 0 {
		p.policies = list{qos.Names()[0]}
	}
	if err := cmp.Or(p.checkSavings(c), c.distinct("policy", p.policies)); err != nil {
		return err
	}
	for _, name := range p.policies {
		run := p.how
		if isPolicyFile(name) {
			text, err := c.policy(name, qos.Names())
			if err != nil {
				return err
			}
			run.Policy = &text
			d.Policies = append(d.Policies, run)
			continue
		}
		if _, err := qos.Named(name, nil); err != nil {
			return c.misuse("--policy: %v", err)
		}
		run.Name = name
		policy, _ := qos.Lookup(name)
		values, _ := parameter.Complete(policy.Parameters, p.parameters[name]) // the values are already checked
		for parameter, value := range values {
			run.SetValue(parameter, value)
		}
		d.Policies = append(d.Policies, run)
	}
	return nil
}
