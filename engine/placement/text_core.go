package placement

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"berth/engine/graph"
	"berth/engine/show"
	"berth/engine/solve"
)

// coreText explains a conflict set in one sentence: the bounds of its dependencies, the few
// clusters that can take some of its jobs, the distances between these clusters, and their free
// capacity. Each part is true by itself. If no part applies, the sentence lists the members.
func (p *Problem) coreText(core []CoreMember) string {
	if len(core) == 0 {
		return ""
	}
	w := p.newCoreWords(core)
	where, room := strings.Join(append(w.holders(), w.apart()...), ", and "), w.room()
	if where == "" && room == "" {
		return list(textsOf(core))
	}
	parts := slices.DeleteFunc([]string{strings.Join(textsOf(w.rules), ", "), strings.Join(w.needs(), ", "), where, room}, func(s string) bool { return s == "" })
	return strings.Join(parts, "; ")
}

func textsOf(members []CoreMember) []string {
	texts := make([]string, len(members))
	for i, m := range members {
		texts[i] = m.Text
	}
	return texts
}

// coreWords puts a conflict set into words.
type coreWords struct {
	problem *Problem
	whole   *solve.Problem
	kinds
	groups []holderGroup // only of jobs that some cluster refuses
	among  []int         // the clusters that can take some group; all clusters without groups
}

// holderGroup is a group of jobs that can run alone on exactly the same clusters.
type holderGroup struct {
	jobs, clusters []int
}

func (p *Problem) newCoreWords(core []CoreMember) *coreWords {
	whole := p.Assignment()
	w := &coreWords{problem: p, whole: whole, kinds: (&coreSearch{whole: whole}).byKind(core)}
	in := make([]bool, whole.Clusters)
	for _, j := range w.jobs {
		able := w.able(j)
		if len(able) == whole.Clusters {
			continue
		}
		for _, c := range able {
			in[c] = true
		}
		if at := slices.IndexFunc(w.groups, func(g holderGroup) bool { return slices.Equal(g.clusters, able) }); at >= 0 {
			w.groups[at].jobs = append(w.groups[at].jobs, j)
		} else {
			w.groups = append(w.groups, holderGroup{[]int{j}, able})
		}
	}
	for c := range in {
		if in[c] || len(w.groups) == 0 {
			w.among = append(w.among, c)
		}
	}
	return w
}

// able lists the clusters that could take a job alone, under the members of the conflict set.
func (w *coreWords) able(job int) []int {
	able := []int{}
	for c := range w.whole.Clusters {
		refuses := w.ranged[c] && w.whole.Forbids(job, c)
		for r := range w.whole.Resources {
			refuses = refuses || w.lacks(r, job, c)
		}
		if !refuses {
			able = append(able, c)
		}
	}
	return able
}

func (w *coreWords) lacks(r, job, c int) bool {
	return w.tight[c] && w.whole.Amount(r, job, c) > w.whole.Resources[r].Capacity[c]
}

// mostListed is the largest number of jobs or clusters that a sentence names.
const mostListed = 4

func (w *coreWords) clusters(all []int) string {
	if len(all) > mostListed {
		return fmt.Sprintf("%d of %d clusters", len(all), w.whole.Clusters)
	}
	return names(w.problem.capacity.federation.Clusters(), all)
}

func names(e *graph.Elements, all []int) string {
	some := make([]string, 0, len(all))
	for _, i := range all {
		some = append(some, e.Name(i))
	}
	if len(some) > mostListed {
		some = append(some[:mostListed-1:mostListed-1], strconv.Itoa(len(all)-mostListed+1)+" more")
	}
	return list(some)
}

// needs describes the bounds of dependencies: "api, cache and db need 20 ms to each other".
func (w *coreWords) needs() []string {
	var order []string
	groups := map[string][]solve.Dependency{}
	for _, k := range w.dependencies {
		what := w.problem.needs(k, func(k *linkConstraint) string {
			return map[graph.Operator]string{graph.AtMost: "at least "}[k.comparison.Op]
		})
		if groups[what] == nil {
			order = append(order, what)
		}
		groups[what] = append(groups[what], w.whole.Dependencies[k])
	}
	jobs := w.problem.deployment.Jobs()
	var all []string
	for _, what := range order {
		var ends []int
		var pairs []string
		count := map[int]int{}
		for _, d := range groups[what] {
			ends = append(ends, int(d.A), int(d.B))
			pairs = append(pairs, jobs.Name(int(d.A))+" with "+jobs.Name(int(d.B)))
			count[int(d.A)]++
			count[int(d.B)]++
		}
		slices.Sort(ends)
		ends = slices.Compact(ends)
		hub := slices.IndexFunc(ends, func(job int) bool { return count[job] == len(pairs) })
		switch n := len(ends); {
		case len(pairs) == n*(n-1)/2:
			all = append(all, names(jobs, ends)+" need "+what+" to each other")
		case hub >= 0:
			all = append(all, names(jobs, slices.Delete(slices.Clone(ends), hub, hub+1))+" need "+what+" to "+jobs.Name(ends[hub]))
		case len(pairs) > mostListed:
			all = append(all, fmt.Sprintf("%d dependencies among %s need %s", len(pairs), names(jobs, ends), what))
		default:
			all = append(all, list(pairs)+" need "+what)
		}
	}
	return all
}

