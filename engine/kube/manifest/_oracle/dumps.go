package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// newPending generates a dump with pending pods, some of them with a nominated node.
func newPending(seed uint64) string {
	m := maker{rand.New(rand.NewPCG(seed, 77))}
	nodes := 1 + m.IntN(5)
	items := m.nodes(nodes)
	for i := range m.IntN(3 * nodes) {
		p := m.running(i, nodes).(object)
		p["spec"].(object)["priority"] = pick(m, 0, 0, 0, 10, 100)
		status := p["status"].(object)
		if status["phase"] == "Running" {
			status["startTime"] = fmt.Sprintf("2026-01-0%dT00:00:00Z", 1+m.IntN(3))
		}
		if p["metadata"].(object)["deletionTimestamp"] != nil && m.chance(2) {
			status["conditions"] = []any{object{"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}}
		}
		items = append(items, p)
	}
	for i := range 1 + m.IntN(5) {
		spec, status := m.spec(m.chance(2)), object{"phase": "Pending"}
		spec["priority"] = pick(m, 0, 0, 10, 10, 100)
		spec["schedulerName"] = "default-scheduler"
		if m.chance(8) {
			spec["preemptionPolicy"] = "Never"
		}
		if m.chance(2) {
			status["nominatedNodeName"] = fmt.Sprint("n", m.IntN(nodes))
		}
		meta := object{"name": fmt.Sprint("w", i), "namespace": pick(m, "default", "default", "other"), "labels": m.labels(), "creationTimestamp": fmt.Sprintf("2026-01-04T0%d:00:00Z", i)}
		items = append(items, object{"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec, "status": status})
	}
	for i := range max(0, m.IntN(5)-2) {
		b := m.budget(i)
		b["status"] = m.allowance()
		items = append(items, b)
	}
	return list(items)
}

func (m maker) allowance() object {
	return object{"disruptionsAllowed": pick(m, 0, 0, 1, 2), "currentHealthy": m.IntN(4), "desiredHealthy": m.IntN(4), "expectedPods": 4}
}

func (m maker) budget(i int) object {
	spec := object{"selector": m.selector()}
	switch m.IntN(8) {
	case 0, 1, 2:
		spec["minAvailable"] = pick[any](m, 0, 1, 2, 3, "50%", "100%", "34%")
	case 3, 4, 5, 6:
		spec["maxUnavailable"] = pick[any](m, 0, 1, 1, 2, "50%", "34%", "0%")
	}
	if m.chance(2) {
		spec["unhealthyPodEvictionPolicy"] = pick(m, "AlwaysAllow", "IfHealthyBudget")
	}
	meta := object{"name": fmt.Sprint("b", i), "namespace": pick(m, "default", "default", "other")}
	return object{"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": meta, "spec": spec}
}

// The status of the budgets in a dump: absent, computed by the disruption controller, or drawn at
// random.
const (
	statusAbsent = iota
	statusComputed
	statusDrawn
)

// evictions is a case: a cluster whose node n0 is drained.
type evictions struct {
	items  []any
	status int
}

// newEvictions generates the case of a seed. The nodes have room for all pods, so that only budgets
// prevent evictions.
func newEvictions(seed uint64) *evictions {
	m := maker{rand.New(rand.NewPCG(seed, 429))}
	c := &evictions{status: m.IntN(3)}
	for _, name := range []string{"n0", "n1"} {
		room := object{"cpu": "64", "memory": "256Gi", "pods": "110"}
		c.items = append(c.items, object{"apiVersion": "v1", "kind": "Node", "metadata": object{"name": name, "labels": object{host: name}}, "spec": object{}, "status": object{"allocatable": room, "conditions": []any{object{"type": "Ready", "status": "True"}}}})
	}
	for i := range 1 + m.IntN(4) {
		c.items = append(c.items, m.controlled(fmt.Sprint("w", i), c.status == statusAbsent)...)
	}
	for i := range m.IntN(4) {
		b := m.budget(i)
		if c.status == statusDrawn {
			b["status"] = m.allowance()
		}
		c.items = append(c.items, b)
	}
	return c
}

// controlled returns a controller together with all its pods, or pods without a controller.
func (m maker) controlled(name string, absent bool) (all []any) {
	kind, namespace, labels := pick(m, "Deployment", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Node", "Job", "Pod"), pick(m, "default", "default", "other"), m.labels()
	wanted := 0
	owner := func(kind, name string) object {
		version := map[string]string{"Node": "v1", "Job": "batch/v1"}[kind]
		if version == "" {
			version = "apps/v1"
		}
		return object{"apiVersion": version, "kind": kind, "name": name, "uid": kind + name, "controller": true}
	}
	controller := func(kind, name string, owners ...any) {
		all = append(all, object{"apiVersion": "apps/v1", "kind": kind, "metadata": object{"name": name, "namespace": namespace, "uid": kind + name, "ownerReferences": owners}, "spec": object{
			"replicas": wanted, "selector": object{"matchLabels": labels}, "template": object{"metadata": object{"labels": labels}, "spec": object{"containers": []any{object{"name": "c", "image": "i"}}}},
		}})
	}
	of, by := name, kind
	switch kind {
	case "Deployment":
		of, by = name+"-abc", "ReplicaSet"
	case "Node":
		of = "n0"
	}
	for i := range 1 + m.IntN(4) {
		meta := object{"name": fmt.Sprint(name, "-", i), "namespace": namespace, "labels": labels}
		if kind != "Pod" {
			meta["ownerReferences"] = []any{owner(by, of)}
		}
		if kind == "Node" {
			meta["annotations"] = object{"kubernetes.io/config.mirror": "x"}
		}
		if m.chance(8) {
			meta["deletionTimestamp"], meta["deletionGracePeriodSeconds"] = "2026-01-01T00:00:00Z", 30
		}
		spec := object{"containers": []any{object{"name": "c", "image": "i"}}, "nodeName": pick(m, "n0", "n0", "n1")}
		phase, ready := pick(m, "Running", "Running", "Running", "Running", "Running", "Pending", "Succeeded", "Failed"), "False"
		if phase == "Running" && !m.chance(4) {
			ready = "True"
		}
		if absent && slices.Contains([]string{"DaemonSet", "Job", "Node"}, kind) && (phase == "Succeeded" || phase == "Failed") {
			phase = "Pending" // Berth skips ended pods, but a controller fails on ended pods of an owner without a scale
		}
		if phase == "Pending" && m.chance(3) {
			delete(spec, "nodeName")
		}
		if phase != "Succeeded" && phase != "Failed" && meta["deletionTimestamp"] == nil {
			wanted++
		}
		all = append(all, object{"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec, "status": object{"phase": phase, "conditions": []any{object{"type": "Ready", "status": ready}}}})
	}
	switch kind {
	case "Deployment":
		controller(kind, name)
		controller(by, of, owner(kind, name))
	case "ReplicaSet", "StatefulSet":
		controller(kind, name)
	}
	return all
}
