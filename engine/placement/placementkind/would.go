package placementkind

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/kube"
	"berth/engine/show"
)

// Would is the outcome if kube-scheduler placed the pods of a job on its cluster, one after the
// other. The placement only says whether the pods can fit.
type Would struct {
	Job     string
	Cluster string
	kube.WorkloadOutcome
}

// would replays the scheduler on each cluster with known nodes, for the jobs that a run has placed
// there, in the order of the deployments. The result is by deployment.
func (w *world) would(r run) [][]Would {
	all := make([][]Would, len(w.deployments))
	for at, nodes := range w.federation.Listed() {
		w.wouldOn(at, nodes, r, all)
	}
	return all
}

// wouldOn adds the decisions of the scheduler of one cluster.
func (w *world) wouldOn(at int, nodes *kube.Cluster, r run, all [][]Would) {
	var deployments []int // by job on the cluster
	var jobs []kube.Group
	for i, job := range w.podsOn(at, r.solutions) {
		deployments, jobs = append(deployments, i), append(jobs, w.deployments[i].Pods[job].Group)
	}
	if len(jobs) == 0 {
		return
	}
	outcomes := kube.Would(nodes, jobs, kube.Default())
	if slices.ContainsFunc(outcomes, func(o kube.WorkloadOutcome) bool { return o.Pending > 0 && len(o.Moves) == 0 }) {
		w.closeGap(at, nodes, w.groupsOn(at, r.solutions), jobs, outcomes)
	}
	for i, o := range outcomes {
		all[deployments[i]] = append(all[deployments[i]], Would{jobs[i].Name, w.federation.Clusters().ID(at), o})
	}
}

// closeGap adds the moves that make room for pods that the scheduler would leave pending.
func (w *world) closeGap(at int, nodes *kube.Cluster, numbers []int, jobs []kube.Group, outcomes []kube.WorkloadOutcome) {
	packed := w.nodes.packers[at].Pack(numbers)
	if packed.Verdict != kube.Fits {
		return
	}
	for i := range outcomes {
		var on []string
		for _, p := range packed.On[i] {
			on = append(on, slices.Repeat([]string{nodes.Nodes[p.Node].Name}, p.Pods)...)
		}
		outcomes[i].MoveTo(on, jobs[i].Name)
	}
}

// WouldLines describes the scheduler's decisions about the pods of a deployment, with a summary
// first; nil if no nodes are known.
func (d *DeploymentReport) WouldLines() (lines []string) {
	if len(d.Would) == 0 {
		return nil
	}
	pods, pending := 0, 0
	for i := range d.Would {
		pods, pending = pods+len(d.Would[i].Nodes), pending+d.Would[i].Pending
	}
	if pending == 0 {
		return []string{fmt.Sprintf("can fit: yes; would: kube-scheduler places %s, too", show.Count(pods, "pod"))}
	}
	lines = []string{fmt.Sprintf("can fit: yes; would: kube-scheduler leaves %d of %s pending", pending, show.Count(pods, "pod"))}
	for i := range d.Would {
		x := &d.Would[i]
		if x.Pending > 0 {
			why := fmt.Sprintf("the scheduler would leave %d of %s pending: %s", x.Pending, show.Count(len(x.Nodes), "pod"), x.Words)
			lines = append(lines, show.Text(x.Job)+": "+show.Lines(why))
		}
	}
	if moves := d.gap(); moves != "" {
		lines = append(lines, "they fit if "+moves)
	}
	return lines
}

// gap lists the moves that make all pods fit.
func (d *DeploymentReport) gap() string {
	var moves []string
	for i := range d.Would {
		for _, m := range d.Would[i].Moves {
			text := show.Text(m.Pod) + " goes to " + show.Text(m.To)
			if m.From != "" {
				text += " instead of " + show.Text(m.From)
			}
			moves = append(moves, text)
		}
	}
	return strings.Join(moves, ", ")
}