// holders names the only clusters that can take some jobs: "only eu and us hold 8 GB of storage".
func (w *coreWords) holders() []string {
	jobs := w.problem.deployment.Jobs()
	var all []string
	for _, g := range w.groups {
		short, least := w.shortOf(g)
		switch n := len(g.clusters); {
		case n == 0 && short != nil:
			all = append(all, fmt.Sprintf("no cluster has the %s left that %s %s", w.problem.amountOf(short, least), names(jobs, g.jobs), show.Verb(len(g.jobs), "requests", "request")))
		case n == 0:
			all = append(all, "no cluster takes "+names(jobs, g.jobs))
		case short != nil:
			all = append(all, fmt.Sprintf("only %s %s %s", w.clusters(g.clusters), show.Verb(n, "holds", "hold"), w.problem.amountOf(short, least)))
		default:
			all = append(all, fmt.Sprintf("only %s %s %s", w.clusters(g.clusters), show.Verb(n, "takes", "take"), names(jobs, g.jobs)))
		}
	}
	return all
}

// shortOf returns the resource of which all other clusters have too little for every job of a
// group; nil if no single resource is the reason. It also returns the smallest request of these
// jobs in units.
func (w *coreWords) shortOf(g holderGroup) (*demand, float64) {
	for r := range w.problem.demands {
		d := &w.problem.demands[r]
		all, least := true, 0.0
		for i, j := range g.jobs {
			if request := units(w.problem.least(r, j)); i == 0 || request < least {
				least = request
			}
			for c := range w.whole.Clusters {
				all = all && (slices.Contains(g.clusters, c) || w.lacks(r, j, c))
			}
		}
		if all {
			return d, least
		}
	}
	return nil, 0
}

// apart names pairs of clusters that are too far apart, if there are few clusters: "they are 80 ms
// apart".
func (w *coreWords) apart() []string {
	if len(w.dependencies) == 0 || len(w.among) < 2 || len(w.among) > mostListed {
		return nil
	}
	f := w.problem.capacity.federation
	var all []string
	for i, a := range w.among {
		for _, b := range w.among[:i] {
			who := f.Clusters().Name(b) + " and " + f.Clusters().Name(a)
			if len(w.among) == 2 && len(w.groups) == 1 {
				who = "they"
			}
			if !f.Connected(a, b) {
				all = append(all, who+" are not linked")
				continue
			}
			if text := w.tooFar(a, b); text != "" {
				all = append(all, who+text)
			}
		}
	}
	return all
}

// tooFar describes the figure of a path that violates a dependency of the conflict set; "" if there
// is none.
func (w *coreWords) tooFar(a, b int) string {
	for i, k := range w.problem.limited {
		found := k.between(a, b)
		for _, d := range w.dependencies {
			switch {
			case w.problem.spans(i, d, a, b):
			case math.IsInf(found, 1):
				return " have no " + k.supply.Name + " between them"
			case k.comparison.Op == graph.AtLeast:
				return " are " + k.amount(k.sign*found) + " apart"
			default:
				return " have " + k.amount(k.sign*found) + " between them"
			}
		}
	}
	return ""
}

// room names a resource that runs short for all jobs of the conflict set together: "api and db
// request 30 cpu together; eu and us have 20 left".
func (w *coreWords) room() string {
	if len(w.jobs) < 2 || len(w.among) == 0 {
		return ""
	}
	jobs := w.problem.deployment.Jobs()
	for r := range w.problem.demands {
		d := &w.problem.demands[r]
		var wanted, left, most float64
		tight := true
		for _, j := range w.jobs {
			wanted += w.problem.least(r, j)
		}
		for _, c := range w.among {
			tight = tight && w.tight[c]
			left += w.whole.Resources[r].Capacity[c]
			most = max(most, w.whole.Resources[r].Capacity[c])
		}
		request := fmt.Sprintf("%s request %s together", names(jobs, w.jobs), w.problem.amountOf(d, units(wanted)))
		switch {
		case !tight:
		case wanted > left:
			return fmt.Sprintf("%s; %s %s %s left", request, w.clusters(w.among), show.Verb(len(w.among), "has", "have"), figure(units(left)))
		case wanted > most && len(w.dependencies) > 0:
			return fmt.Sprintf("%s; no cluster has more than %s left", request, figure(units(most)))
		}
	}
	return ""
}
