package placementtest

import (
	"fmt"
	"slices"

	"berth/engine/graph"
	"berth/engine/rule"
)

// checkRule checks a rule by its definition, without the counters of package solve.
func checkRule(r rule.Rule, d *graph.Deployment, f *graph.Federation, cluster []int32) error {
	broken := func(why string, args ...any) error {
		return fmt.Errorf("%s: %s", r, fmt.Sprintf(why, args...))
	}
	counts, used := map[string]int{}, map[int32]bool{}
	counted := 0
	for i, j := range cluster {
		if !chosen(r, d, i) {
			continue
		}
		where := slices.Contains(r.Where.Values, f.Clusters().Attribute(r.Where.Attribute, int(j)))
		value := f.Clusters().Attribute(r.By, int(j))
		switch r.Verb {
		case rule.Only:
			if !where {
				return broken("job %d on cluster %d", i, j)
			}
		case rule.Never:
			if where {
				return broken("job %d on cluster %d", i, j)
			}
		case rule.Together, rule.Spread, rule.Clusters, rule.Least:
			if r.By == "" {
				break // it limits the clusters themselves
			}
			if value == "" {
				return broken("job %d on cluster %d, which has no %s", i, j, r.By)
			}
		}
		if value != "" {
			counts[value]++
		}
		if where {
			counted++
		}
		used[j] = true
	}
	most, least := 0, len(cluster)
	for j := range f.Clusters().Len() {
		if value := f.Clusters().Attribute(r.By, j); value != "" {
			most, least = max(most, counts[value]), min(least, counts[value])
		}
	}
	switch {
	case r.Verb == rule.Apart && most > 1, r.Verb == rule.Most && most > r.N:
		return broken("%d jobs", most)
	case r.Verb == rule.Together && len(counts) > 1:
		return broken("%d values", len(counts))
	case r.Verb == rule.Spread && most-least > r.N:
		return broken("from %d to %d jobs", least, most)
	case r.By != "" && r.Verb == rule.Clusters && len(counts) > r.N, r.By != "" && r.Verb == rule.Least && len(counts) < r.N:
		return broken("%d values", len(counts))
	case r.By == "" && r.Verb == rule.Clusters && len(used) > r.N, r.By == "" && r.Verb == rule.Least && len(used) < r.N:
		return broken("%d clusters", len(used))
	case r.Verb == rule.Count && counted > r.N:
		return broken("%d jobs", counted)
	}
	return nil
}

func chosen(r rule.Rule, d *graph.Deployment, job int) bool {
	for _, s := range r.Jobs {
		value := d.Jobs().ID(job)
		if s.Attribute != "" {
			value = d.Jobs().Attribute(s.Attribute, job)
		}
		if value == s.Value {
			return true
		}
	}
	return len(r.Jobs) == 0
}
