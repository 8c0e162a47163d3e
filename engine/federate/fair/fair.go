// Package fair is dominant resource fairness (Ghodsi et al., NSDI 2011) in one central queue: the
// user with the least dominant share, divided by the user's weight, starts its next task (algorithm
// 1, and section 4.3 for weights). If no worker has room for that task, all users wait. The weights
// are the configured shares of the users, or equal without shares. In a trace without users each
// job is a user, unless shares are configured. Among equal users, the one whose job arrived first
// is served.
package fair

import (
	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/federate/central"
)

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "fair", Title: "DRF", Description: "one central queue, the user with the least dominant share first (Ghodsi et al. 2011)",
	Facts: federate.Facts{Unlike: true, Pooled: true, Moves: true, Gangs: true, Memory: central.QueueMemory},
	New:   newScheduler,
}

// users tracks the resources in use by each user.
type users struct {
	*federate.Model
	byJob bool             // each job is a user
	used  []cluster.Amount // by user and resource
}

func newScheduler(m *federate.Model) federate.Scheduler {
	u := &users{Model: m, byJob: m.Config.Shares == nil && len(m.Load.Users) == 0}
	flows := m.Users()
	if u.byJob {
		flows = len(m.Load.Jobs)
	}
	u.used = make([]cluster.Amount, flows*m.Center.Resources)
	return central.NewQueue(m, central.Discipline{
		Flow: u.of, Flows: flows, Value: u.share,
		Started: func(task int32) { u.use(task, 1) }, Ended: func(task int32) { u.use(task, -1) }, Lost: func(task int32) { u.use(task, -1) },
	})
}

func (u *users) of(job int32) int32 {
	if u.byJob {
		return job
	}
	first, _ := u.Tasks(job)
	return u.User(first)
}

func (u *users) use(task int32, sign cluster.Amount) {
	cluster.Add(u.usedBy(u.of(u.Job(task))), u.Kind(task).Request, sign)
}

func (u *users) usedBy(user int32) []cluster.Amount {
	return cluster.Row(u.used, user, u.Center.Resources)
}

// share returns the dominant share of a user divided by its weight.
func (u *users) share(user int32) float64 {
	dominant := cluster.Dominant(u.usedBy(user), u.Center.Total)
	if u.byJob {
		return dominant
	}
	return dominant / u.Share(user)
}
