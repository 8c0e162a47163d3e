package kube

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"berth/engine/show"
)

// Quota is a ResourceQuota: it limits the total requests and limits of pods in a
// namespace.
type Quota struct {
	Namespace, Name string
	Hard            Resources     // by the resource names of quotas: pods, requests.cpu, limits.memory
	Scopes          []Requirement // pods it applies to, by the name of the scope; none: all
}

// takes returns a pod's usage of a quota's resource; ok is false if pods do not use
// that resource.
func (s *Shape) takes(resource string) (amount int64, ok bool) {
	switch resource {
	case Pods, "count/pods":
		return 1, true
	case CPU, Memory, Storage:
		return s.Requests[resource], true
	}
	if limit, found := strings.CutPrefix(resource, "limits."); found {
		return s.Limits[limit], true
	}
	name, _ := strings.CutPrefix(resource, "requests.")
	return s.Requests[name], name != resource && name != "storage" || strings.HasPrefix(name, "hugepages-")
}

// on reports whether the quota applies to pods of a shape.
func (q *Quota) on(s *Shape) bool {
	return s != nil && s.Namespace == q.Namespace && !slices.ContainsFunc(q.Scopes, func(r Requirement) bool { return !s.inScope(r) })
}

func (s *Shape) inScope(r Requirement) bool {
	switch r.Key {
	case "BestEffort", "NotBestEffort":
		asks := slices.ContainsFunc([]string{CPU, Memory}, func(resource string) bool { return s.Requests[resource] != 0 || s.Limits[resource] != 0 })
		return asks == (r.Key == "NotBestEffort")
	case "Terminating", "NotTerminating":
		return s.Ends == (r.Key == "Terminating")
	case "PriorityClass":
		return r.holds(s.Class, s.Class != "")
	case "CrossNamespacePodAffinity":
		return slices.ContainsFunc(slices.Concat(s.With, s.AntiAffinity), func(a Near) bool { return len(a.Namespaces) > 0 || a.Labelled != nil })
	}
	return false
}

// inadmissible returns the verdict Cannot if the cluster would not create all pods of
// the groups: they are forbidden, or exceed a quota of their namespace.
func (p *Packer) inadmissible(groups []int) Result {
	cannot := func(format string, args ...any) Result {
		return Result{Verdict: Cannot, Proof: "bound", Reason: fmt.Sprintf(format, args...)}
	}
	for _, g := range groups {
		if one := &p.groups[g]; one.Shape.Forbidden != "" {
			return cannot("%s is forbidden: %s.", one.named(), one.Shape.Forbidden)
		}
	}
	for i := range p.cluster.Quotas {
		q := &p.cluster.Quotas[i]
		used := p.used(q)
		for _, g := range groups {
			one := &p.groups[g]
			pods := one.Pods + len(p.more[g])
			if !q.on(one.Shape) {
				continue
			}
			if missing := q.unsaid(one.Shape); missing != "" {
				return cannot("%s is forbidden: failed quota: %s: must specify %s.", one.named(), q.Name, missing)
			}
			if fit := q.admits(used, one.Shape, pods); fit < pods {
				used.take(q, one.Shape, fit)
				return cannot("%s is forbidden: exceeded quota: %s, %s. %d of %d pods fit.", one.named(), q.Name, q.exceeded(used, one.Shape), fit, pods)
			}
			used.take(q, one.Shape, pods)
		}
	}
	return Result{}
}

func (g *Group) named() string { return "pods " + strconv.Quote(g.Name) }

// used returns the usage of a quota by running and evicted pods.
func (p *Packer) used(q *Quota) Resources {
	used := Resources{}
	for _, pod := range slices.Concat(p.state.pods...) {
		if q.on(pod.Shape) {
			used.take(q, pod.Shape, 1)
		}
	}
	for _, g := range p.cluster.Evicted {
		if q.on(g.Shape) {
			used.take(q, g.Shape, g.Pods)
		}
	}
	return used
}

func (r Resources) take(q *Quota, s *Shape, pods int) {
	for resource := range q.Hard {
		amount, _ := s.takes(resource)
		r[resource] += amount * int64(pods)
	}
}

// admits returns how many of the given number of pods the quota admits in addition to its current
// usage.
func (q *Quota) admits(used Resources, s *Shape, pods int) int {
	fit := int64(pods)
	for resource, hard := range q.Hard {
		if amount, ok := s.takes(resource); ok && amount > 0 {
			fit = min(fit, max(0, hard-used[resource])/amount)
		}
	}
	return int(fit)
}

// exceeded formats, like the API server, how one more pod would violate the quota.
func (q *Quota) exceeded(used Resources, s *Shape) string {
	var requested, has, hard []string
	for _, resource := range slices.Sorted(maps.Keys(q.Hard)) {
		amount, ok := s.takes(resource)
		if !ok || amount == 0 || used[resource]+amount <= q.Hard[resource] {
			continue
		}
		requested = append(requested, resource+"="+Quantity(resource, amount))
		has = append(has, resource+"="+Quantity(resource, used[resource]))
		hard = append(hard, resource+"="+Quantity(resource, q.Hard[resource]))
	}
	return fmt.Sprintf("requested: %s, used: %s, limited: %s", strings.Join(requested, ","), strings.Join(has, ","), strings.Join(hard, ","))
}

// unsaid lists the amounts that the quota limits but containers do not specify, with these
// containers.
func (q *Quota) unsaid(s *Shape) string {
	var all []string
	for _, resource := range slices.Sorted(maps.Keys(s.Unsaid)) {
		if _, on := q.Hard[resource]; on {
			all = append(all, resource+" for: "+s.Unsaid[resource])
		}
	}
	return strings.Join(all, "; ")
}

// Quantity formats an amount of a resource, or of a quota on it, like Kubernetes:
// 500m, 2, 64Mi.
func Quantity(resource string, amount int64) string {
	name := resource[strings.LastIndexByte(resource, '.')+1:]
	switch {
	case name == CPU && amount%1000 != 0:
		return strconv.FormatInt(amount, 10) + "m"
	case name == CPU:
		return strconv.FormatInt(amount/1000, 10)
	case name != Memory && name != Storage && !strings.HasPrefix(name, "hugepages-"):
		return strconv.FormatInt(amount, 10)
	}
	unit := 0
	for ; amount != 0 && amount%1024 == 0 && unit < len(binaryUnits); unit++ {
		amount /= 1024
	}
	return strconv.FormatInt(amount, 10) + append([]string{""}, binaryUnits[:]...)[unit]
}

var binaryUnits = [...]string{"Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}

// next says how to change the quota that stops a controller from creating pods; "" if the cause is
// not a quota. It takes the name of the quota from the API server's message, because a dump
// contains nothing else about the failure.
func (a *Absent) next() string {
	_, quota, found := strings.Cut(a.Why, "quota: ")
	name, wants, unset := strings.Cut(quota, ": must specify ")
	switch {
	case unset:
		return "set the requests that a quota wants: " + show.Text(wants)
	case found:
		name, _, _ = strings.Cut(name, ",")
		return "raise the quota " + show.Text(name) + ", or request less"
	}
	return ""
}
