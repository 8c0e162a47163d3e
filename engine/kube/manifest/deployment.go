package manifest

import (
	"cmp"
	"fmt"
	"strings"

	"berth/engine/diag"
	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/show"
)

type job struct {
	*workload
	format.Pods
}

// ReadDeployment reads the workloads of a file as the jobs of one deployment.
func ReadDeployment(file string, text []byte, options format.Options) ([]format.Deployment, diag.List) {
	o := readObjects(file, text, options)
	jobs := o.jobs()
	if len(jobs) == 0 && o.source.count[diag.Error] == 0 {
		o.source.whole(diag.Error, noWorkload, o.instead())
	}
	d := format.Deployment{Name: baseName(file), Deployment: graph.NewDeployment()}
	d.Around = o.around
	for _, j := range jobs {
		d.Unhonoured = append(d.Unhonoured, o.heed(j.workload)...)
		j.Priority, j.Polite = o.priority(&j.template)
		d.Pods = append(d.Pods, j.Pods)
		if j.Shape.Requests.SharesSeveral() {
			o.unhonoured(&d.Unhonoured, j.kind+"/"+j.name.name, j.template.spec.at("containers"), "shares of several GPUs are not looked at: a pod takes these as a whole")
		}
	}
	d.Unhonoured = append(d.Unhonoured, o.unread...)
	for i := range o.daemons {
		d.Daemons = append(d.Daemons, o.daemon(&o.daemons[i]))
	}
	if err := o.graph(&d, jobs, options); err != nil {
		o.source.whole(diag.Error, diag.Invalid, err)
	}
	found := o.source.diagnostics()
	if len(found.Errors()) > 0 {
		return nil, found
	}
	if options.Split {
		d = d.Split()
	}
	return []format.Deployment{d}, found
}

// instead returns a hint for a file without workloads: another object in it that
// creates pods, or "".
func (o *objects) instead() string {
	switch {
	case len(o.unread) > 0:
		return fmt.Sprintf("; it has %s: %s", show.Text(o.unread[0].Object), o.unread[0].Says)
	case len(o.daemons) > 0:
		return "; the pods of a DaemonSet run on every node that takes them"
	}
	return ""
}

