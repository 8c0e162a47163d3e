package bridge

import (
	"context"
	"errors"
	"strings"

	"berth/engine/qos/qoskind"
)

// The methods of scenarios of kind "qos".
const (
	MethodInspect  Method = "inspect"
	MethodPair     Method = "pair"
	MethodStrips   Method = "strips"
	MethodShapes   Method = "shapes"
	MethodTimeline Method = "timeline"
	MethodWhy      Method = "why"
	MethodList     Method = "list"
)

// Inspect reads the inputs of a scenario without running it and tells what they
// are; the report has no policies.
func (p *Pool) Inspect(ctx context.Context, in Input) (*qoskind.Report, error) {
	r := &qoskind.Report{}
	_, err := p.about(ctx, MethodInspect, in, nil, r)
	return r, err
}

// Side is a policy of a result, from 0, in a comparison.
type Side struct {
	Result *Result
	Policy int
}

// The parts of the names of files of pair, strips and shapes.
const (
	FirstSide  = "first/"
	SecondSide = "second/"
)

// arrays puts the arrays of a side among the files of a call.
func (s Side) arrays(files map[string]Blob, prefix string) error {
	for _, array := range []string{
		qoskind.AvailabilityArray(s.Policy), qoskind.ClassArray(s.Policy), qoskind.IntervalArray(s.Policy),
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
func (p *Pool) Pair(ctx context.Context, first, second Side, q qoskind.PairQuery) (*qoskind.Pair, error) {
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
	pair := &qoskind.Pair{}
	_, err := p.ask(ctx, Head{Method: MethodPair}, q, files, nil, pair)
	return pair, err
}

// Strips returns the availability of each request under a policy. Classes of
// the query may be left out.
func (p *Pool) Strips(ctx context.Context, side Side, q qoskind.StripsQuery) ([]qoskind.Strip, error) {
	if q.Classes == nil {
		q.Classes = side.Result.Report.QoS.Classes
	}
	files := map[string]Blob{}
	if err := side.arrays(files, FirstSide); err != nil {
		return nil, err
	}
	var strips []qoskind.Strip
	_, err := p.ask(ctx, Head{Method: MethodStrips}, q, files, nil, &strips)
	return strips, err
}

// Shapes returns how the deficits under a policy are spread. Classes of the
// query may be left out.
func (p *Pool) Shapes(ctx context.Context, side Side, q qoskind.ShapesQuery) ([]qoskind.Shape, error) {
	if q.Classes == nil {
		q.Classes = side.Result.Report.QoS.Classes
	}
	files := map[string]Blob{}
	if err := side.arrays(files, FirstSide); err != nil {
		return nil, err
	}
	var shapes []qoskind.Shape
	_, err := p.ask(ctx, Head{Method: MethodShapes}, q, files, nil, &shapes)
	return shapes, err
}

// Timeline returns where each instance of a small run was at each time.
func (p *Pool) Timeline(ctx context.Context, r *Result, q qoskind.TimelineQuery) (*qoskind.Timeline, error) {
	var t qoskind.Timeline
	_, err := question(ctx, p, r, MethodTimeline, q, &t)
	return &t, err
}

// Why answers why a request got its host, or none.
func (p *Pool) Why(ctx context.Context, r *Result, q qoskind.WhyQuery) (*qoskind.Why, error) {
	var w qoskind.Why
	_, err := question(ctx, p, r, MethodWhy, q, &w)
	return &w, err
}

// List returns what became of each request under a policy, as a file.
func (p *Pool) List(ctx context.Context, r *Result, q qoskind.ListQuery) (File, error) {
	var answer ExportAnswer
	files, err := question(ctx, p, r, MethodList, q, &answer)
	return File{Name: answer.Name, Type: answer.Type, Data: files[DataFile]}, err
}
