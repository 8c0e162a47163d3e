package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	process "os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/kube/manifest"
	"berth/engine/must"
)

// After each piece of advice about a pending pod, the scheduler places the pod. The scheduler is
// Berth's or, if BERTH_ORACLE names an oracle, kube-scheduler.
func TestAdviceHelps(t *testing.T) {
	var all struct{ Pending []decided }
	unpack(t, recordedCases(), &all)
	if testing.Short() {
		from := int(golden.Fresh() % uint64(len(all.Pending)))
		all.Pending = all.Pending[from:min(from+50, len(all.Pending)):len(all.Pending)]
	}
	var changed [][]byte
	var says []string
	for _, c := range all.Pending {
		cluster, _ := manifest.ReadCluster("dump.json", c.Dump, format.Options{})
		r := kube.Pending(kube.Default(), cluster)
		for _, p := range r.Pods {
			for _, help := range p.Help {
				d := &advised{pod: p, cluster: cluster}
				must.Do(t, json.Unmarshal(c.Dump, d))
				d.settle(r)
				for change := range strings.SplitSeq(help, ", and ") {
					d.follow(change)
				}
				if d.elsewhere {
					continue
				}
				text := must.Get(json.Marshal(d))(t)
				changed, says = append(changed, text), append(says, fmt.Sprintf("%s: %s/%s: %s", c.Case, p.Namespace, p.Name, help))
			}
		}
	}
	helped := 0
	for i, would := range placedIn(t, changed) {
		if would {
			helped++
		} else {
			t.Errorf("%s: does not help", says[i])
		}
	}
	t.Logf("%d of %d pieces of advice help", helped, len(changed))
}

// advised is a dump after advice about a pod was applied. Pods that are scheduled before it are
// on their nodes, and no other pod waits.
type advised struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Items      []map[string]any `json:"items"`

	pod       kube.PendingPod
	cluster   *kube.Cluster
	elsewhere bool // the advice is about objects outside the dump
}

// settle puts all pods on their final nodes, and leaves only one pod pending.
func (d *advised) settle(r *kube.PendingReport) {
	for _, p := range r.Pods {
		pod := d.object("Pod", p.Namespace, p.Name)
		delete(at(pod, "status"), "nominatedNodeName")
		delete(at(pod, "spec"), "nodeName")
		if p.Would != "" {
			at(pod, "spec")["nodeName"] = p.Would
		}
		for _, victim := range p.Preempts {
			namespace, name, found := strings.Cut(victim, "/")
			if !found {
				namespace, name = "default", victim
			}
			gone := d.object("Pod", namespace, name)
			if !slices.ContainsFunc(r.Pods, func(q kube.PendingPod) bool { return q.Name == name && q.Namespace == namespace }) {
				delete(at(gone, "spec"), "nodeName")
			}
		}
	}
	d.Items = slices.DeleteFunc(d.Items, func(o map[string]any) bool {
		return o["kind"] == "Pod" && at(o, "spec")["nodeName"] == nil && at(o, "metadata")["name"] != d.pod.Name
	})
}

// placedIn reports for dumps with one pending pod whether it has a node.
func placedIn(t *testing.T, dumps [][]byte) (all []bool) {
	if oracle := os.Getenv("BERTH_ORACLE"); oracle != "" {
		asks := process.Command(oracle, "-ask")
		asks.Stdin = bytes.NewReader(bytes.Join(dumps, []byte("\n")))
		asks.Stderr = os.Stderr
		out := must.Get(asks.Output())(t)
		for answers := json.NewDecoder(bytes.NewReader(out)); answers.More(); {
			var pods []struct{ Would string }
			must.Do(t, answers.Decode(&pods))
			all = append(all, pods[0].Would != "")
		}
		return all
	}
	for _, dump := range dumps {
		cluster, _ := manifest.ReadCluster("dump.json", dump, format.Options{})
		all = append(all, kube.Pending(kube.Default(), cluster).Left() == 0)
	}
	return all
}

func recordedCases() string {
	if file := os.Getenv("BERTH_CASES"); file != "" {
		return file
	}
	return "testdata/scheduler.json.gz"
}

