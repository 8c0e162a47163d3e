package scenario

import (
	"context"
	"errors"

	"berth/engine/scenario/federate"
)

var errNotFederate = errors.New(`only a scenario of kind "federate" can be asked this`)

// Playback returns everything that happened under one scheduler.
func (e *Experiment) Playback(ctx context.Context, q federate.PlaybackQuery) (*federate.Playback, error) {
	if e.federate == nil {
		return nil, errNotFederate
	}
	return e.federate.Playback(ctx, q)
}

// Task returns what happened to one task under one scheduler.
func (e *Experiment) Task(ctx context.Context, q federate.TaskQuery) (*federate.TaskReport, error) {
	if e.federate == nil {
		return nil, errNotFederate
	}
	return e.federate.Task(ctx, q)
}

// exportFederate writes a table of the report, or one of all tasks under the
// scheduler with that number.
func (e *Experiment) exportFederate(q ExportQuery) (name, mime string, data []byte, err error) {
	if e.report == nil {
		return "", "", nil, errors.New("the scenario has not been run")
	}
	switch q.Format {
	case JSON:
		report := *e.report
		report.Timings = nil
		return "berth-federate.json", "application/json", EncodeReport(&report), nil
	case federate.ExportTasks:
		data, err = e.federate.TasksCSV(context.Background(), q.Strategy)
	default:
		data, err = e.report.Federate.Export(q.Format)
	}
	return "berth-federate-" + q.Format + ".csv", "text/csv", data, err
}
