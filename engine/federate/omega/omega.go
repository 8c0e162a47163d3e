// Package omega is several schedulers that share the state of a cell (Schwarzkopf et al., "Omega:
// flexible, scalable schedulers for large compute clusters", EuroSys 2013). Each scheduler copies
// the state, decides about the first job of its queue, and commits all claims at once. A claim
// conflicts if its worker no longer has room for it or, with sequence numbers, if any other task
// has been placed there since the copy. The claims without a conflict start. If transactions are
// all or nothing, a conflict stops them all, and the tasks of a gang start together or not at all.
// The scheduler retries the rest of the job at once, and gives the job up after a number of commits
// with conflicts.
//
// A scheduler that finds no room for any task of its first job waits until something ends. This
// does not count as an attempt; the authors' simulator counts it, and therefore gives up jobs if
// the cell is full. Package deciding describes the decision times and the assignment of jobs to
// schedulers.
package omega

import (
	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/federate/deciding"
	"berth/engine/parameter"
)

// decidedEvent ends the decision of a scheduler.
const decidedEvent uint32 = central.FirstKind

type scheduler struct {
	*deciding.Cell
	claims    [][]claim        // by scheduler: claims of its current decision
	placed    []uint32         // by worker: sequence number, which counts the tasks placed there
	conflicts []uint32         // by job: commits with conflicts
	attempts  uint32           // commits with conflicts before a job is given up
	sequence  bool             // conflicts are detected by sequence number
	whole     bool             // transactions are all or nothing
	found     []federate.Claim // scratch: result of Plan
}

// claim is a claim with the sequence number of its worker when the state was copied.
type claim struct {
	federate.Claim
	placed uint32
}

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "omega", Title: "Omega", Description: "schedulers that share the state and commit with optimistic concurrency (Schwarzkopf et al. 2013)",
	Parameters: append(deciding.Parameters("omega", "Omega"),
		parameter.Parameter{Name: "omega.attempts", Title: "commits with conflicts", Help: "`NUMBER` of commits with conflicts after which Omega gives a job up", Low: 1, High: 1e9, Whole: true, Default: 1000},
		parameter.Parameter{Name: "omega.sequence", Title: "conflicts by sequence number", Help: "`1` if any task that is placed on a worker since the state was copied is a conflict in Omega, 0 if there is none as long as tasks fit", High: 1, Whole: true},
		parameter.Parameter{Name: "omega.whole", Title: "all or nothing", Help: "`1` if a commit of Omega with a conflict places no task, 0 if it places those without", High: 1, Whole: true},
	),
	Facts: federate.Facts{Unlike: true, Gangs: true, Memory: deciding.Memory("omega")},
	New:   newScheduler,
}

func newScheduler(m *federate.Model) federate.Scheduler {
	s := &scheduler{
		Cell: deciding.NewCell(m, "omega"), placed: make([]uint32, m.Center.Workers()), conflicts: make([]uint32, len(m.Load.Jobs)),
		attempts: uint32(m.Parameters["omega.attempts"]), sequence: m.Parameters["omega.sequence"] > 0, whole: m.Parameters["omega.whole"] > 0,
	}
	s.claims = make([][]claim, len(s.Deciders))
	s.Follow(s)
	return s
}

// Arrived implements [central.Planner].
func (s *scheduler) Arrived(job int32) { s.Enqueue(job) }

// Decide implements [central.Planner]. Every idle scheduler tries its first job again.
func (s *scheduler) Decide() {
	for i := range s.Deciders {
		s.begin(i)
	}
}

// begin lets an idle scheduler copy the state and decide about its first job.
func (s *scheduler) begin(i int) {
	d := &s.Deciders[i]
	if d.Busy || len(d.Queue) == 0 {
		return
	}
	job := d.Queue[0]
	s.Cell.Begin()
	s.found = s.Plan(job, s.Open, s.found[:0])
	if len(s.found) == 0 {
		return
	}
	d.Busy = true
	s.claims[i] = s.claims[i][:0]
	for _, c := range s.found {
		s.claims[i] = append(s.claims[i], claim{c, s.placed[c.Worker]})
		s.Tell(federate.Claimed, c.Task, c.Worker, int32(i))
	}
	s.SpendAll(job, federate.Queueing)
	s.At(s.Now()+s.Takes(i, job), decidedEvent, uint32(i), 0)
}

// Handle implements [federate.Scheduler].
func (s *scheduler) Handle(e federate.Event) {
	if e.Kind != decidedEvent {
		s.Cell.Handle(e)
		return
	}
	i := int(e.Ref)
	d := &s.Deciders[i]
	d.Busy = false
	s.commit(i, d.Queue[0])
	s.begin(i)
}

// commit places the claims of a scheduler that do not conflict.
func (s *scheduler) commit(i int, job int32) {
	s.SpendAll(job, federate.Processing)
	s.Own.Count(deciding.Commits, 1)
	conflicts := s.conflicting(i)
	if conflicts > 0 {
		s.conflicts[job]++
		s.Own.Count(deciding.Conflicts, 1)
		s.Own.Count("conflicts", int64(conflicts))
	}
	if conflicts == 0 || !s.whole && !s.Load.Jobs[job].Gang {
		for _, c := range s.claims[i] {
			if c.Task >= 0 && s.Launch(c.Claim) {
				s.placed[c.Worker]++
			}
		}
		s.Launched(job)
	}
	switch {
	case len(s.Waiting[job]) == 0:
		s.Deciders[i].Next()
	case s.conflicts[job] >= s.attempts:
		s.Own.Count("jobs given up", 1)
		s.Own.Note("a scheduler of Omega gave a job up after too many conflicts: its tasks wait for ever")
		s.Deciders[i].Next()
	}
}

// conflicting counts the conflicting claims and marks them with task −1.
func (s *scheduler) conflicting(i int) (conflicts int) {
	s.Cell.Begin()
	for k := range s.claims[i] {
		c := &s.claims[i][k]
		if s.Fits(c.Claim) && (!s.sequence || s.placed[c.Worker] == c.placed) {
			continue
		}
		conflicts++
		s.Tell(federate.Conflicted, c.Task, c.Worker, int32(i))
		c.Task = -1
	}
	return conflicts
}