// follow changes the dump as one part of the advice says.
func (d *advised) follow(change string) {
	node := func(name string) map[string]any { return d.object("Node", "", name) }
	spec := func(o map[string]any) map[string]any { return at(o, "spec") }
	pod := d.object("Pod", d.pod.Namespace, d.pod.Name)
	affinity := at(spec(pod), "affinity")
	last := change[strings.LastIndexByte(change, ' ')+1:]
	switch verb, what, _ := strings.Cut(change, " "); {
	case verb == "uncordon":
		delete(spec(node(what)), "unschedulable")
		untaint(node(what), "node.kubernetes.io/unschedulable")
	case verb == "make":
		name := strings.TrimSuffix(what, " ready")
		at(node(name), "status")["conditions"] = []any{map[string]any{"type": "Ready", "status": "True"}}
		untaint(node(name), "node.kubernetes.io/not-ready")
	case verb == "label":
		name, labels, _ := strings.Cut(what, " ")
		for label := range strings.FieldsSeq(labels) {
			key, value, _ := strings.Cut(label, "=")
			at(node(name), "metadata", "labels")[key] = value
		}
	case verb == "tolerate":
		for _, taint := range itemsOf(spec(node(last)), "taints") {
			if t := taint.(map[string]any); t["effect"] != "PreferNoSchedule" && strings.Contains(what, fmt.Sprint(t["key"])) {
				spec(pod)["tolerations"] = append(itemsOf(spec(pod), "tolerations"), map[string]any{"key": t["key"], "value": t["value"], "effect": t["effect"]})
			}
		}
	case strings.HasPrefix(change, "free the host ports"):
		for _, o := range d.Items {
			if o["kind"] == "Pod" && spec(o)["nodeName"] == last {
				for _, c := range itemsOf(spec(o), "containers") {
					delete(c.(map[string]any), "ports")
				}
			}
		}
	case verb == "free":
		amounts, name, _ := strings.Cut(what, " on ")
		room := at(node(name), "status", "allocatable")
		for amount := range strings.SplitSeq(amounts, " and ") {
			resource, more := amountOf(amount)
			room[resource] = added(resource, room[resource], more)
		}
	case strings.HasPrefix(change, "change the node selector"):
		delete(spec(pod), "nodeSelector")
		if strings.Contains(change, "required node affinity") {
			delete(affinity, "nodeAffinity")
		}
	case strings.HasPrefix(change, "change the required node affinity"):
		delete(affinity, "nodeAffinity")
	case strings.HasPrefix(change, "set nodeTaintsPolicy"):
		for _, c := range itemsOf(spec(pod), "topologySpreadConstraints") {
			c.(map[string]any)["nodeTaintsPolicy"] = "Honor"
		}
	case strings.HasPrefix(change, "change its topology spread constraint"):
		_, keys, _ := strings.Cut(change, " over ")
		keys, _, _ = strings.Cut(keys, ":")
		spec(pod)["topologySpreadConstraints"] = slices.DeleteFunc(itemsOf(spec(pod), "topologySpreadConstraints"), func(c any) bool {
			return slices.Contains(strings.Split(keys, " and "), c.(map[string]any)["topologyKey"].(string))
		})
	case strings.HasPrefix(change, "change its pod affinity"):
		delete(affinity, "podAffinity")
	case strings.HasPrefix(change, "allow a larger maxSkew"):
		for _, c := range itemsOf(spec(pod), "topologySpreadConstraints") {
			c.(map[string]any)["maxSkew"] = 100
		}
	case strings.HasPrefix(change, "run a pod"):
		delete(affinity, "podAffinity")
	case strings.HasPrefix(change, "move the pods that its anti-affinity"):
		d.tolerated(func(own, other *kube.Shape) bool { return own.Avoids(other) })
		delete(affinity, "podAntiAffinity")
	case strings.HasPrefix(change, "move the pods whose"):
		d.tolerated(func(own, other *kube.Shape) bool { return other.Avoids(own) })
	default:
		d.elsewhere = true
	}
}

// tolerated removes the anti-affinity of the selected other pods.
func (d *advised) tolerated(which func(own, other *kube.Shape) bool) {
	is := func(namespace, name string) *kube.Shape {
		i := slices.IndexFunc(d.cluster.Pods, func(p *kube.Pod) bool { return p.Name == name && p.Namespace() == namespace })
		return d.cluster.Pods[i].Shape
	}
	for _, p := range d.cluster.Pods {
		if p.Name != d.pod.Name && which(is(d.pod.Namespace, d.pod.Name), p.Shape) {
			if o := d.object("Pod", p.Namespace(), p.Name); o != nil {
				delete(at(o, "spec", "affinity"), "podAntiAffinity")
			}
		}
	}
}

func (d *advised) object(kind, namespace, name string) map[string]any {
	for _, o := range d.Items {
		if meta := at(o, "metadata"); o["kind"] == kind && meta["name"] == name && (namespace == "" || meta["namespace"] == namespace) {
			return o
		}
	}
	return nil
}

// at returns a part of an object; empty if it is missing.
func at(o map[string]any, path ...string) map[string]any {
	for _, name := range path {
		next, there := o[name].(map[string]any)
		if !there {
			next = map[string]any{}
			o[name] = next
		}
		o = next
	}
	return o
}

func itemsOf(o map[string]any, name string) []any {
	all, _ := o[name].([]any)
	return all
}

func untaint(node map[string]any, key string) {
	spec := at(node, "spec")
	spec["taints"] = slices.DeleteFunc(itemsOf(spec, "taints"), func(t any) bool { return t.(map[string]any)["key"] == key })
}

// amountOf parses an amount in advice: "500m CPU", "1.5 GiB memory", "room for 2 pods".
func amountOf(text string) (resource string, amount int64) {
	var pods int64
	if n, _ := fmt.Sscanf(text, "room for %d pod", &pods); n == 1 {
		return kube.Pods, pods
	}
	fields := strings.Fields(text)
	number, _ := strconv.ParseFloat(strings.TrimSuffix(fields[0], "m"), 64)
	switch {
	case fields[0] != strings.TrimSuffix(fields[0], "m"):
		return kube.CPU, int64(number)
	case fields[1] == "CPU":
		return kube.CPU, int64(1000 * number)
	}
	scale := max(1, map[string]float64{"GiB": 1 << 30, "MiB": 1 << 20, "KiB": 1 << 10}[fields[1]])
	return fields[len(fields)-1], int64(scale * number)
}

// added adds an amount to a quantity, which may be missing.
func added(resource string, quantity any, more int64) string {
	text, _ := quantity.(string)
	if resource == kube.CPU {
		n, _ := manifest.ParseQuantity(text, 1000)
		return fmt.Sprint(n+more, "m")
	}
	n, _ := manifest.ParseQuantity(text, 1)
	return fmt.Sprint(n + more)
}
