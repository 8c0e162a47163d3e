package manifest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/show"
)

// objects collects the objects of a file that Berth uses.
type objects struct {
	source       *source
	workloads    []workload
	daemons      []workload
	pods         []pod // pods that have a node
	waiting      []pod // pods without a node
	streamedPods int
	live         func(*pod) // if not nil, receives each pod as soon as it is read from a stream
	nodes        []kube.Node
	services     []service
	configs      map[name]value // data of ConfigMaps
	limits       []limitRange
	later        map[string][]object // by kind: objects that depend on others
	seen         map[identity]int
	skipped      map[string]int // by kind
	absent       []kube.Absent  // pods that controllers cannot create
	classes      map[string]priorityClass
	selectors    map[kube.Owner]kube.Selector // selectors of controllers, by the name that owner references use

	unread  []format.Unhonoured // objects of unread kinds that affect where pods can run
	around  kube.Objects
	bound   map[string]string // volume names by the claim in their claimRef
	scalers map[kube.Owner]scaler
}

// name identifies an object in a namespace.
type name struct{ namespace, name string }

type identity struct {
	kind string
	name
	cluster string // value of clusterLabel; "" if not set
}

// owner identifies a workload in the owner references of its pods, and its jobs.
func (id *identity) owner() kube.Owner {
	return kube.Owner{Kind: id.kind, Namespace: id.namespace, Name: id.name.name}
}

// workload is an object that creates pods, or a single pod.
type workload struct {
	identity
	meta     value
	spec     value
	replicas int
	template pod
}

// object is an object that is interpreted only after all others have been read.
type object struct {
	kind string
	name
	value
}

// each calls use for each object of a kind that is interpreted later.
func (o *objects) each(kind string, use func(*object)) {
	for i := range o.later[kind] {
		use(&o.later[kind][i])
	}
}

type service struct {
	name
	selector map[string]string
}

const defaultNamespace = "default"

func newObjects(file string, options format.Options) *objects {
	return &objects{
		source:  &source{file: file, strict: options.Strict, budget: options.Budget.Or()},
		configs: map[name]value{}, seen: map[identity]int{}, skipped: map[string]int{},
		classes: map[string]priorityClass{}, selectors: map[kube.Owner]kube.Selector{},
		bound: map[string]string{}, scalers: map[kube.Owner]scaler{}, later: map[string][]object{},
		around: kube.Objects{
			Namespaces: map[string]map[string]string{}, Volumes: map[string]kube.Volume{}, Claims: map[string]kube.Claim{},
			Classes: map[string]kube.StorageClass{}, Runtimes: map[string]kube.Runtime{}, Drivers: map[string]map[string]int{},
		},
	}
}

// readObjects reads all objects of a file. Problems become diagnostics of the returned source.
func readObjects(file string, text []byte, options format.Options) *objects {
	o := newObjects(file, options)
	o.source.documents(text, func(v *value) { v.objects(typed{}, o.object) })
	o.joinClaims()
	o.reportSkipped()
	return o
}

// reportSkipped notes the kinds of objects that Berth does not use.
func (o *objects) reportSkipped() {
	if len(o.skipped) > 0 {
		var kinds []string
		total := 0
		for _, kind := range slices.Sorted(maps.Keys(o.skipped)) {
			kinds = append(kinds, fmt.Sprintf("%d %s", o.skipped[kind], show.Text(kind)))
			total += o.skipped[kind]
		}
		if len(kinds) > 12 {
			kinds = append(kinds[:12], fmt.Sprintf("%d more kinds", len(kinds)-12))
		}
		o.source.whole(diag.Note, skippedObjects, show.Count(total, "object"), strings.Join(kinds, ", "))
	}
}

// typed is the type of an object. Items of a NodeList have the kind Node.
type typed struct{ kind, version string }

