package bridge

import (
	"context"

	"berth/engine/scenario/federate"
)

// The methods of scenarios of kind "federate".
const (
	MethodSurvey   Method = "survey"
	MethodPlayback Method = "playback"
	MethodTask     Method = "task"
)

// ColumnsFile is the file of the answer to playback; see federate.Playback.
const ColumnsFile = "columns"

// Survey reads the trace of a scenario without running it and tells what there
// is to do, and what never can be; the report has no schedulers.
func (p *Pool) Survey(ctx context.Context, in Input) (*federate.Report, error) {
	r := &federate.Report{}
	_, err := p.about(ctx, MethodSurvey, in, nil, r)
	return r, err
}

// Playback returns everything that happened under one scheduler of a small run.
func (p *Pool) Playback(ctx context.Context, r *Result, q federate.PlaybackQuery) (*federate.Playback, error) {
	played := &federate.Playback{}
	files, err := question(ctx, p, r, MethodPlayback, q, played)
	if err != nil {
		return nil, err
	}
	data, err := files[ColumnsFile].Bytes(ctx)
	if err != nil {
		return nil, err
	}
	return played, played.Unpack(data)
}

// Task returns what happened to one task under one scheduler.
func (p *Pool) Task(ctx context.Context, r *Result, q federate.TaskQuery) (*federate.TaskReport, error) {
	t := &federate.TaskReport{}
	_, err := question(ctx, p, r, MethodTask, q, t)
	return t, err
}
