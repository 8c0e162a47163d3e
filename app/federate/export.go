package federate

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/federate/federatekind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

func (v *View) exportMenu() app.UI {
	if v.result == nil {
		return app.Text("")
	}
	var entries []lab.Export
	for _, t := range federatekind.Tables {
		entries = append(entries, v.Exports.SaveTable(t, v.result.report(), "-"+t.Name+".csv"))
	}
	if run := v.run(); run != nil {
		entries = append(entries, lab.Export{Name: "tasks", Label: "Every task under " + v.scheduler().Name + " as CSV", Do: func() {
			v.Exports.Export("", func(ctx context.Context) (*scenario.Export, error) {
				return bridge.Ask(ctx, v.Engine, run, federatekind.TasksQuestion, federatekind.SchedulerQuery{})
			})
		}})
	}
	return v.Exports.Menu(append(entries, v.Exports.SaveReport("report", "-report.json"), v.Exports.SavePage("-report.html", lab.ChartsOnScreen))...)
}
