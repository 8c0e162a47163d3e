package qos

import (
	"errors"
	"fmt"
	"slices"

	"berth/engine/cluster"
	"berth/engine/sim"
	"berth/engine/workload"
)

// ControllerKind is a kind of controller (thesis, 7.2.1).
type ControllerKind uint8

// The kinds of controllers.
const (
	Deployment  ControllerKind = iota // all instances at once
	StatefulSet                       // one after the other, the next once all before it run
	DaemonSet                         // one on each host that meets its constraints, and on each that is added
	Job                               // so many at once until enough have completed; work of a preempted one is lost
	CronJob                           // a Job on a period
)

var kinds = [...]string{"deployment", "statefulset", "daemonset", "job", "cronjob"}

// ControllerKinds lists the names of the kinds, in their order.
func ControllerKinds() []string { return kinds[:] }

// String returns the name of the kind.
func (k ControllerKind) String() string { return kinds[k] }

// Controller submits instances, alike except for their time, in the course of a run.
// They are requests like those of a workload; with a [Measure], the controller as a
// whole is one more thing that has an availability.
type Controller struct {
	Name     string
	Kind     ControllerKind
	Template workload.Request // an instance; Submit is when the controller starts, ID and Job are not used
	// Replicas is the number of instances, of a Job that of completions. A
	// DaemonSet has none.
	Replicas    int
	Parallelism int              // instances of a Job at once; 0: all
	Period      sim.Milliseconds // of a CronJob
	Runs        int              // Jobs of a CronJob; 0: until the horizon
	// Measure is PerRequest where Config has it; a Job has only one, which any
	// other stands for.
	Measure Measure
}

// maxReplicas bounds a controller.
const maxReplicas = 1 << 20

func (c *Controller) check(horizon sim.Milliseconds) error {
	if err := c.Template.Check(); err != nil {
		return err
	}
	switch {
	case c.Template.Duration == 0:
		return errors.New("the duration must be at least 0.001 s")
	case c.Template.Submit < 0 || c.Template.Submit > workload.MaxTime:
		return fmt.Errorf("the start at %d ms is not in [0, %d]", c.Template.Submit, workload.MaxTime)
	case c.Kind > CronJob:
		return fmt.Errorf("the kind %d is unknown", c.Kind)
	case c.Kind != DaemonSet && (c.Replicas < 1 || c.Replicas > maxReplicas):
		return fmt.Errorf("%d replicas are not in [1, %d]", c.Replicas, maxReplicas)
	case c.Parallelism < 0:
		return errors.New("the parallelism must not be negative")
	case c.Kind != CronJob:
		return nil
	case c.Period <= 0 || c.Period > workload.MaxTime:
		return fmt.Errorf("the period of %d ms is not in [1, %d]", c.Period, workload.MaxTime)
	case c.Runs < 0:
		return errors.New("the number of runs must not be negative")
	case c.Runs == 0 && horizon == 0:
		return errors.New("it submits Jobs for ever: give a number of runs or a horizon")
	}
	return nil
}

// replicas is a controller at work.
type replicas struct {
	Controller
	number  int
	created int          // instances so far
	runs    int          // Jobs so far
	pending map[Ref]bool // instances of a StatefulSet that were not seen running since they got their host
	on      map[int]bool // hosts that have got theirs
}

// firstJob is the number of the job of the first controller, out of the way of
// any workload.
const firstJob = -1 << 62

func (s *system) addControllers(all []Controller) error {
	for i := range all {
		c := &all[i]
		err := c.check(s.config.Horizon)
		if err == nil {
			_, err = s.classify.class(&c.Template)
		}
		if err != nil {
			return fmt.Errorf("controller %d, %q: %w", i+1, c.Name, err)
		}
		s.addReplicas(*c, c.Template.Submit)
	}
	return nil
}

