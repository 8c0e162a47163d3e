package manifest

import (
	"fmt"
	"strings"

	"berth/engine/kube"
)

// labelled stores the labels of a Namespace for the namespace selectors of affinity terms.
func (o *objects) labelled(id identity, v *value) {
	o.around.Namespaces[id.name.name] = v.in("metadata", "labels").textMap()
}

func (o *objects) volume(id identity, v *value) {
	spec := v.at("spec")
	one := kube.Volume{
		Affinity: nodeTerms(spec.in("nodeAffinity", "required", "nodeSelectorTerms")),
		Labels:   v.in("metadata", "labels").textMap(), Class: spec.at("storageClassName").text(), Modes: modesOf(spec),
		Block: spec.at("volumeMode").text() == "Block",
	}
	one.Size, _ = spec.in("capacity", "storage").quantity("")
	one.Driver = strings.Clone(spec.in("csi", "driver").text())
	phase := v.in("status", "phase").text()
	one.Taken = spec.at("claimRef").there() || phase != "" && phase != "Available"
	o.around.Volumes[id.name.name] = one
	if of := spec.at("claimRef"); of.there() {
		o.bound[of.at("namespace").text()+"/"+of.at("name").text()] = id.name.name
	}
}

// nodeTerms reads node selector terms. A node must match at least one.
func nodeTerms(terms *value) []kube.AffinityTerm { return each(terms, nodeTerm) }

func nodeTerm(v *value) kube.AffinityTerm {
	return kube.AffinityTerm{Labels: requirements(v.at("matchExpressions"), true), Fields: requirements(v.at("matchFields"), true)}
}

func (o *objects) claim(id identity, v *value) {
	c := claimOf(v.at("spec"))
	if phase := v.in("status", "phase").text(); phase != "" {
		o.around.Listed = true
		switch c.Waits = phase == "Pending"; {
		case v.in("metadata", "deletionTimestamp").there():
			c.Broken = fmt.Sprintf("persistentvolumeclaim %q is being deleted", id.name.name)
		case phase == "Lost":
			c.Broken = fmt.Sprintf("persistentvolumeclaim %q bound to non-existent persistentvolume %q", id.name.name, c.Volume)
		case c.Waits && c.Volume != "": // waits for a volume that it names itself
			c.Broken = kube.Unbound
		}
	}
	o.around.Claims[id.namespace+"/"+id.name.name] = c
}

// claimOf reads the specification of a PersistentVolumeClaim.
func claimOf(spec *value) kube.Claim {
	size, _ := spec.in("resources", "requests", "storage").quantity("")
	return kube.Claim{
		Volume: spec.at("volumeName").text(), Class: spec.at("storageClassName").text(), Modes: modesOf(spec),
		Size: size, Block: spec.at("volumeMode").text() == "Block", Marks: selectorOf(spec.at("selector")),
	}
}

// modesOf reads the access modes of a claim or a volume.
func modesOf(spec *value) (modes kube.Modes) {
	known := map[string]kube.Modes{
		"ReadWriteOnce": kube.ReadWriteOnce, "ReadOnlyMany": kube.ReadOnlyMany,
		"ReadWriteMany": kube.ReadWriteMany, "ReadWriteOncePod": kube.ReadWriteOncePod,
	}
	for _, mode := range spec.at("accessModes").texts() {
		modes |= known[mode]
	}
	return modes
}

// class reads a StorageClass. The default class is also stored under the name "", for
// claims that name no class.
func (o *objects) class(id identity, v *value) {
	one := kube.StorageClass{Name: id.name.name, Driver: strings.Clone(v.at("provisioner").text()), Made: v.at("provisioner").text() != "kubernetes.io/no-provisioner", Delayed: v.at("volumeBindingMode").text() == "WaitForFirstConsumer"}
	one.Topologies = each(v.at("allowedTopologies"), func(term *value) kube.AffinityTerm {
		return kube.AffinityTerm{Labels: each(term.at("matchLabelExpressions"), func(e *value) kube.Requirement {
			return kube.Requirement{Key: e.at("key").text(), Operator: "In", Values: e.at("values").texts()}
		})}
	})
	o.around.Classes[id.name.name] = one
	if v.in("metadata", "annotations").at("storageclass.kubernetes.io/is-default-class").text() == "true" {
		o.around.Classes[""] = one
	}
}

