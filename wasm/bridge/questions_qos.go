package bridge

import (
	"context"
	"errors"
	"strings"

	"berth/engine/scenario"
	"berth/engine/scenario/body"
	"berth/engine/scenario/simulate"
)

// The methods of scenarios of kind "qos".
const (
	MethodInspect   Method = "inspect"
	MethodCheckText Method = "check-text"
	MethodPair      Method = "pair"
	MethodStrips    Method = "strips"
	MethodTimeline  Method = "timeline"
	MethodWhy       Method = "why"
	MethodList      Method = "list"
)

// Inspect reads the inputs of a scenario without running it and tells what they
// are; the report has no policies.
func (p *Pool) Inspect(ctx context.Context, in Input, progress func(scenario.Progress)) (*simulate.Report, error) {
	s, files := in.detach()
	answer, err := p.ask(ctx, Head{Method: MethodInspect}, Question[struct{}]{Scenario: s}, files, progress)
	if err != nil {
		return nil, err
	}
	var r simulate.Report
	return &r, answer.DecodeBody(&r)
}

// CheckTextQuery is the body of check-text.
type CheckTextQuery struct {
	Slot   string      `json:"slot"` // "": the text decides
	Source body.Source `json:"source"`
}

// CheckText reads a single input and tells what it is and what is wrong with
// it. The text is read where the source has neither text nor recipe.
func (p *Pool) CheckText(ctx context.Context, q CheckTextQuery, text Blob) (simulate.Checked, error) {
	files := map[string]Blob{TextFile: text}
	if q.Source.Text != "" {
		files[TextFile], q.Source.Text = Moved([]byte(q.Source.Text)), ""
	} else if q.Source.Recipe != nil {
		files = nil
	}
	var c simulate.Checked
	answer, err := p.ask(ctx, Head{Method: MethodCheckText}, q, files, nil)
	if err == nil {
		err = answer.DecodeBody(&c)
	}
	return c, err
}

// Side is a policy of a result, from 0, in a comparison.
type Side struct {
	Result *Result
	Policy int
}

// The parts of the names of files of pair and strips.
const (
	FirstSide  = "first/"
	SecondSide = "second/"
)

// arrays puts the arrays of a side among the files of a call.
func (s Side) arrays(files map[string]Blob, prefix string) error {
	for _, array := range []string{
		simulate.AvailabilityArray(s.Policy), simulate.ClassArray(s.Policy), simulate.IntervalArray(s.Policy),
	} {
		data, ok := s.Result.Arrays[array]
		if !ok {
			return errors.New("the availabilities of the requests are not at hand: there are too many, or the result was saved; run it again")
		}
		name, _, _ := strings.Cut(array, "/")
		files[prefix+name] = data
	}
	return nil
}

// Pair compares two policies request by request. Classes of the query may be
// left out.
func (p *Pool) Pair(ctx context.Context, first, second Side, q simulate.PairQuery) (*simulate.Pair, error) {
	if q.Classes == nil {
		q.Classes = first.Result.Report.QoS.Classes
	}
	files := map[string]Blob{}
	if err := first.arrays(files, FirstSide); err != nil {
		return nil, err
	}
	if err := second.arrays(files, SecondSide); err != nil {
		return nil, err
	}
	answer, err := p.ask(ctx, Head{Method: MethodPair}, q, files, nil)
	if err != nil {
		return nil, err
	}
	var pair simulate.Pair
	return &pair, answer.DecodeBody(&pair)
}

// Strips returns the availability of each request under a policy. Classes of
// the query may be left out.
func (p *Pool) Strips(ctx context.Context, side Side, q simulate.StripsQuery) ([]simulate.Strip, error) {
	if q.Classes == nil {
		q.Classes = side.Result.Report.QoS.Classes
	}
	files := map[string]Blob{}
	if err := side.arrays(files, FirstSide); err != nil {
		return nil, err
	}
	answer, err := p.ask(ctx, Head{Method: MethodStrips}, q, files, nil)
	if err != nil {
		return nil, err
	}
	var strips []simulate.Strip
	return strips, answer.DecodeBody(&strips)
}

// Timeline returns where each instance of a small run was at each time.
func (p *Pool) Timeline(ctx context.Context, r *Result, q simulate.TimelineQuery) (*simulate.Timeline, error) {
	var t simulate.Timeline
	_, err := question(ctx, p, r, MethodTimeline, q, &t)
	return &t, err
}

// Why answers why a request got its host, or none.
func (p *Pool) Why(ctx context.Context, r *Result, q simulate.WhyQuery) (*simulate.Why, error) {
	var w simulate.Why
	_, err := question(ctx, p, r, MethodWhy, q, &w)
	return &w, err
}

// List returns what became of each request under a policy, as a file.
func (p *Pool) List(ctx context.Context, r *Result, q simulate.ListQuery) (File, error) {
	var answer ExportAnswer
	files, err := question(ctx, p, r, MethodList, q, &answer)
	return File{Name: answer.Name, Type: answer.Type, Data: files[DataFile]}, err
}
