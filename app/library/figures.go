package library

import (
	"encoding/json"
	"fmt"
	"strings"

	"berth/app/ui"
	"berth/wasm/store"
)

// digest is the part of a report that the list shows.
type digest struct {
	Placement *struct {
		Deployments []struct {
			Jobs int `json:"jobs"`
		} `json:"deployments"`
		Strategies []struct {
			Strategy    string `json:"strategy"`
			Deployments []struct {
				Status string `json:"status"`
			} `json:"deployments"`
			Total struct {
				Total *float64 `json:"total"`
			} `json:"total"`
		} `json:"strategies"`
	} `json:"placement"`
}

// keyFigures says in a few words what the report of a run holds: "heuristic: 20
// of 20 jobs, cost 2 321". "" stands for none.
func keyFigures(report []byte) string {
	var d digest
	if json.Unmarshal(report, &d) != nil || d.Placement == nil || len(d.Placement.Strategies) == 0 {
		return ""
	}
	first := d.Placement.Strategies[0]
	placed, all := 0, 0
	for i, size := range d.Placement.Deployments {
		all += size.Jobs
		if i < len(first.Deployments) && first.Deployments[i].Status == "placed" {
			placed += size.Jobs
		}
	}
	text := fmt.Sprintf("%s: %s of %s jobs", first.Strategy, ui.Count(int64(placed)), ui.Count(int64(all)))
	if cost := first.Total.Total; cost != nil {
		text += ", cost " + ui.Number(*cost)
	}
	return text
}

// importText says what an import added.
func importText(added store.Imported) string {
	text := fmt.Sprintf("Imported %d saved scenarios and %d of the history; %d were here already.", added.Saved, added.History, added.Known)
	if len(added.Renamed) > 0 {
		text += " Their names were taken, so these are new: " + strings.Join(added.Renamed, ", ") + "."
	}
	return text
}
