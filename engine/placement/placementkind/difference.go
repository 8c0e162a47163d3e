package placementkind

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"berth/engine/figure"
	"berth/engine/kube"
	"berth/engine/placement"
	"berth/engine/show"
)

// Difference compares the placements before and after a what-if.
type Difference struct {
	Changes     []string
	Kept        bool // placed with as few moves as possible, cost second; otherwise by cost alone
	Deployments []DeploymentDifference
	Before      Cost // of the placed deployments
	After       Cost
	Clusters    []ClusterDifference
}

// DeploymentDifference compares one deployment before and after.
type DeploymentDifference struct {
	Name    string
	Before  placement.Status
	After   placement.Status
	Moves   []MovedJob
	Refused []RefusedJob // jobs that no longer fit
	Cost    struct {
		Before Cost
		After  Cost
	} `json:"cost"`
}

// MovedJob is a job that moves to another cluster.
type MovedJob struct {
	Job  string
	From string
	To   string
}

// RefusedJob is a job that finds no cluster; "" stands for all jobs together.
type RefusedJob struct {
	Job string
	Why string
}

// ClusterState is the free capacity of a cluster after all placements.
type ClusterState struct {
	Cluster string
	Nodes   int    // that accept pods
	Fit     string // "nodes" or "aggregate only"
	Left    Amounts
	// Fragmentation is the share of the free cpu on nodes without room for the median pod;
	// undefined if the nodes are unknown or nothing is free.
	Fragmentation figure.Number
}

// Amounts maps resources to amounts, in their units.
type Amounts map[string]float64

// ClusterDifference is a cluster before and after; nil where it does not exist.
type ClusterDifference struct {
	Cluster string
	Before  *ClusterState
	After   *ClusterState
}

// states returns the free capacity of each cluster after a run.
func (w *world) states(r run) []ClusterState {
	var groups []kube.Group
	for _, d := range w.deployments {
		for _, pods := range d.Pods {
			groups = append(groups, pods.Group)
		}
	}
	median := kube.Median(groups)
	var all []ClusterState
	for i := range w.federation.Clusters().Len() {
		s := ClusterState{Cluster: w.federation.Clusters().ID(i), Fit: "aggregate only", Left: Amounts{}, Fragmentation: figure.Undefined}
		for _, l := range w.federation.Clusters().Labels(i) {
			if free := r.capacity.Free(l.Type.Name); free != nil {
				s.Left[l.Type.Name] = free[i]
			}
		}
		if nodes := w.federation.NodesOf(i); nodes != nil {
			s.Fit = "nodes"
			for n := range nodes.Nodes {
				if nodes.Nodes[n].Shut() == "" {
					s.Nodes++
				}
			}
			if share, ok := w.nodes.packers[i].Fragmentation(w.groupsOn(i, r.solutions), median); ok {
				s.Fragmentation = figure.Number(share)
			}
		}
		all = append(all, s)
	}
	return all
}

// groupsOn returns the groups, in ascending order, of the jobs that solutions place on a cluster.
func (w *world) groupsOn(at int, solutions []placement.Solution) (groups []int) {
	for i, job := range w.podsOn(at, solutions) {
		groups = append(groups, w.nodes.first[w.deployments[i].Deployment]+job)
	}
	return groups
}

// Against compares the report of a strategy with an earlier one, such as the report before a
// what-if.
func (s *StrategyReport) Against(old *StrategyReport) *Difference {
	x := &Difference{Before: old.Total, After: s.Total, Clusters: clusterDifferences(old.Clusters, s.Clusters)}
	if s.WhatIf != nil {
		x.Changes, x.Kept = s.WhatIf.Changes, s.WhatIf.Kept
	}
	moves := s.MovesFrom(old)
	for i := range s.Deployments {
		is := &s.Deployments[i]
		was := s.counterpart(i, old)
		if was == nil {
			continue
		}
		d := DeploymentDifference{Name: is.Name, Before: was.Status, After: is.Status, Moves: []MovedJob{}, Refused: []RefusedJob{}}
		d.Cost.Before, d.Cost.After = was.Cost, is.Cost
		if !is.Placed() {
			d.Refused = append(d.Refused, RefusedJob{Job: is.blocked, Why: is.Reason})
		}
		for _, m := range moves {
			if m.Group == is.Name && m.From != "" && m.To != "" {
				d.Moves = append(d.Moves, MovedJob{m.Thing, m.From, m.To})
			}
		}
		x.Deployments = append(x.Deployments, d)
	}
	return x
}

func clusterDifferences(before, after []ClusterState) []ClusterDifference {
	var all []ClusterDifference
	for i := range before {
		c := ClusterDifference{Cluster: before[i].Cluster, Before: &before[i]}
		if at := slices.IndexFunc(after, func(s ClusterState) bool { return s.Cluster == c.Cluster }); at >= 0 {
			c.After = &after[at]
		}
		all = append(all, c)
	}
	return all
}

// was returns the old cluster of each job of a solution, numbered as in the world after the
// what-if.
func was(before, after *world, s placement.Solution) []int32 {
	stood := make([]int32, len(s.Cluster))
	for job, j := range s.Cluster {
		stood[job] = -1
		if j >= 0 {
			if i, ok := after.federation.Cluster(before.federation.Clusters().ID(int(j))); ok {
				stood[job] = int32(i)
			} else {
				stood[job] = math.MaxInt32 // its cluster is gone, so it has to move
			}
		}
	}
	return stood
}

func (x *Difference) writeText(w io.Writer) {
	fmt.Fprintf(w, "\nwhat if %s", show.Text(strings.Join(x.Changes, ", ")))
	if x.Kept {
		fmt.Fprint(w, " (with few moves)")
	}
	fmt.Fprintf(w, "\n  cost %s → %s\n", x.Before.Total, x.After.Total)
	for _, d := range x.Deployments {
		fmt.Fprintf(w, "  %s: %s → %s, %s\n", show.Text(d.Name), d.Before, d.After, show.Count(len(d.Moves), "move"))
		for _, m := range d.Moves {
			fmt.Fprintf(w, "    %s: %s → %s\n", show.Text(m.Job), show.Text(m.From), show.Text(m.To))
		}
		for _, r := range d.Refused {
			fmt.Fprintf(w, "    does not fit: %s\n", show.Lines(r.Why))
		}
	}
	for _, c := range x.Clusters {
		fmt.Fprintf(w, "  %s: left %s → %s\n", show.Text(c.Cluster), c.Before, c.After)
	}
}
