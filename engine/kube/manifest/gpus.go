package manifest

import (
	"slices"
	"strings"

	"berth/engine/kube"
)

// annotated adds the GPU requests in a pod's annotations, unless its containers
// request GPUs themselves.
func (a *amounts) annotated(annotations *value) {
	for _, resource := range []string{kube.GPUCount, kube.GPUShare} {
		if q, ok := annotations.at(resource).quantity(resource); ok && a.requests[resource] == 0 {
			a.requests[resource] = q
		}
	}
}

// accepts restricts each term of a pod's required node affinity to the GPU models
// that the pod's annotation accepts.
func accepts(terms []kube.AffinityTerm, annotations *value) []kube.AffinityTerm {
	models := annotations.at(kube.GPUModel).text()
	if models == "" {
		return terms
	}
	one := kube.Requirement{Key: kube.GPUModel, Operator: "In", Values: strings.Split(models, "|")}
	if terms == nil {
		return []kube.AffinityTerm{{Labels: []kube.Requirement{one}}}
	}
	for i, t := range terms {
		if len(t.Labels)+len(t.Fields) > 0 { // an empty term matches no node
			terms[i].Labels = append(slices.Clip(t.Labels), one)
		}
	}
	return terms
}

// capacityOf reads the resources of a node. It reports a problem if the node has more than
// [kube.MaxGPUs] GPUs that pods can share.
func capacityOf(v *value) kube.Resources {
	r := resourcesOf(v)
	if r.TooManyGPUs() {
		v.wrong(gpusToShare, kube.MaxGPUs)
	}
	return r
}
