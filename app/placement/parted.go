package placement

import (
	"context"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/placement/placementkind"
)

// parted finds the jobs that two strategies place on different clusters.
func (v *View) parted(mine, other int) func(context.Context) ([]lab.Parted, error) {
	var all []lab.Parted
	a, b := v.result.report(mine), v.result.report(other)
	if a != nil && b != nil {
		for i := range min(len(a.Deployments), len(b.Deployments)) {
			all = append(all, v.partedIn(i, &a.Deployments[i], &b.Deployments[i], mine)...)
		}
	}
	return func(context.Context) ([]lab.Parted, error) { return all, nil }
}

func (v *View) partedIn(deployment int, a, b *placementkind.DeploymentReport, mine int) (all []lab.Parted) {
	under := [2]map[string]string{clustersOf(a.Placement), clustersOf(b.Placement)}
	for step, job := range a.Order {
		here, there := under[0][job], under[1][job]
		if here == there {
			continue
		}
		all = append(all, lab.Parted{
			Thing: job, Under: [2]string{onCluster(here), onCluster(there)},
			Why: func() {
				if v.shown != mine {
					v.picture.show(mine)
				}
				v.Tab = ui.PaneWhy
				v.why.askWhy(deployment, step)
			},
		})
	}
	return all
}

func clustersOf(placed placementkind.Assignment) map[string]string {
	all := map[string]string{}
	for _, p := range placed {
		all[p.Job] = p.Cluster
	}
	return all
}

func onCluster(id string) string {
	if id == "" {
		return "not placed"
	}
	return "on " + id
}