// drivers reads a CSINode: how many volumes of each driver its node can attach.
func (o *objects) drivers(id identity, v *value) {
	limits := map[string]int{}
	for _, d := range v.in("spec", "drivers").items() {
		if count := d.in("allocatable", "count"); count.there() {
			limits[strings.Clone(d.at("name").text())] = count.number(0)
		}
	}
	o.around.Drivers[id.name.name] = limits
}

func (o *objects) quota(id identity, v *value) {
	q := kube.Quota{Namespace: id.namespace, Name: id.name.name, Hard: kube.Resources{}}
	v.in("spec", "hard").fields(func(resource string, amount *value) {
		if n, ok := amount.quantity(resource[strings.LastIndexByte(resource, '.')+1:]); ok {
			q.Hard[resource] = n
		}
	})
	for _, scope := range v.in("spec", "scopes").texts() {
		q.Scopes = append(q.Scopes, kube.Requirement{Key: scope, Operator: "Exists"})
	}
	for _, e := range v.in("spec", "scopeSelector", "matchExpressions").items() {
		q.Scopes = append(q.Scopes, kube.Requirement{Key: e.at("scopeName").text(), Operator: e.at("operator").text(), Values: e.at("values").texts()})
	}
	o.around.Quotas = append(o.around.Quotas, q)
}

// joinClaims binds claims whose binding appears only in the claimRef of a volume.
func (o *objects) joinClaims() {
	for name, volume := range o.bound {
		if c, known := o.around.Claims[name]; known && c.Volume == "" {
			c.Volume = volume
			o.around.Claims[name] = c
		}
	}
}

// uses returns the claims that the pods of a workload use: claims named in their
// volumes, and claims that each pod gets from a template, of an ephemeral volume or
// of the StatefulSet.
func (o *objects) uses(p *pod) []kube.Use {
	var all []kube.Use
	for _, v := range p.spec.at("volumes").items() {
		if of := v.at("persistentVolumeClaim"); of.there() {
			all = append(all, kube.Use{Name: p.namespace + "/" + of.at("claimName").text(), Field: of.own(), Line: int(of.node.line)})
		} else if spec := v.in("ephemeral", "volumeClaimTemplate", "spec"); spec.there() {
			all = append(all, kube.Use{Name: p.namespace + "/" + p.name.name + "-" + v.at("name").text(), Each: true, Claim: claimOf(spec)})
		}
	}
	for _, t := range p.claims.items() {
		all = append(all, kube.Use{Name: p.namespace + "/" + t.in("metadata", "name").text() + "-" + p.name.name + "-", Each: true, Claim: claimOf(t.at("spec"))})
	}
	return all
}

func (o *objects) runtimeClass(id identity, v *value) {
	o.around.Runtimes[id.name.name] = kube.Runtime{
		Overhead: resourcesOf(v.in("overhead", "podFixed")), NodeSelector: v.in("scheduling", "nodeSelector").textMap(), Tolerations: tolerationsOf(v.in("scheduling", "tolerations")),
	}
}

// runsAs applies the scheduling constraints of a pod's RuntimeClass. If the class is unknown it
// records the reference, because the class may be in another file. Pods that a scheduler has
// already assigned need no lookup.
func (o *objects) runsAs(s *kube.Shape, p *pod) {
	of := p.spec.at("runtimeClassName")
	switch class, known := o.around.Runtimes[of.text()]; {
	case known:
		s.RunsAs(&class, false) // false: amounts already include the overhead
	case of.there() && !p.assigned:
		s.Runtime = kube.RuntimeUse{Name: of.text(), Field: of.own(), Line: int(of.node.line)}
	}
}

// scaler is a HorizontalPodAutoscaler: the minimum and maximum number of pods of its
// workload.
type scaler struct {
	least, most int
}

func (o *objects) autoscaler(id identity, v *value) {
	of, spec := v.in("spec", "scaleTargetRef"), v.at("spec")
	o.scalers[kube.Owner{Kind: of.at("kind").text(), Namespace: id.namespace, Name: of.at("name").text()}] = scaler{spec.at("minReplicas").number(1), spec.at("maxReplicas").number(1)}
}
