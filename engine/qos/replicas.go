package qos

import (
	"fmt"
	"slices"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

// ControllerKind is a kind of controller (thesis, 7.2.1).
type ControllerKind uint8

// The kinds of controllers.
const (
	Deployment  ControllerKind = iota // creates all instances at once
	StatefulSet                       // creates an instance once all earlier ones run
	DaemonSet                         // creates an instance on each host that meets its constraints, including hosts added later
	Job                               // runs up to Parallelism instances at once until Replicas have completed; preemption loses an instance's work
	CronJob                           // creates a Job each period
)

var kinds = [...]string{"deployment", "statefulset", "daemonset", "job", "cronjob"}

// ControllerKinds returns the names of the kinds, indexed by kind.
func ControllerKinds() []string { return kinds[:] }

// String returns the name of the kind.
func (k ControllerKind) String() string { return kinds[k] }

// Controller submits identical instances during a run. Each is a request like those of a workload,
// but the controller as a whole also has an availability. Package qoskind checks its numbers.
type Controller struct {
	Name     string
	Kind     ControllerKind
	Template workload.Request // template of an instance; Submit is the start of the controller, ID and Job are ignored
	// Replicas is the number of instances; for a Job, of completions. A DaemonSet
	// ignores it.
	Replicas    int
	Parallelism int              // concurrent instances of a Job; 0: all
	Period      sim.Milliseconds // time between Jobs of a CronJob
	Runs        int              // Jobs created by a CronJob; 0: until the horizon
	// Measure selects the scheduler: the fast scheduler runs only if no controller is measured as a
	// whole. Jobs ignore it, because they are always Aggregated.
	Measure Measure
}

// firstJob is the job number of the first controller, far below the numbers in workloads.
const firstJob = -1 << 62

// addReplicas adds a controller to the system and schedules the event that starts it.
func (s *system) addReplicas(c Controller, at sim.Milliseconds) {
	if c.Kind >= Job {
		c.Measure = Aggregated
	}
	r := &controller{Controller: c, number: len(s.controllers), pending: map[Ref]bool{}, covered: map[int]bool{}, least: 1, on: map[int32]int32{}}
	s.controllers = append(s.controllers, r)
	s.events.Push(event{At: at, Kind: controllerStart, Ref: uint32(r.number)})
}

// begin creates the first instances of a controller, or the next Job of a
// CronJob.
func (r *controller) begin(s *system) error {
	switch r.Kind {
	case StatefulSet:
		return r.create(s, 1)
	case DaemonSet:
		return r.cover(s)
	case Job:
		if r.Parallelism > 0 {
			return r.create(s, min(r.Parallelism, r.Replicas))
		}
	case CronJob:
		job := r.Controller
		r.runs++
		job.Kind, job.Name = Job, fmt.Sprintf("%s-%d", r.Name, r.runs)
		s.addReplicas(job, s.now)
		if r.Runs == 0 || r.runs < r.Runs {
			s.events.Push(event{At: s.now + r.Period, Kind: controllerStart, Ref: uint32(r.number)})
		}
		return nil
	}
	return r.create(s, r.Replicas)
}

// create submits the next n instances of a controller.
func (r *controller) create(s *system, n int) error {
	for range n {
		if err := r.submit(s, r.Template); err != nil {
			return err
		}
	}
	return nil
}

// cover creates an instance of a DaemonSet on each host that is up and has none. The
// instance is tied to the host: if the host goes down, the instance waits for it.
func (r *controller) cover(s *system) error {
	for h := range s.hosts {
		if !s.hosts[h].up || r.covered[h] || !cluster.Allows(r.Template.Constraints, &s.hostList[h]) {
			continue
		}
		r.covered[h] = true
		tied := r.Template
		tied.Constraints = append(slices.Clip(tied.Constraints), cluster.Constraint{
			Key: cluster.HostName, Op: cluster.Equal, Value: s.hostList[h].Name,
		})
		if err := r.submit(s, tied); err != nil {
			return err
		}
	}
	return nil
}

func (r *controller) submit(s *system, request workload.Request) error {
	request.Submit, request.Job = s.now, firstJob+int64(r.number)
	request.ID = fmt.Sprintf("%s/%d", r.Name, r.created+1)
	if r.followsRun() {
		s.result.unpaired = append(s.result.unpaired, uint32(len(s.result.class)))
	}
	ref, err := s.admit(&request, int32(r.number)+1)
	if err != nil {
		return fmt.Errorf("controller %q: %w", r.Name, err)
	}
	if r.created == 0 {
		r.first = s.instances[ref].index
	}
	r.created++
	if r.Kind == StatefulSet {
		r.pending[ref] = true
	}
	return nil
}

// followsRun reports whether the arrival times of instances depend on the course of
// the run.
func (r *controller) followsRun() bool {
	return r.Kind == StatefulSet || r.Kind == Job && r.Parallelism > 0 && r.Parallelism < r.Replicas
}

// hostCame lets the DaemonSets that have started cover new hosts.
func (s *system) hostCame() error {
	for _, r := range s.controllers {
		if r.Kind == DaemonSet && r.Template.Submit <= s.now {
			if err := r.cover(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// replicaRuns creates the next instance of a StatefulSet once all existing ones run. After an
// instance was seen running, it is not checked again until it loses its host.
func (r *controller) replicaRuns(s *system) error {
	if r.Kind != StatefulSet || r.created == r.Replicas {
		return nil
	}
	for ref := range r.pending {
		if k := &s.instances[ref]; k.host == nowhere || k.ready > s.now {
			return nil
		}
		delete(r.pending, ref)
	}
	return r.create(s, 1)
}

// replicaCompleted creates the next instance of a Job or, if its condition is met, of
// a StatefulSet.
func (r *controller) replicaCompleted(s *system, ref Ref) error {
	delete(r.pending, ref)
	if r.Kind == Job && r.created < r.Replicas {
		return r.create(s, 1)
	}
	return r.replicaRuns(s)
}
