package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
)

// random is a random case: JSON manifests of a small cluster and of workloads, which use the fields
// that the scheduler's filters check.
type random struct{ nodes, workloads string }

type object = map[string]any

type maker struct{ *rand.Rand }

// newRandom generates the case of a seed. Equal seeds give equal cases on every machine.
func newRandom(seed uint64) random {
	m := maker{rand.New(rand.NewPCG(seed, 34))}
	nodes := 1 + m.IntN(5)
	cluster := m.nodes(nodes)
	for i := range m.IntN(2 * nodes) {
		cluster = append(cluster, m.running(i, nodes))
	}
	one := m.IntN(3) > 0
	jobs := 1
	if !one && m.IntN(2) == 0 {
		jobs = 2
	}
	var workloads, around []any
	for i := range jobs {
		pods := 1
		if !one {
			pods = 1 + m.IntN(3)
		}
		workload, beside := m.workload(i, pods)
		workloads, around = append(workloads, workload), append(around, beside...)
	}
	return random{list(append(cluster, around...)), list(workloads)}
}

func list(items []any) string {
	text, err := json.Marshal(object{"apiVersion": "v1", "kind": "List", "items": items})
	if err != nil {
		panic(err) // impossible for maps and strings
	}
	return string(text)
}

// chance is true with probability 1/n.
func (m maker) chance(n int) bool { return m.IntN(n) == 0 }

func pick[T any](m maker, of ...T) T { return of[m.IntN(len(of))] }

const (
	host  = "kubernetes.io/hostname"
	zone  = "topology.kubernetes.io/zone"
	shut  = "node.kubernetes.io/unschedulable"
	ready = "node.kubernetes.io/not-ready"
)

func (m maker) nodes(n int) (all []any) {
	for i := range n {
		labels := object{host: fmt.Sprint("n", i), "disk": pick(m, "ssd", "hdd")}
		if !m.chance(5) {
			labels[zone] = pick(m, "za", "zb")
		}
		if m.chance(2) {
			labels["rack"] = pick(m, "r1", "r2")
		}
		if m.chance(3) {
			labels["size"] = pick(m, "1", "2", "big")
		}
		spec, status := object{}, "True"
		var taints []any
		if m.chance(5) {
			taints = append(taints, object{"key": pick(m, "gpu", "spot"), "value": pick(m, "", "a"), "effect": pick(m, "NoSchedule", "NoExecute", "PreferNoSchedule")})
		}
		switch m.IntN(12) {
		case 0:
			spec["unschedulable"] = true
			taints = append(taints, object{"key": shut, "effect": "NoSchedule"})
		case 1:
			status = "False"
			taints = append(taints, object{"key": ready, "effect": "NoSchedule"}, object{"key": ready, "effect": "NoExecute"})
		}
		if taints != nil {
			spec["taints"] = taints
		}
		room := object{"cpu": pick(m, "1", "2", "3920m"), "memory": pick(m, "2Gi", "4Gi", "7971844Ki"), "pods": pick(m, "1", "3", "110"), "ephemeral-storage": pick(m, "5Gi", "20Gi")}
		if m.chance(4) {
			room["nvidia.com/gpu"] = pick(m, "1", "2")
		}
		all = append(all, object{
			"apiVersion": "v1", "kind": "Node", "metadata": object{"name": fmt.Sprint("n", i), "labels": labels}, "spec": spec,
			"status": object{"allocatable": room, "capacity": room, "conditions": []any{object{"type": "Ready", "status": status}}},
		})
	}
	return all
}

func (m maker) labels() object {
	labels := object{"app": pick(m, "web", "db", "me")}
	if m.chance(2) {
		labels["tier"] = pick(m, "front", "back")
	}
	return labels
}

