package qos

import (
	"bytes"
	"context"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/figure"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

func (v *View) exportMenu() app.UI {
	if v.result == nil {
		return app.Text("")
	}
	exports := []lab.Export{
		v.Exports.SaveReport("json", ".report.json"),
		v.table(qoskind.FiguresTable),
		v.Exports.SavePage(".report.html", lab.ChartsOnScreen),
		{Name: "requests", Label: "Requests as CSV, with penalties", Do: v.exportRequests},
	}
	if len(v.charts.drawn().controllerRows) > 0 {
		exports = slices.Insert(exports, 2, v.table(qoskind.ControllersTable))
	}
	return v.Exports.Menu(exports...)
}

func (v *View) table(t figure.Listing) lab.Export {
	return v.Exports.SaveTable(t, v.result.report(), "."+t.Name+".csv")
}

func (v *View) exportRequests() {
	all := v.result.there()
	v.Exports.Export(v.Exports.FileName(".requests.csv"), func(ctx context.Context) (*scenario.Export, error) { return v.requestList(ctx, all) })
}

// requestList writes a CSV line for each policy and request; it blocks.
func (v *View) requestList(ctx context.Context, runs []*run) (*scenario.Export, error) {
	var all []byte
	for _, one := range runs {
		file, err := bridge.Ask(ctx, v.Engine, one.Result, qoskind.ListQuestion, qoskind.PolicyQuery{})
		if err != nil {
			return nil, err
		}
		data := file.Data
		if len(all) > 0 { // keep only the header of the first result
			_, data, _ = bytes.Cut(data, []byte("\n"))
		}
		all = append(all, data...)
	}
	return &scenario.Export{Type: "text/csv", Data: all}, nil
}