func baseName(file string) string {
	if _, name, named := format.Named(file); named {
		file = name
	}
	return file[strings.LastIndexAny(file, `/\`)+1:]
}

// jobs returns a job for each workload that has pods.
func (o *objects) jobs() []job {
	missing, claims := map[string]int{}, o.claims()
	var jobs []job
	var idle, endless int
	for i := range o.workloads {
		w := &o.workloads[i]
		j := job{workload: w}
		j.Pods.Pods, j.Most = o.scaled(w)
		if j.Pods.Pods == 0 {
			idle++
			continue
		}
		a := o.amountsOf(&w.template, missing, nil)
		if a.limits[kube.CPU] == 0 && a.requests[kube.CPU] > 0 || a.limits[kube.Memory] == 0 && a.requests[kube.Memory] > 0 {
			endless++
		}
		j.Owner, j.Class = w.owner(), w.template.spec.at("priorityClassName").text()
		j.Rolling = rolling(w.spec.at("strategy"), j.Pods.Pods)
		j.Shape = o.shape(&w.template, a)
		j.Shape.Forbidden, j.Shape.Unsaid = o.forbidden(&w.template, &a), o.unsaid(&w.template)
		j.Shape.Prefers = o.prefers(&w.template, j.Shape)
		if len(j.Shape.Spread)+len(j.Shape.Prefers.Spread) == 0 {
			j.Shape.Prefers.Spread = o.spreadByDefault(j.Shape, kube.Owner{})
		}
		policy := o.propagated(w, claims)
		j.Tolerations, j.Policy = clusterTolerations(policy), policyOf(policy)
		jobs = append(jobs, j)
	}
	for _, j := range jobs {
		if j.Most > j.Pods.Pods {
			j.meta.report(diag.Note, autoscaled, j.Pods.Pods, j.Most, show.Text(j.name.name))
		}
	}
	if idle > 0 {
		o.source.whole(diag.Note, idleWorkloads, show.Count(idle, "workload"), show.Verb(idle, "is", "are"))
	}
	if endless > 0 {
		o.source.whole(diag.Note, noLimits, show.Count(endless, "workload"), show.Verb(endless, "has", "have"))
	}
	if cpu, memory := missing[kube.CPU], missing[kube.Memory]; cpu+memory > 0 {
		o.source.whole(diag.Warning, noRequests, show.Count(cpu, "container"), memory)
	}
	nameJobs(jobs)
	return jobs
}

// rolling reads maxSurge and maxUnavailable from the update strategy of a Deployment. Both default
// to 25 %; Kubernetes rounds a surge up and the unavailable pods down.
func rolling(strategy *value, pods int) kube.Rolling {
	if strategy.at("type").text() == "Recreate" {
		return kube.Rolling{Unavailable: pods}
	}
	r := kube.Rolling{Surge: (25*pods + 99) / 100, Unavailable: 25 * pods / 100}
	if most := strategy.in("rollingUpdate", "maxSurge"); most.there() {
		r.Surge = share(most, pods, 99)
	}
	if most := strategy.in("rollingUpdate", "maxUnavailable"); most.there() {
		r.Unavailable = share(most, pods, 0)
	}
	if r.Surge+r.Unavailable == 0 {
		r.Unavailable = 1
	}
	return r
}

// scaled returns the number of pods of a workload. Under an autoscaler it returns the
// minimum and the maximum; otherwise most is 0.
func (o *objects) scaled(w *workload) (pods, most int) {
	if s, known := o.scalers[w.owner()]; known {
		return s.least, s.most
	}
	return w.replicas, 0
}

// nameJobs assigns the job ids. An id is the workload's name. If names collide, the namespace
// precedes it, except for the default namespace, and if that is not unique, the kind does.
func nameJobs(jobs []job) {
	count := map[string]int{}
	for _, j := range jobs {
		count[j.name.name]++
	}
	taken := map[string]bool{}
	for i := range jobs {
		j := &jobs[i]
		j.Name = j.name.name
		if count[j.Name] > 1 && j.namespace != defaultNamespace {
			j.Name = j.namespace + "/" + j.name.name
		}
		if taken[j.Name] {
			j.Name = strings.ToLower(j.kind) + "/" + j.Name
		}
		taken[j.Name] = true
	}
}

func (o *objects) daemon(w *workload) kube.Daemon {
	shape := o.shape(&w.template, o.amountsOf(&w.template, nil, nil))
	shape.Tolerations = append(shape.Tolerations, daemonWaits(&w.template.spec)...)
	return kube.Daemon{Owner: w.owner(), Shape: shape}
}

// graph adds the jobs and their dependencies to the deployment graph.
func (o *objects) graph(d *format.Deployment, jobs []job, options format.Options) error {
	for i, j := range jobs {
		d.AddJob(j.Name)
		if err := format.SetRequests(d.Jobs(), i, j.Shape.Requests, j.Shape.Limits, j.Pods.Pods); err != nil {
			return err
		}
	}
	o.dependencies(d, jobs, options)
	return nil
}

// dependencies adds dependencies between jobs to the graph. Inferred dependencies come last and
// have only the bounds in the options.
type dependencies struct {
	objects *objects
	jobs    []job
	graph   *graph.Deployment
}

func (o *objects) dependencies(d *format.Deployment, jobs []job, options format.Options) {
	x := dependencies{o, jobs, d.Deployment}
	x.appGroups()
	x.annotations()
	x.networkPolicies()
	kept, bounded := 0, 0
	for _, pair := range x.inferred() {
		one := options.Infer(jobs[pair.from].Name, jobs[pair.to].Name, pair.why)
		d.Inferred = append(d.Inferred, one)
		if one.Off {
			continue
		}
		labels := []graph.Label{{Type: graph.Lookup(graph.Dependency, "inferred"), Values: []float64{1}}}
		if one.Latency != nil {
			labels = append(labels, bound("latency", *one.Latency))
			bounded++
		}
		kept++
		d.AddDependency(pair.from, pair.to, labels...)
	}
	if kept > 0 {
		what := "they cost, and have no bound"
		if options.InferredLatency != nil && bounded == kept {
			what = fmt.Sprintf("each allows %v ms", *options.InferredLatency)
		}
		if len(options.Inferred) > 0 {
			what = fmt.Sprintf("they cost, and %d of them have a bound", bounded)
		}
		o.source.whole(diag.Note, inferredEdges, show.Count(kept, "dependency"), what)
	}
}

func bound(label string, value float64) graph.Label {
	return graph.Label{Type: graph.Lookup(graph.Dependency, label), Values: []float64{value}}
}

func (x *dependencies) add(a, b int, labels ...graph.Label) {
	if a != b {
		x.graph.AddDependency(a, b, labels...)
	}
}

// named returns the jobs with a given name in a namespace whose workloads have the given kind. With
// kind "" it accepts any kind, and if no workload has the name, it returns the jobs behind the
// Service with that name.
func (x *dependencies) named(kind, namespace, called string) []int {
	found := x.which(func(j *job) bool {
		return j.name == (name{namespace, called}) && (kind == "" || kind == j.kind) || kind == "" && j.Name == called
	})
	for i := range x.objects.services {
		if s := &x.objects.services[i]; kind == "" && len(found) == 0 && s.name == (name{namespace, called}) {
			found = x.of(s)
		}
	}
	return found
}

// of returns the jobs whose pods a Service selects.
func (x *dependencies) of(s *service) []int {
	return x.which(func(j *job) bool {
		return len(s.selector) > 0 && j.namespace == s.namespace && kube.Covers(s.selector, j.template.labels)
	})
}

func (x *dependencies) which(holds func(*job) bool) (found []int) {
	for i := range x.jobs {
		if holds(&x.jobs[i]) {
			found = append(found, i)
		}
	}
	return found
}

// appGroups reads the AppGroups of diktyo: minBandwidth in bits per second,
// maxNetworkCost in ms.
func (x *dependencies) appGroups() {
	x.objects.each("AppGroup", func(g *object) {
		for _, w := range g.in("spec", "workloads").items() {
			for _, a := range x.grouped(g, w.at("workload")) {
				for _, d := range w.at("dependencies").items() {
					for _, b := range x.grouped(g, d.at("workload")) {
						x.add(a, b, groupBounds(&d)...)
					}
				}
			}
		}
	})
}

func (x *dependencies) grouped(g *object, w *value) []int {
	found := x.named(w.at("kind").text(), cmp.Or(w.at("namespace").text(), g.namespace), w.at("name").text())
	if len(found) == 0 && w.there() {
		w.report(diag.Warning, unknownMember, cmp.Or(w.at("kind").text(), "workload"), show.Quote(w.at("name").text()))
	}
	return found
}

func groupBounds(d *value) []graph.Label {
	var labels []graph.Label
	if least, ok := d.at("minBandwidth").quantity(""); ok {
		labels = append(labels, bound("bandwidth", float64(least)/1e6))
	}
	if most := d.at("maxNetworkCost"); most.there() {
		labels = append(labels, bound("latency", float64(most.number(0))))
	}
	return labels
}

// annotation is the key of the annotation that declares a workload's dependencies,
// such as "db latency=20 bandwidth=100; cache", in ms and Mbit/s.
const annotation = "berth/dependencies"

func (x *dependencies) annotations() {
	for i := range x.jobs {
		j := &x.jobs[i]
		v := j.meta.at("annotations").at(annotation)
		for one := range strings.SplitSeq(v.text(), ";") {
			if words := strings.Fields(one); len(words) > 0 {
				x.annotated(i, v, words)
			}
		}
	}
}

func (x *dependencies) annotated(i int, v *value, words []string) {
	var labels []graph.Label
	for _, word := range words[1:] {
		key, figure, _ := strings.Cut(word, "=")
		amount, ok := finite(figure)
		if !ok || key != "latency" && key != "bandwidth" {
			v.wrong(badDependency, show.Quote(word))
			return
		}
		labels = append(labels, bound(key, amount))
	}
	found := x.named("", x.jobs[i].namespace, words[0])
	if len(found) == 0 {
		v.wrong(unknownTarget, show.Quote(words[0]))
	}
	for _, b := range found {
		x.add(i, b, labels...)
	}
}
