package bridge

import (
	"context"

	"berth/engine/federate/federatekind"
)

// The methods of scenarios of kind "federate".
const (
	MethodSurvey   Method = "survey"
	MethodPlayback Method = "playback"
	MethodTask     Method = "task"
)

// ColumnsFile is the file of the answer to playback; see federatekind.Playback.
const ColumnsFile = "columns"

// Survey reads the trace of a scenario without running it and tells what there
// is to do, and what never can be; the report has no schedulers.
func (p *Pool) Survey(ctx context.Context, in Input) (*federatekind.Report, error) {
	r := &federatekind.Report{}
	_, err := p.about(ctx, MethodSurvey, in, nil, r)
	return r, err
}

// Playback returns everything that happened under one scheduler of a small run.
func (p *Pool) Playback(ctx context.Context, r *Result, q federatekind.PlaybackQuery) (*federatekind.Playback, error) {
	played := &federatekind.Playback{}
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
func (p *Pool) Task(ctx context.Context, r *Result, q federatekind.TaskQuery) (*federatekind.TaskReport, error) {
	t := &federatekind.TaskReport{}
	_, err := question(ctx, p, r, MethodTask, q, t)
	return t, err
}
