package manifest

import (
	"math"
	"strings"

	"berth/engine/graph"
	"berth/engine/show"
)

func finite(text string) (float64, bool) {
	v, ok := show.ParseNumber(text)
	return v, ok && v >= 0 && v <= graph.MaxFigure && !math.IsNaN(v)
}

// networkPolicies adds a dependency between two jobs if a NetworkPolicy selects both and allows
// traffic between them. A peer that selects all pods of a namespace adds none.
func (x *dependencies) networkPolicies() {
	x.objects.each("NetworkPolicy", func(p *object) {
		spec := p.at("spec")
		chosen := x.selected(p.namespace, spec.at("podSelector"), true)
		for _, direction := range [][2]string{{"ingress", "from"}, {"egress", "to"}} {
			for _, rule := range spec.at(direction[0]).items() {
				for _, peer := range rule.at(direction[1]).items() {
					for _, b := range x.peers(p.namespace, &peer) {
						for _, a := range chosen {
							x.add(a, b)
						}
					}
				}
			}
		}
	})
}

// peers returns the jobs that a peer selects. A namespaceSelector can match only the
// label with the namespace's name, which Kubernetes sets; other labels of namespaces
// are unknown here.
func (x *dependencies) peers(own string, peer *value) []int {
	all := peer.at("namespaceSelector")
	if !all.there() {
		return x.selected(own, peer.at("podSelector"), false)
	}
	var found []int
	namespaces := selectorOf(all)
	for _, namespace := range x.namespaces() {
		if namespaces.Matches(map[string]string{"kubernetes.io/metadata.name": namespace}) {
			found = append(found, x.selected(namespace, peer.at("podSelector"), false)...)
		}
	}
	return found
}

func (x *dependencies) namespaces() []string {
	var all []string
	seen := map[string]bool{}
	for _, j := range x.jobs {
		if !seen[j.namespace] {
			seen[j.namespace] = true
			all = append(all, j.namespace)
		}
	}
	return all
}

func (x *dependencies) selected(namespace string, v *value, all bool) []int {
	selector := selectorOf(v)
	return x.which(func(j *job) bool {
		return j.namespace == namespace && selector.Matches(j.template.labels) && (all || len(selector) > 0)
	})
}

// inferred is a pair of jobs in which from mentions a Service of to.
type inferred struct {
	from, to int
	why      string
}

// inferred returns pairs of jobs that have no dependency yet. The first job mentions a Service of
// the second in its environment, its arguments or a ConfigMap that it uses.
func (x *dependencies) inferred() []inferred {
	services := x.byName()
	var pairs []inferred
	seen := map[[2]int]bool{}
	for i := range x.jobs {
		x.texts(&x.jobs[i], func(where, text string) {
			hosts(text, func(host string) {
				for _, b := range services.find(x.jobs[i].namespace, host) {
					pair := [2]int{min(i, b), max(i, b)}
					if i != b && !seen[pair] && !x.graph.HasEdgeBetween(int64(i), int64(b)) {
						seen[pair] = true
						pairs = append(pairs, inferred{i, b, show.Text(where) + " names " + show.Text(host)})
					}
				}
			})
		})
	}
	return pairs
}

// serviceJobs maps each Service to the jobs behind it.
type serviceJobs map[name][]int

func (x *dependencies) byName() serviceJobs {
	all := serviceJobs{}
	for i := range x.objects.services {
		s := &x.objects.services[i]
		all[s.name] = append(all[s.name], x.of(s)...)
	}
	return all
}

// find returns the jobs behind the Service that a host name denotes: service,
// service.namespace, or service.namespace.svc with any suffix.
func (s serviceJobs) find(own, host string) []int {
	parts := strings.Split(strings.ToLower(strings.TrimSuffix(host, ".")), ".")
	switch {
	case len(parts) == 1:
		return s[name{own, parts[0]}]
	case len(parts) == 2 || parts[2] == "svc":
		return s[name{parts[1], parts[0]}]
	case len(parts) == 3 || parts[3] == "svc": // a pod of a StatefulSet behind its Service
		return s[name{parts[2], parts[1]}]
	}
	return nil
}

// texts calls each for every configuration text of a job: environment, arguments and ConfigMaps.
// where describes the source.
func (x *dependencies) texts(j *job, each func(where, text string)) {
	spec := &j.template.spec
	for _, list := range []string{"initContainers", "containers"} {
		for _, c := range spec.at(list).items() {
			x.containerTexts(j, &c, each)
		}
	}
	for _, v := range spec.at("volumes").items() {
		x.configTexts(j, v.in("configMap", "name").text(), each)
		for _, s := range v.in("projected", "sources").items() {
			x.configTexts(j, s.in("configMap", "name").text(), each)
		}
	}
}

func (x *dependencies) containerTexts(j *job, c *value, each func(where, text string)) {
	for _, e := range c.at("env").items() {
		where := "environment " + e.at("name").text()
		each(where, e.at("value").text())
		if from := e.in("valueFrom", "configMapKeyRef"); from.there() {
			if data, ok := x.objects.configs[name{j.namespace, from.at("name").text()}]; ok {
				each(where, data.at(from.at("key").text()).text())
			}
		}
	}
	for _, e := range c.at("envFrom").items() {
		x.configTexts(j, e.in("configMapRef", "name").text(), each)
	}
	for _, list := range []string{"command", "args"} {
		for _, text := range c.at(list).texts() {
			each(list+" of container "+c.at("name").text(), text)
		}
	}
}

func (x *dependencies) configTexts(j *job, config string, each func(where, text string)) {
	if data, ok := x.objects.configs[name{j.namespace, config}]; ok {
		data.fields(func(key string, v *value) { each("ConfigMap "+config+", "+key+",", v.text()) })
	}
}

// maxText limits the number of bytes of a text that hosts searches.
const maxText = 1 << 20

// hosts calls each for every possible host name in a text. A word without dots counts only in a
// context that suggests a host: it is a whole value (see alone), a port follows it, or :// or @
// precedes it.
func hosts(text string, each func(host string)) {
	text = text[:min(len(text), maxText)]
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && hostByte(text[end]) {
			end++
		}
		host := strings.Trim(text[i:end], ".-")
		if host != "" && (strings.Contains(host, ".") || alone(text, i, end) || address(text, i, end)) {
			each(host)
		}
		i = end + 1
	}
}

func hostByte(c byte) bool {
	return c == '-' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// address reports whether text[from:to] is followed by a port or preceded by :// or
// @.
func address(text string, from, to int) bool {
	if strings.HasSuffix(text[:from], "://") || from > 0 && text[from-1] == '@' {
		return true
	}
	return to+1 < len(text) && text[to] == ':' && '0' <= text[to+1] && text[to+1] <= '9'
}

// alone reports whether text[from:to] is a whole value: the entire text, a line, the
// value after = or ": ", or an item of a list.
func alone(text string, from, to int) bool {
	const before, after = "=,;\n\"'[", ",;\r\n\"']"
	head := strings.TrimRight(text[:from], " \t")
	tail := strings.TrimLeft(text[to:], " \t")
	led := head == "" || strings.IndexByte(before, head[len(head)-1]) >= 0 || head[len(head)-1] == ':' && len(head) < from
	return led && (tail == "" || strings.IndexByte(after, tail[0]) >= 0)
}
