package qoskind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"berth/engine/input/workload"
	"berth/engine/scenario"
	"berth/engine/show"
)

// Sample restricts the workload to the requests of some users. K-means groups similar users, and a
// fraction of each group is drawn (section 4.2 of the paper).
type Sample struct {
	Part   float64 `json:"part,omitempty"`   // fraction of each group, in (0, 1]; 0 means DefaultPart
	Groups int     `json:"groups,omitempty"` // 0 means DefaultGroups
	Seed   uint64  `json:"seed,omitempty"`
}

// Defaults from the thesis, and the maximum number of groups.
const (
	DefaultPart   = 0.1
	DefaultGroups = 6
	MaxGroups     = 50
)

// Admission admits requests as long as the demand of active requests stays below a fraction of the
// total capacity (section 7.1.4 of the thesis).
type Admission struct {
	Limit   float64 `json:"limit"`             // fraction of the capacity, in (0, 1]
	AtStart float64 `json:"atStart,omitempty"` // limit at time 0; 0 means Limit − 0.2
}

// lessAtStart is the reduction of the admission limit at time 0.
const lessAtStart = 0.2

// Started returns the limit at time 0: AtStart or, if that is 0, Limit − lessAtStart, rounded to
// remove the error of the floating-point subtraction.
func (a *Admission) Started() float64 {
	return cmp.Or(a.AtStart, math.Round((a.Limit-lessAtStart)*1e9)/1e9)
}

// SampleSummary describes a sample: the users and requests of the sample, and of the whole
// workload.
type SampleSummary struct {
	Users         int
	UsersInAll    int
	Requests      int
	RequestsInAll int
}

// AdmissionSummary has the numbers of requests before and after admission control.
type AdmissionSummary struct {
	Offered  int
	Admitted int
}

func (a *Admission) validate(at string, p *scenario.Problems) {
	switch start := a.Started(); {
	case !(a.Limit > 0 && a.Limit <= 1) || a.AtStart < 0 || a.AtStart > 1: // other checks report these values
	case a.AtStart == 0 && start <= 0:
		p.Add(at+".atStart", noStart, lessAtStart)
	case !(start > 0 && start <= a.Limit):
		p.Add(at+".atStart", startRange, a.AtStart, a.Limit)
	}
}

// requests opens the simulated requests from the beginning: the window of the workload, after
// sampling and admission control. If opening requires reading the whole file, ctx can stop it.
func (e *Prepared) requests(ctx context.Context) (workload.Stream, error) {
	source, err := e.offered(ctx)
	if err != nil {
		return nil, err
	}
	return e.admitted(source)
}

// offered opens the requests before admission control.
func (e *Prepared) offered(ctx context.Context) (workload.Stream, error) {
	source, err := e.raw(ctx)
	return e.ofUsers(source), err
}

func (e *Prepared) ofUsers(s workload.Stream) workload.Stream {
	if e.users == nil {
		return s
	}
	return workload.OfUsers(s, e.users)
}

func (e *Prepared) admitted(s workload.Stream) (workload.Stream, error) {
	a := e.document.Admission
	if a == nil {
		return s, nil
	}
	return workload.Admission{Limit: a.Limit, AtStart: a.Started()}.Filter(s, e.input.Hosts)
}

// drawUsers reads the whole workload and draws the users whose requests are simulated. It does
// nothing without a sample.
func (e *Prepared) drawUsers(ctx context.Context) error {
	s := e.document.Sample
	if s == nil {
		return nil
	}
	source, err := e.raw(ctx)
	if err != nil {
		return err
	}
	users, err := workload.Users(&reading{Stream: source, ctx: ctx, many: true})
	if err != nil {
		return problem(".sample", err)
	}
	e.wasRead()
	if len(users) == 1 && users[0].Name == "" {
		return wrong(".sample", errors.New("the workload does not name users; use task_events of Google, the broker's CSV, or CSV with a column user"))
	}
	e.users, err = workload.SampleUsers(users, cmp.Or(s.Groups, DefaultGroups), cmp.Or(s.Part, DefaultPart), s.Seed)
	if err != nil {
		return problem(".sample", err)
	}
	drawn := map[string]bool{}
	for _, name := range e.users {
		drawn[name] = true
	}
	summary := &SampleSummary{Users: len(e.users), UsersInAll: len(users)}
	for i := range users {
		summary.RequestsInAll += users[i].Requests
		if drawn[users[i].Name] {
			summary.Requests += users[i].Requests
		}
	}
	e.report.Workload.Sample = summary
	e.report.Notes = append(e.report.Notes, summary.String())
	return nil
}

// tellAdmission records how many requests were admitted. It returns an error if none were.
func (e *Prepared) tellAdmission(offered int) error {
	if e.document.Admission == nil {
		return nil
	}
	n := e.seen.Requests
	if n == 0 {
		return wrong(".admission", fmt.Errorf("none of %s is admitted: each asks for more than the limit, or for a host that does not exist", show.Count(offered, "request")))
	}
	e.report.Workload.Admission = &AdmissionSummary{Offered: offered, Admitted: n}
	e.report.Notes = append(e.report.Notes, e.report.Workload.Admission.String())
	return nil
}