// running returns pod number i, assigned to one of the nodes.
func (m maker) running(i, nodes int) any {
	name := fmt.Sprint("p", i)
	meta := object{
		"name": name, "namespace": pick(m, "default", "default", "other"), "labels": m.labels(),
		"ownerReferences": []any{object{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "x", "uid": "x", "controller": true}},
	}
	if m.chance(8) {
		meta["deletionTimestamp"], meta["deletionGracePeriodSeconds"] = "2026-01-01T00:00:00Z", 30
	}
	spec := m.spec(true)
	spec["nodeName"] = fmt.Sprint("n", m.IntN(nodes))
	return object{"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec, "status": object{"phase": pick(m, "Running", "Running", "Running", "Pending", "Succeeded")}}
}

// spec returns a pod specification. If small is set, its requests leave room for further pods on
// the nodes.
func (m maker) spec(small bool) object {
	spec := object{"containers": m.containers(small, 1+m.IntN(2))}
	if m.chance(6) {
		inits := m.containers(small, 1)
		if m.chance(2) {
			inits[0].(object)["restartPolicy"] = "Always"
		}
		delete(inits[0].(object), "ports")
		inits[0].(object)["name"] = "i0"
		spec["initContainers"] = inits
	}
	if m.chance(12) {
		spec["overhead"] = object{"cpu": "250m", "memory": "128Mi"}
	}
	if m.chance(3) {
		spec["tolerations"] = m.tolerations()
	}
	if m.chance(8) {
		spec["nodeSelector"] = object{"disk": pick(m, "ssd", "hdd")}
	}
	affinity := object{}
	if m.chance(7) {
		affinity["nodeAffinity"] = required(object{"nodeSelectorTerms": m.terms()})
	}
	if m.chance(9) {
		affinity["podAffinity"] = required([]any{m.near()})
	}
	if m.chance(6) {
		affinity["podAntiAffinity"] = required([]any{m.near()})
	}
	if len(affinity) > 0 {
		spec["affinity"] = affinity
	}
	if m.chance(4) {
		spec["topologySpreadConstraints"] = m.spreads()
	}
	return spec
}

func required(what any) object {
	return object{"requiredDuringSchedulingIgnoredDuringExecution": what}
}

func (m maker) containers(small bool, n int) (all []any) {
	for i := range n {
		request := object{}
		if !m.chance(4) {
			request["cpu"] = pick(m, "100m", "250m", "500m", "1")
			if !small {
				request["cpu"] = pick(m, "250m", "500m", "1", "1500m", "2")
			}
		}
		if m.chance(2) {
			request["memory"] = pick(m, "64Mi", "512Mi", "1Gi", "3Gi")
		}
		if m.chance(8) {
			request["ephemeral-storage"] = pick(m, "1Gi", "6Gi")
		}
		resources := object{"requests": request}
		if m.chance(12) {
			resources["limits"] = object{"nvidia.com/gpu": "1"}
			request["nvidia.com/gpu"] = "1"
		}
		c := object{"name": fmt.Sprint("c", i), "image": "i", "resources": resources}
		if i == 0 && m.chance(6) {
			port := object{"containerPort": 80, "hostPort": pick(m, 80, 8080)}
			if m.chance(3) {
				port["protocol"] = "UDP"
			}
			if m.chance(3) {
				port["hostIP"] = pick(m, "10.0.0.1", "10.0.0.2")
			}
			c["ports"] = []any{port}
		}
		all = append(all, c)
	}
	return all
}

func (m maker) tolerations() []any {
	switch m.IntN(4) {
	case 0:
		return []any{object{"operator": "Exists"}}
	case 1:
		return []any{object{"key": pick(m, shut, ready), "operator": "Exists", "effect": "NoSchedule"}}
	case 2:
		return []any{object{"key": pick(m, "gpu", "spot"), "operator": "Exists"}}
	}
	return []any{object{"key": pick(m, "gpu", "spot"), "value": "a", "effect": pick(m, "NoSchedule", "NoExecute")}}
}

func (m maker) terms() []any {
	one := func() object {
		switch m.IntN(5) {
		case 0:
			return object{"matchFields": []any{object{"key": "metadata.name", "operator": pick(m, "In", "NotIn"), "values": []any{pick(m, "n0", "n1")}}}}
		case 1:
			return object{"matchExpressions": []any{object{"key": "size", "operator": pick(m, "Gt", "Lt"), "values": []any{"1"}}}}
		case 2:
			return object{"matchExpressions": []any{object{"key": "rack", "operator": pick(m, "Exists", "DoesNotExist")}}}
		}
		return object{"matchExpressions": []any{object{"key": zone, "operator": pick(m, "In", "NotIn"), "values": []any{pick(m, "za", "zb")}}}}
	}
	if m.chance(3) {
		return []any{one(), one()}
	}
	return []any{one()}
}

func (m maker) selector() object {
	switch m.IntN(6) {
	case 0:
		return object{}
	case 1:
		return object{"matchExpressions": []any{object{"key": "tier", "operator": pick(m, "Exists", "DoesNotExist")}}}
	case 2:
		return object{"matchExpressions": []any{object{"key": "app", "operator": pick(m, "In", "NotIn"), "values": []any{pick(m, "web", "db")}}}}
	}
	return object{"matchLabels": object{"app": pick(m, "web", "db", "me")}}
}

func (m maker) near() object {
	term := object{"topologyKey": pick(m, host, zone, "rack"), "labelSelector": m.selector()}
	switch m.IntN(6) {
	case 0:
		term["namespaces"] = []any{"other"}
	case 1:
		term["namespaceSelector"] = object{}
	case 2:
		term["namespaceSelector"] = object{"matchLabels": object{"kubernetes.io/metadata.name": pick(m, "default", "other")}}
	}
	return term
}

func (m maker) spreads() (all []any) {
	for i := range 1 + m.IntN(2) {
		c := object{
			"maxSkew": 1 + m.IntN(2), "topologyKey": []string{pick(m, host, zone), "rack"}[i], "labelSelector": m.selector(),
			"whenUnsatisfiable": pick(m, "DoNotSchedule", "DoNotSchedule", "ScheduleAnyway"),
		}
		if c["whenUnsatisfiable"] == "DoNotSchedule" && m.chance(5) {
			c["minDomains"] = 1 + m.IntN(3)
		}
		if m.chance(4) {
			c["nodeTaintsPolicy"] = "Honor"
		}
		if m.chance(5) {
			c["nodeAffinityPolicy"] = "Ignore"
		}
		if m.chance(5) {
			c["matchLabelKeys"] = []any{"tier"}
		}
		all = append(all, c)
	}
	return all
}

// workload returns a workload with some pods and the volume objects that they use.
func (m maker) workload(i, pods int) (workload any, beside []any) {
	name, labels, spec := fmt.Sprint("job", i), m.labels(), m.spec(false)
	if m.chance(10) {
		spec["hostNetwork"] = true
		for _, c := range spec["containers"].([]any) {
			for _, port := range listOf(c.(object)["ports"]) {
				port.(object)["hostPort"] = port.(object)["containerPort"]
			}
		}
	}
	if m.chance(6) {
		spec["volumes"], beside = []any{object{"name": "v", "persistentVolumeClaim": object{"claimName": "data-" + name}}}, m.volume("data-"+name)
	}
	meta := object{"name": name, "namespace": "default"}
	template := object{"metadata": object{"labels": labels}, "spec": spec}
	switch kind := pick(m, "Deployment", "StatefulSet", "Job", "Pod"); {
	case kind == "Pod" && pods == 1:
		return object{"apiVersion": "v1", "kind": "Pod", "metadata": object{"name": name, "namespace": "default", "labels": labels}, "spec": spec}, beside
	case kind == "Job":
		spec["restartPolicy"] = "Never"
		return object{"apiVersion": "batch/v1", "kind": "Job", "metadata": meta, "spec": object{"parallelism": pods, "completions": pods, "template": template}}, beside
	case kind == "StatefulSet":
		return object{"apiVersion": "apps/v1", "kind": kind, "metadata": meta, "spec": object{"replicas": pods, "serviceName": "x", "selector": object{"matchLabels": labels}, "template": template}}, beside
	}
	return object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta, "spec": object{"replicas": pods, "selector": object{"matchLabels": labels}, "template": template}}, beside
}

func listOf(v any) []any {
	all, _ := v.([]any)
	return all
}

// volume returns a bound claim and its volume.
func (m maker) volume(claim string) []any {
	volume := object{
		"capacity": object{"storage": "1Gi"}, "accessModes": []any{"ReadWriteMany"}, "storageClassName": "s",
		"claimRef": object{"namespace": "default", "name": claim}, "csi": object{"driver": "d", "volumeHandle": claim},
	}
	meta := object{"name": "pv-" + claim}
	if m.chance(2) {
		volume["nodeAffinity"] = object{"required": object{"nodeSelectorTerms": []any{object{"matchExpressions": []any{object{"key": zone, "operator": "In", "values": []any{pick(m, "za", "zb")}}}}}}}
	} else {
		meta["labels"] = object{zone: pick(m, "za", "zb")}
	}
	return []any{
		object{"apiVersion": "v1", "kind": "PersistentVolume", "metadata": meta, "spec": volume},
		object{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": object{"name": claim, "namespace": "default"}, "spec": object{
			"accessModes": []any{"ReadWriteMany"}, "storageClassName": "s", "volumeName": "pv-" + claim, "resources": object{"requests": object{"storage": "1Gi"}},
		}, "status": object{"phase": "Bound"}},
	}
}
