package placementkind

import (
	"fmt"

	"berth/engine/placement"
	"berth/engine/placement/drawing"
)

// AllDeployments is the Deployment of a query that asks for all deployments.
const AllDeployments = -1

// DrawQuery asks for a drawing of the first seed's result. Deployment is a number or
// AllDeployments.
type DrawQuery struct {
	Strategy   int
	Deployment int
	drawing.Options
}

// Draw draws the result, its inputs or a part of it.
func (e *Prepared) Draw(q DrawQuery) (drawing.Drawing, error) {
	placed, err := e.placed(q.Strategy, q.Deployment)
	if err != nil {
		return drawing.Drawing{}, err
	}
	return drawing.Draw(e.world.federation.Federation, placed, q.Options)
}

// core returns the jobs of a deployment and the clusters in the conflict set, which belongs to the
// deployment or to all jointly placed deployments.
func (e *Prepared) core(strategy, deployment int) (jobs, clusters []int) {
	members, from := e.ran[strategy].solutions[deployment].Certificate.Core, 0
	if e.jointly() {
		members = e.ran[strategy].joint.Certificate.Core
		for _, d := range e.world.deployments[:deployment] {
			from += d.Jobs().Len()
		}
	}
	for _, m := range members {
		switch own := m.Index - from; {
		case m.Kind == placement.CoreJob && own >= 0 && own < e.world.deployments[deployment].Jobs().Len():
			jobs = append(jobs, own)
		case m.Kind == placement.CoreCluster:
			clusters = append(clusters, m.Index)
		}
	}
	return jobs, clusters
}

// placed returns one or all deployments with the clusters of their jobs.
func (e *Prepared) placed(strategy, deployment int) ([]drawing.Placed, error) {
	from, to := deployment, deployment+1
	if deployment == AllDeployments {
		from, to = 0, len(e.world.deployments)
	}
	if err := e.check(strategy, max(0, from)); err != nil {
		return nil, err
	}
	if from < 0 {
		return nil, fmt.Errorf("there is no deployment %d", deployment)
	}
	all := make([]drawing.Placed, 0, to-from)
	for i := from; i < to; i++ {
		p := drawing.Placed{Index: i, Name: e.world.deployments[i].Name, Deployment: e.world.deployments[i].Deployment, Rules: e.rules}
		s := e.ran[strategy].solutions[i]
		if s.Complete() {
			p.Cluster = s.Cluster
		}
		p.Core, p.CoreClusters = e.core(strategy, i)
		all = append(all, p)
	}
	return all, nil
}