// addReplicas lets a controller start at a time.
func (s *system) addReplicas(c Controller, at sim.Milliseconds) {
	r := &replicas{Controller: c, number: len(s.replicas), pending: map[Ref]bool{}, on: map[int]bool{}}
	s.replicas = append(s.replicas, r)
	s.events.Push(event{At: at, Kind: controllerStart, Ref: uint32(r.number)})
}

// startReplicas creates the first instances of a controller, and of a CronJob
// its next Job.
func (s *system) startReplicas(r *replicas) error {
	switch r.Kind {
	case StatefulSet:
		return s.create(r, 1)
	case DaemonSet:
		return s.cover(r)
	case Job:
		if r.Parallelism > 0 {
			return s.create(r, min(r.Parallelism, r.Replicas))
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
	return s.create(r, r.Replicas)
}

// create submits the next n instances of a controller.
func (s *system) create(r *replicas, n int) error {
	for range n {
		if err := s.submit(r, r.Template); err != nil {
			return err
		}
	}
	return nil
}

// cover gives each host that is up its instance of a DaemonSet, tied to it: if
// the host goes, the instance waits for it.
func (s *system) cover(r *replicas) error {
	for h := range s.hosts {
		if !s.hosts[h].up || r.on[h] || !cluster.Allows(r.Template.Constraints, &s.hostList[h]) {
			continue
		}
		r.on[h] = true
		tied := r.Template
		tied.Constraints = append(slices.Clip(tied.Constraints), cluster.Constraint{
			Key: cluster.HostName, Op: cluster.Equal, Value: s.hostList[h].Name,
		})
		if err := s.submit(r, tied); err != nil {
			return err
		}
	}
	return nil
}

func (s *system) submit(r *replicas, request workload.Request) error {
	request.Submit, request.Job = s.now, firstJob+int64(r.number)
	request.ID = fmt.Sprintf("%s/%d", r.Name, r.created+1)
	if r.followsRun() {
		s.result.unpaired = append(s.result.unpaired, uint32(len(s.result.class)))
	}
	ref, err := s.admit(&request, int32(r.number)+1)
	if err != nil {
		return fmt.Errorf("controller %q: %w", r.Name, err)
	}
	r.created++
	if r.Kind == StatefulSet {
		r.pending[ref] = true
	}
	return nil
}

// followsRun says whether it depends on the run when an instance comes.
func (r *replicas) followsRun() bool {
	return r.Kind == StatefulSet || r.Kind == Job && r.Parallelism > 0 && r.Parallelism < r.Replicas
}

// hostCame gives a host its instances of the DaemonSets that have started.
func (s *system) hostCame() error {
	for _, r := range s.replicas {
		if r.Kind == DaemonSet && r.Template.Submit <= s.now {
			if err := s.cover(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// replicaRuns lets a StatefulSet go on once all of its instances run. Those that
// are found to run are not looked at again until they lose their host.
func (s *system) replicaRuns(r *replicas) error {
	if r.Kind != StatefulSet || r.created == r.Replicas {
		return nil
	}
	for ref := range r.pending {
		if k := &s.instances[ref]; k.host == nowhere || k.ready > s.now {
			return nil
		}
		delete(r.pending, ref)
	}
	return s.create(r, 1)
}

// replicaCompleted lets a Job replace an instance, or a StatefulSet go on.
func (s *system) replicaCompleted(r *replicas, ref Ref) error {
	delete(r.pending, ref)
	if r.Kind == Job && r.created < r.Replicas {
		return s.create(r, 1)
	}
	return s.replicaRuns(r)
}

// kind returns that of the controller of an instance; a request of the workload
// stands for itself, as in a Deployment.
func (s *system) kind(k *instance) ControllerKind {
	if k.replicas == 0 {
		return Deployment
	}
	return s.replicasOf(k).Kind
}

// replicasOf returns the controller that submitted an instance.
func (s *system) replicasOf(k *instance) *replicas { return s.replicas[k.replicas-1] }
