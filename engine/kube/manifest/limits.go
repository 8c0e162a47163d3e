package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"berth/engine/kube"
)

// limitRange is an item of a LimitRange: default requests and limits, and the allowed
// range, for each container or each pod of a namespace.
type limitRange struct {
	namespace, kind    string
	requests, defaults kube.Resources
	least, most        kube.Resources
}

// limitRange reads a LimitRange. It fills in missing values like the API server: the default limit
// is the maximum, and the default request is the default limit or else the minimum.
func (o *objects) limitRange(id identity, v *value) {
	for _, item := range v.in("spec", "limits").items() {
		l := limitRange{
			id.namespace, item.at("type").text(), resourcesOf(item.at("defaultRequest")), resourcesOf(item.at("default")),
			resourcesOf(item.at("min")), resourcesOf(item.at("max")),
		}
		if l.kind == "Container" {
			otherwise(l.defaults, l.most)
			otherwise(l.requests, l.defaults)
			otherwise(l.requests, l.least)
		}
		o.limits = append(o.limits, l)
	}
}

// breaks returns the API server's message about the first violation of a LimitRange by these
// amounts, or "".
func (l *limitRange) breaks(a *amounts) string {
	for _, resource := range slices.Sorted(maps.Keys(l.least)) {
		least, head := l.least[resource], fmt.Sprintf("minimum %s usage per %s is %s", resource, l.kind, kube.Quantity(resource, l.least[resource]))
		request, asked := a.requests[resource]
		limit, limited := a.limits[resource]
		switch {
		case !asked:
			return head + ".  No request is specified"
		case request < least:
			return head + ", but request is " + kube.Quantity(resource, request)
		case limited && limit < least:
			return head + ", but limit is " + kube.Quantity(resource, limit)
		}
	}
	for _, resource := range slices.Sorted(maps.Keys(l.most)) {
		most, head := l.most[resource], fmt.Sprintf("maximum %s usage per %s is %s", resource, l.kind, kube.Quantity(resource, l.most[resource]))
		request := a.requests[resource]
		limit, limited := a.limits[resource]
		switch {
		case !limited:
			return head + ".  No limit is specified"
		case limit > most:
			return head + ", but limit is " + kube.Quantity(resource, limit)
		case request > most:
			return head + ", but request is " + kube.Quantity(resource, request)
		}
	}
	return ""
}

// forbidden returns the API server's message if LimitRanges of the namespace reject
// the pod, or "".
func (o *objects) forbidden(p *pod, whole *amounts) string {
	var broken []string
	add := func(l *limitRange, a *amounts) {
		if words := l.breaks(a); words != "" && !slices.Contains(broken, words) {
			broken = append(broken, words)
		}
	}
	for i := range o.limits {
		l := &o.limits[i]
		switch {
		case l.namespace != p.namespace:
		case l.kind == "Pod":
			add(l, whole)
		case l.kind == "Container":
			for _, c := range slices.Concat(p.spec.at("containers").items(), p.spec.at("initContainers").items()) {
				a := o.container(p.namespace, &c, nil)
				add(l, &a)
			}
		}
	}
	if len(broken) > 1 {
		return "[" + strings.Join(broken, ", ") + "]"
	}
	return strings.Join(broken, "")
}

// unsaid returns, for each resource name of quotas, the comma-separated containers that do not
// specify that amount. A quota on such a name rejects the pod.
func (o *objects) unsaid(p *pod) map[string]string {
	if p.spec.at("resources").there() {
		return nil
	}
	var all map[string]string
	for _, c := range slices.Concat(p.spec.at("containers").items(), p.spec.at("initContainers").items()) {
		a := o.container(p.namespace, &c, nil)
		add := func(amounts kube.Resources, resource string, names ...string) {
			if _, said := amounts[resource]; said {
				return
			}
			if all == nil {
				all = map[string]string{}
			}
			for _, name := range names {
				all[name] = strings.TrimPrefix(all[name]+","+c.at("name").text(), ",")
			}
		}
		for _, resource := range []string{kube.CPU, kube.Memory} {
			add(a.requests, resource, resource, "requests."+resource)
			add(a.limits, resource, "limits."+resource)
		}
	}
	return all
}