// objects calls each for an object or for all items of a List. An item without its
// own type has the type that the List implies.
func (v *value) objects(of typed, each func(v *value, is typed)) {
	if !v.is(isMapping) {
		return
	}
	is := typed{v.at("kind").text(), v.at("apiVersion").text()}
	if is.kind == "" {
		is.kind, is.version = of.kind, cmp.Or(is.version, of.version)
	}
	switch kind, list := strings.CutSuffix(is.kind, "List"); {
	case is.kind == "" || is.version == "":
		v.wrong(noObject)
	case !list || v.in("metadata", "name").there():
		each(v, is)
	default:
		for _, item := range v.at("items").items() {
			if item.there() {
				item.objects(typed{kind, is.version}, each)
			}
		}
	}
}

func (o *objects) object(v *value, is typed) {
	meta := v.at("metadata")
	id := identity{is.kind, name{cmp.Or(meta.at("namespace").text(), defaultNamespace), meta.at("name").text()}, meta.at("labels").at(clusterLabel).text()}
	if id.name.name == "" {
		id.name.name = meta.at("generateName").text()
	}
	v.source = &subject{o.source, v.source.document, id.kind + " " + show.Quote(id.name.name)}
	of, known := readers[id.kind]
	if !known || !strings.Contains(of.groups, " "+group(is.version)+" ") {
		if why := v.bears(id.kind); why != "" {
			o.unhonoured(&o.unread, id.kind+"/"+id.name.name, v, why)
		} else {
			o.skipped[id.kind]++
		}
		return
	}
	if id.name.name == "" {
		meta.up.wrong(diag.NamedMissing, "metadata.name")
		return
	}
	if o.live != nil { // a stream reuses the memory of the text, so nothing may refer to it
		id.kind, id.namespace, id.name.name, id.cluster = strings.Clone(id.kind), strings.Clone(id.namespace), strings.Clone(id.name.name), strings.Clone(id.cluster)
	}
	if line, twice := o.seen[id]; twice && !slices.Contains(repeated, id.kind) {
		v.wrong(objectTwice, show.Quote(id.namespace), line)
		return
	}
	o.seen[id] = int(v.node.line)
	of.read(o, id, v)
}

// repeated are kinds whose objects are often repeated in concatenated files.
var repeated = []string{"Namespace", "PersistentVolume", "StorageClass", "RuntimeClass"}

// group returns the group of an apiVersion: "apps" for apps/v1, "core" for v1.
func group(version string) string {
	g, _, found := strings.Cut(version, "/")
	if !found {
		return "core"
	}
	return g
}

// listing reads the objects of a kind. groups lists the API groups of that kind, separated by
// spaces.
type listing struct {
	groups string
	read   func(*objects, identity, *value)
}

var readers map[string]listing

