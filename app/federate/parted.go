package federate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/wasm/bridge"
)

// parted finds the tasks that two schedulers start on different workers.
func (v *View) parted(mine, other int) func(context.Context) ([]lab.Parted, error) {
	all := v.result.report().Schedulers
	if max(mine, other) >= len(all) {
		return func(context.Context) ([]lab.Parted, error) { return nil, nil }
	}
	names := [2]string{all[mine].Name, all[other].Name}
	runs := [2]*bridge.Result{v.result.run(names[0]), v.result.run(names[1])}
	why := func(task int) {
		v.showScheduler(names[0])
		v.Tab = ui.PaneWhy
		v.why.explainTask(task)
	}
	workers := v.result.workers()
	return func(ctx context.Context) ([]lab.Parted, error) {
		if workers > federatekind.MaxPlayedWorkers {
			return nil, fmt.Errorf("decisions are compared in runs of up to %d workers", federatekind.MaxPlayedWorkers)
		}
		var started [2][]int32
		for i, run := range runs {
			if run == nil {
				return nil, errors.New("one of the two did not run")
			}
			p, err := bridge.Ask(ctx, v.Engine, run, federatekind.PlaybackQuestion, federatekind.SchedulerQuery{})
			if err != nil {
				return nil, err
			}
			started[i] = workersOf(p)
		}
		return partedTasks(started, why), nil
	}
}

// workersOf returns the worker on which each task of a run started; −1 for a task that
// never started.
func workersOf(p *federatekind.Playback) []int32 {
	workers := slices.Repeat([]int32{-1}, len(p.Job))
	for i, task := range p.Thing {
		if federate.Action(p.What[i]) == federate.Started && int(task) < len(workers) && task >= 0 {
			workers[task] = p.On[i]
		}
	}
	return workers
}

func partedTasks(started [2][]int32, why func(task int)) (all []lab.Parted) {
	on := func(worker int32) string {
		if worker < 0 {
			return "not started"
		}
		return "worker " + ui.Count(int64(worker+1))
	}
	for task := range min(len(started[0]), len(started[1])) {
		here, there := started[0][task], started[1][task]
		if here != there {
			all = append(all, lab.Parted{
				Thing: "task " + ui.Count(int64(task+1)), Under: [2]string{on(here), on(there)}, Why: func() { why(task) },
			})
		}
	}
	return all
}
