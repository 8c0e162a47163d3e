package qoskind

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/figure"
	"berth/engine/input/workload"
	"berth/engine/qos"
	"berth/engine/scenario"
)

// Limits of the controllers of a document.
const (
	MaxControllers = 1000    // rows in the list
	MaxStarted     = 10_000  // controllers in total, counting copies and the Jobs of CronJobs
	MaxInstances   = 100_000 // instances in total
	maxConstraints = 50
)

// Controller submits identical instances during a run (thesis, 7.2). In the class figures, each
// instance counts as a request. In the list of controllers, the controller has one availability,
// measured over all its instances.
//
// With a concurrent or aggregated measure, decisions about an instance depend on the whole
// controller. The literal scheduler then makes them, with savings that do not change decisions.
// Samples and admission control apply to the workload only, not to controllers.
type Controller struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`  // one of qos.ControllerKinds
	Class string `json:"class"` // name of a class of the document

	// Copies is the number of controllers that the row describes, which start Interval seconds
	// apart; 0 means one. The copies are named name-1, name-2, ….
	Copies   int     `json:"copies,omitempty"`
	Interval float64 `json:"interval,omitempty"`

	Replicas    int     `json:"replicas,omitempty"`    // for a deployment or statefulset; a daemonset has one instance per host
	Completions int     `json:"completions,omitempty"` // for a job, and for each job of a cronjob
	Parallelism int     `json:"parallelism,omitempty"` // concurrent instances of a job; 0: all
	Period      float64 `json:"period,omitempty"`      // seconds between the jobs of a cronjob
	Runs        int     `json:"runs,omitempty"`        // number of jobs of a cronjob; 0: until the horizon

	CPU    float64 `json:"cpu"` // request of one instance, as are memory and gpus
	Memory float64 `json:"memory"`
	GPUs   float64 `json:"gpus,omitempty"` // whole devices, or a fraction below 1 for a share of one
	Submit float64 `json:"submit,omitempty"`
	// Duration is the run time that an instance needs, in seconds. A service may have 0, meaning
	// that its instances never end; this requires a horizon.
	Duration float64 `json:"duration,omitempty"`
	// Measure selects how the availability of a service is measured: independent (the default),
	// concurrent or aggregated. Jobs are always aggregated.
	Measure      string   `json:"measure,omitempty"`
	AntiAffinity bool     `json:"antiAffinity,omitempty"` // at most one instance per host
	Constraints  []string `json:"constraints,omitempty"`  // constraints on hosts, such as "disk=ssd" or "cores>2"
}

// Measures returns the names of the measures of a service.
func Measures() []string {
	return []string{qos.Independent.String(), qos.Concurrent.String(), qos.Aggregated.String()}
}

// Batch reports whether the controller is a job or cronjob: its instances complete, and preempted
// ones lose their work.
func (c *Controller) Batch() bool { return c.kind() >= qos.Job }

func (c *Controller) kind() qos.ControllerKind {
	return qos.ControllerKind(slices.Index(qos.ControllerKinds(), c.Kind))
}

// ValidateControllers validates the controllers and adds the errors to p. path is the path of the
// list.
func (d *Document) ValidateControllers(path string, p *scenario.Problems) {
	if len(d.Controllers) > MaxControllers {
		p.Add(path, diag.TooMany, len(d.Controllers), "entries", MaxControllers)
		return
	}
	names := map[string]bool{}
	for i := range d.Controllers {
		c, at := &d.Controllers[i], fmt.Sprintf("%s[%d]", path, i)
		switch {
		case c.Name == "":
			p.Add(at+".name", diag.Missing)
		case names[c.Name]:
			p.Add(at+".name", diag.Two, "controllers", scenario.Shorten(c.Name))
		}
		names[c.Name] = true
		p.Length(at+".name", c.Name, 200)
		if known := d.ClassNames(); !slices.Contains(known, c.Class) {
			p.Add(at+".class", unknownClass, scenario.Shorten(c.Class), known)
		}
		if !slices.Contains(qos.ControllerKinds(), c.Kind) {
			p.Add(at+".kind", diag.Unknown, scenario.Shorten(c.Kind), strings.Join(qos.ControllerKinds(), ", "))
			continue
		}
		c.validateNumbers(at, p)
		c.validateTimes(at, d.Horizon > 0, p)
		c.validateRest(at, p)
	}
}

// ClassNames returns the names of the classes that a request may have, by default the paper's.
func (d *Document) ClassNames() []string {
	classes := d.Classes
	if len(classes) == 0 {
		classes = PaperClasses()
	}
	return scenario.Subjects(classes, func(c *Class) string { return c.Name })
}

// validateNumbers validates the numbers of instances and their resources.
func (c *Controller) validateNumbers(at string, p *scenario.Problems) {
	for _, f := range []struct {
		field string
		value float64
		least int // minimum if the kind uses the field; 0: optional
		kinds []qos.ControllerKind
	}{
		{".replicas", float64(c.Replicas), 1, []qos.ControllerKind{qos.Deployment, qos.StatefulSet}},
		{".completions", float64(c.Completions), 1, []qos.ControllerKind{qos.Job, qos.CronJob}},
		{".parallelism", float64(c.Parallelism), 0, []qos.ControllerKind{qos.Job, qos.CronJob}},
		{".runs", float64(c.Runs), 0, []qos.ControllerKind{qos.CronJob}},
		{".period", c.Period, 0, []qos.ControllerKind{qos.CronJob}},
	} {
		switch mine := slices.Contains(f.kinds, c.kind()); {
		case !mine && f.value != 0:
			p.Add(at+f.field, otherControllers, c.Kind, f.kinds[0])
		case mine && f.least > 0: // the table of parameters checks the other bounds
			p.Within(at+f.field, f.value, float64(f.least), MaxInstances, "")
		}
	}
	if err := CheckGPUs(c.GPUs); err != nil {
		p.Wrong(at+".gpus", err)
	}
}

// CheckGPUs validates the number of GPUs of an instance: a share below 1, or a whole number.
func CheckGPUs(n float64) error {
	if share := n >= least && n < 1; share || n >= 0 && n <= cluster.MaxGPUs && n == math.Trunc(n) {
		return nil
	}
	return fmt.Errorf("found %v, expected a share of one below 1, or a whole number up to %d", n, cluster.MaxGPUs)
}

// least is the smallest positive amount of a resource.
var least = cluster.Amount(1).Units()

func (c *Controller) validateTimes(at string, horizon bool, p *scenario.Problems) {
	p.Row(at, c, ControllerFields)
	if last := c.Submit + float64(c.Interval*float64(max(1, c.Copies)-1)); last > maxSeconds {
		p.Add(at+".interval", lastCopy, last, maxSeconds)
	}
	if c.kind() == qos.CronJob {
		if c.Period == 0 {
			p.Within(at+".period", 0, 0.001, maxSeconds, "s")
		}
		if c.Runs == 0 && !horizon {
			p.Add(at+".runs", endlessCronjob)
		}
	}
	switch {
	case c.Duration != 0:
	case c.Batch():
		p.Add(at+".duration", noDuration, c.Kind)
	case !horizon:
		p.Add(at+".duration", endlessController, c.Kind)
	}
}

func (c *Controller) validateRest(at string, p *scenario.Problems) {
	if c.Batch() && c.Measure != "" && c.Measure != qos.Aggregated.String() {
		p.Add(at+".measure", aggregated, scenario.Shorten(c.Measure), c.Kind)
	}
	if len(c.Constraints) > maxConstraints {
		p.Add(at+".constraints", diag.TooMany, len(c.Constraints), "entries", maxConstraints)
		return
	}
	for i, text := range c.Constraints {
		if _, err := workload.ParseConstraint(text); err != nil {
			p.Wrong(fmt.Sprintf("%s.constraints[%d]", at, i), err)
		}
	}
}

// controllers converts a row to its controllers, one per copy.
func (c *Controller) controllers() (all []qos.Controller) {
	q := qos.Controller{
		Name: c.Name, Kind: c.kind(), Replicas: c.Replicas, Parallelism: c.Parallelism, Period: toTime(c.Period), Runs: c.Runs,
		Measure: qos.Measure(max(0, slices.Index(Measures(), c.Measure))),
		Template: workload.Request{
			Duration: toTime(c.Duration), CPU: amount(c.CPU), Memory: amount(c.Memory), GPUs: int(math.Ceil(c.GPUs)), GPUShare: amount(c.GPUs - math.Trunc(c.GPUs)),
			Class: c.Class, Priority: workload.NoPriority, AntiAffinity: c.AntiAffinity,
		},
	}
	if c.Batch() {
		q.Replicas = c.Completions
	}
	if c.Duration == 0 {
		q.Template.Duration = workload.MaxTime
	}
	for _, text := range c.Constraints {
		constraint, _ := workload.ParseConstraint(text) // already validated
		q.Template.Constraints = append(q.Template.Constraints, constraint)
	}
	for i := range max(1, c.Copies) {
		copied := q
		copied.Template.Submit = toTime(c.Submit + float64(c.Interval*float64(i)))
		if c.Copies > 1 {
			copied.Name = fmt.Sprintf("%s-%d", c.Name, i+1)
		}
		all = append(all, copied)
	}
	return all
}

// amount converts an amount of the document, which must be valid.
func amount(units float64) cluster.Amount {
	a, _ := cluster.ToAmount(units)
	return a
}

// addControllers adds the controllers of the document to the input. It returns an error if the
// number of controllers or of their instances exceeds the limits.
func (e *Prepared) addControllers(context.Context) error {
	started, instances := 0., 0.
	hosts := float64(len(e.everyHost()))
	for i := range e.document.Controllers {
		c := &e.document.Controllers[i]
		runs := float64(float64(max(1, c.Copies)) * c.jobs(e.document.Horizon))
		started += runs
		instances += float64(runs * c.instances(hosts))
		if started > MaxStarted || instances > MaxInstances {
			return wrong(fmt.Sprintf(".controllers[%d]", i), fmt.Errorf("up to this one there are %.0f controllers (each job of a cronjob is one) with %.0f instances; at most %d and %d are simulated",
				started, instances, MaxStarted, MaxInstances))
		}
		e.input.Controllers = append(e.input.Controllers, c.controllers()...)
	}
	e.instances = int(instances)
	return nil
}

// jobs returns the maximum number of controllers that one copy starts: the number of Jobs of a
// CronJob, otherwise 1.
func (c *Controller) jobs(horizon float64) float64 {
	switch {
	case c.kind() != qos.CronJob:
		return 1
	case horizon > 0 && c.Runs > 0:
		return min(float64(c.Runs), math.Floor(horizon/c.Period)+1)
	case horizon > 0:
		return math.Floor(horizon/c.Period) + 1
	}
	return float64(c.Runs)
}

// instances returns the maximum number of instances of one such controller.
func (c *Controller) instances(hosts float64) float64 {
	switch {
	case c.kind() == qos.DaemonSet:
		return hosts
	case c.Batch():
		return float64(c.Completions)
	}
	return float64(c.Replicas)
}

// arrivals returns the maximum number of requests and instances of a run.
func (e *Prepared) arrivals() int { return e.seen.Requests + e.instances }

// silent counts the controllers that submitted no instance in a run.
func (e *Prepared) silent(r *qos.Measured) (silent qos.Noted) {
	heard := map[string]bool{}
	for i := range r.Controllers {
		heard[r.Controllers[i].Name] = true
	}
	for i := range e.input.Controllers {
		c := &e.input.Controllers[i]
		if !heard[c.Name] && !(c.Kind == qos.CronJob && heard[c.Name+"-1"]) {
			silent.Add(c.Name)
		}
	}
	return silent
}

// OfControllers returns the mean availability of the controllers and the fraction of controllers
// that met their SLO. Both are undefined without controllers.
func OfControllers(all []qos.ControllerReport) (availability, met figure.Number) {
	var sum float64
	n := 0
	for i := range all {
		sum += all[i].Availability
		if all[i].Met {
			n++
		}
	}
	return figure.Number(sum / float64(len(all))), figure.Number(float64(n) / float64(len(all)))
}

func (r *Report) controllerRows() [][]string {
	rows := [][]string{{"policy", "controller", "kind", "class", "measure", "slo", "availability", "met", "instances", "preemptions"}}
	for i := range r.Policies {
		p := &r.Policies[i]
		for _, c := range p.Run.Controllers {
			rows = append(rows, []string{
				p.Title, c.Name, c.Kind, c.Class, c.Measure, plain(figure.Number(c.SLO)), plain(figure.Number(c.Availability)),
				strconv.FormatBool(c.Met), strconv.Itoa(c.Instances), strconv.Itoa(c.Preemptions),
			})
		}
	}
	return rows
}