func init() {
	controller := func(replicas func(*value) int, template ...string) func(*objects, identity, *value) {
		return func(o *objects, id identity, v *value) { o.controller(id, v, replicas, template) }
	}
	later := func(o *objects, id identity, v *value) {
		o.later[id.kind] = append(o.later[id.kind], object{id.kind, id.name, *v})
	}
	spec := func(v *value) int { return v.in("spec", "replicas").number(1) }
	readers = map[string]listing{
		"Deployment":            {" apps extensions ", controller(spec, "spec", "template")},
		"StatefulSet":           {" apps ", controller(spec, "spec", "template")},
		"ReplicaSet":            {" apps extensions ", controller(spec, "spec", "template")},
		"ReplicationController": {" core ", controller(spec, "spec", "template")},
		"Job":                   {" batch ", controller(func(v *value) int { return parallelism(v.at("spec")) }, "spec", "template")},
		"CronJob": {" batch ", controller(func(v *value) int {
			if v.in("spec", "suspend").truth() {
				return 0
			}
			return parallelism(v.in("spec", "jobTemplate", "spec"))
		}, "spec", "jobTemplate", "spec", "template")},
		"DaemonSet": {" apps extensions ", func(o *objects, id identity, v *value) {
			template := o.readPod(id.name, v.in("spec", "template"))
			template.revised(&id)
			o.daemons = append(o.daemons, workload{identity: id, meta: *v.at("metadata"), spec: *v.at("spec"), replicas: 1, template: template})
		}},
		"Pod":     {" core ", (*objects).pod},
		"Node":    {" core ", (*objects).node},
		"Service": {" core ", (*objects).service},
		"ConfigMap": {" core ", func(o *objects, id identity, v *value) {
			o.configs[id.name] = *v.at("data")
		}},
		"LimitRange":               {" core ", (*objects).limitRange},
		"PriorityClass":            {" scheduling.k8s.io ", (*objects).priorityClass},
		"PodDisruptionBudget":      {" policy ", later},
		"Namespace":                {" core ", (*objects).labelled},
		"PersistentVolume":         {" core ", (*objects).volume},
		"PersistentVolumeClaim":    {" core ", (*objects).claim},
		"CSINode":                  {" storage.k8s.io ", (*objects).drivers},
		"StorageClass":             {" storage.k8s.io ", (*objects).class},
		"ResourceQuota":            {" core ", (*objects).quota},
		"RuntimeClass":             {" node.k8s.io ", (*objects).runtimeClass},
		"HorizontalPodAutoscaler":  {" autoscaling ", (*objects).autoscaler},
		"AppGroup":                 {" appgroup.diktyo.x-k8s.io appgroup.diktyo.k8s.io diktyo.x-k8s.io ", later},
		"NetworkPolicy":            {" networking.k8s.io extensions ", later},
		"Cluster":                  {" cluster.karmada.io ", later},
		"PropagationPolicy":        {" policy.karmada.io ", later},
		"ClusterPropagationPolicy": {" policy.karmada.io ", later},
	}
}

// parallelism returns the number of pods of a Job that run concurrently; 0 if it is
// suspended.
func parallelism(spec *value) int {
	if spec.at("suspend").truth() {
		return 0
	}
	n := spec.at("parallelism").number(1)
	if completions := spec.at("completions"); completions.there() {
		n = min(n, completions.number(1))
	}
	return n
}

func (o *objects) controller(id identity, v *value, replicas func(*value) int, template []string) {
	meta := v.at("metadata")
	if selector := v.in("spec", "selector"); selector.there() {
		o.selectors[id.owner()] = selectorOf(selector)
	}
	if owner := controllerOf(meta); owner.Kind != "" && (id.kind == "ReplicaSet" || id.kind == "Job") {
		o.absentOf(owner, v, replicas(v))
		return // jobs treats the owner as the workload
	}
	o.absentOf(id.owner(), v, replicas(v))
	at := v.in(template...)
	if !at.there() {
		v.wrong(diag.NamedMissing, strings.Join(template, "."))
		return
	}
	w := workload{identity: id, meta: *meta, spec: *v.at("spec"), replicas: replicas(v), template: o.readPod(id.name, at)}
	w.template.revised(&id)
	if id.kind == "StatefulSet" {
		w.template.claims = *v.in("spec", "volumeClaimTemplates")
	}
	o.workloads = append(o.workloads, w)
}

// absentOf records the pods of a workload that its controller wants but cannot create. A Deployment
// and its ReplicaSet may both report the same pods.
func (o *objects) absentOf(owner kube.Owner, v *value, wanted int) {
	for _, c := range v.in("status", "conditions").items() {
		missing := wanted - v.in("status", "replicas").number(0)
		if c.at("type").text() != "ReplicaFailure" || c.at("status").text() != "True" || missing <= 0 {
			continue
		}
		one := kube.Absent{Owner: owner, Pods: missing, Why: strings.Clone(c.at("message").text())}
		i := slices.IndexFunc(o.absent, func(a kube.Absent) bool { return a.Owner == owner })
		switch {
		case i < 0:
			o.absent = append(o.absent, one)
		case o.absent[i].Pods < missing:
			o.absent[i] = one
		}
	}
}

// controllerOf returns the controller that created an object, or a zero Owner.
func controllerOf(meta *value) kube.Owner {
	for _, owner := range meta.at("ownerReferences").items() {
		if controls := owner.at("controller"); !controls.there() || controls.truth() {
			return kube.Owner{Kind: owner.at("kind").text(), Namespace: cmp.Or(meta.at("namespace").text(), defaultNamespace), Name: owner.at("name").text()}
		}
	}
	return kube.Owner{}
}

// pod reads a Pod, ignoring pods that have ended.
func (o *objects) pod(id identity, v *value) {
	if phase := v.in("status", "phase").text(); phase == "Succeeded" || phase == "Failed" {
		return
	}
	p := o.readPod(id.name, v)
	p.owner = controllerOf(v.at("metadata"))
	p.node = *v.in("spec", "nodeName")
	p.node.text()
	p.assigned = v.at("status").there()
	p.controller = p.owner
	if p.owner.Kind == "ReplicaSet" { // the ReplicaSet's name is the Deployment's name with a hash
		if hash := p.meta.at("labels").at("pod-template-hash").text(); hash != "" {
			if of, found := strings.CutSuffix(p.owner.Name, "-"+hash); found {
				p.owner.Kind, p.owner.Name = "Deployment", of
			}
		}
	}
	if p.owner.Kind == "" {
		p.owner = kube.Owner{Kind: "Pod", Namespace: id.namespace, Name: id.name.name}
	}
	if o.live != nil {
		o.live(&p)
		return
	}
	if p.owner.Kind == "Pod" {
		o.workloads = append(o.workloads, workload{identity: id, meta: *v.at("metadata"), spec: p.spec, replicas: 1, template: p})
	}
	if p.node.there() {
		o.pods = append(o.pods, p)
	} else {
		o.waiting = append(o.waiting, p)
	}
}

func (o *objects) service(id identity, v *value) {
	o.services = append(o.services, service{id.name, v.in("spec", "selector").textMap()})
}

func (o *objects) node(id identity, v *value) {
	n := kube.Node{Name: id.name.name, Labels: v.in("metadata", "labels").textMap()}
	allocatable := v.in("status", "allocatable")
	if !allocatable.there() {
		allocatable = v.in("status", "capacity")
	}
	if !allocatable.there() {
		v.wrong(noAllocatable)
		return
	}
	n.Allocatable = capacityOf(allocatable)
	n.Taints = taintsOf(v.in("spec", "taints"))
	n.Cordoned = v.in("spec", "unschedulable").truth()
	n.Taints = append(n.Taints, unready(n.Taints, v)...)
	n.Images = imagesOf(v.in("status", "images"))
	o.nodes = append(o.nodes, n)
}

// unready returns the taints that Kubernetes gives a node whose kubelet is not ready
// or does not report, unless the node already has them.
func unready(taints []kube.Taint, v *value) (more []kube.Taint) {
	for _, condition := range v.in("status", "conditions").items() {
		if condition.at("type").text() != "Ready" || condition.at("status").text() == "True" {
			continue
		}
		key := kube.NotReady
		if condition.at("status").text() == "Unknown" {
			key = kube.Unreachable
		}
		for _, effect := range []string{"NoSchedule", "NoExecute"} {
			if taint := (kube.Taint{Key: key, Effect: effect}); !slices.ContainsFunc(taints, func(t kube.Taint) bool { return t.Key == key && t.Effect == effect }) {
				more = append(more, taint)
			}
		}
	}
	return more
}

// resourcesOf reads a mapping of resources to quantities, in the scheduler's units:
// millicores of CPU, whole units of everything else.
func resourcesOf(v *value) kube.Resources {
	all := kube.Resources{}
	v.fields(func(resource string, amount *value) {
		if q, ok := amount.quantity(resource); ok {
			all[resource] = q
		}
	})
	return all
}

// quantity reads the amount of a resource in the scheduler's unit.
func (v *value) quantity(resource string) (int64, bool) {
	if !v.there() || !v.is(isScalar) {
		return 0, false
	}
	parts := int64(1)
	if resource == kube.CPU {
		parts = 1000
	}
	q, err := ParseQuantity(v.node.plain(), parts)
	if err != nil {
		v.wrong(diag.Invalid, err)
	}
	return q, err == nil
}
