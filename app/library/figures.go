package library

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"berth/app/ui"
	"berth/engine/plural"
	"berth/wasm/store"
)

// digest is the part of a report that the list shows: one body, by its kind.
type digest struct {
	Placement *placementDigest `json:"placement"`
	QoS       *qosDigest       `json:"qos"`
	Federate  *federateDigest  `json:"federate"`
}

type placementDigest struct {
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
}

type qosDigest struct {
	Policies []struct {
		Title string `json:"title"`
		Run   struct {
			Requests int64 `json:"requests"`
			All      struct {
				Availability struct {
					Mean *float64 `json:"mean"`
				} `json:"availability"`
			} `json:"all"`
		} `json:"run"`
	} `json:"policies"`
}

type federateDigest struct {
	Schedulers []struct {
		Name       string `json:"name"`
		Tasks      int64  `json:"tasks"`
		Allocation struct {
			P50 *float64 `json:"p50"` // seconds
		} `json:"allocationTime"`
	} `json:"schedulers"`
	Points []struct{} `json:"points"`
}

// keyFigures says in a few words what the report of a run holds: "heuristic: 20
// of 20 jobs, cost 2 321". "" stands for none.
func keyFigures(report []byte) string {
	var d digest
	if json.Unmarshal(report, &d) != nil {
		return ""
	}
	switch {
	case d.Placement != nil && len(d.Placement.Strategies) > 0:
		return d.Placement.figures()
	case d.QoS != nil && len(d.QoS.Policies) > 0:
		return d.QoS.figures()
	case d.Federate != nil:
		return d.Federate.figures()
	}
	return ""
}

func (d *placementDigest) figures() string {
	first := d.Strategies[0]
	placed, all := 0, 0
	for i, size := range d.Deployments {
		all += size.Jobs
		if i < len(first.Deployments) && first.Deployments[i].Status == "placed" {
			placed += size.Jobs
		}
	}
	text := fmt.Sprintf("%s: %s of %s", first.Strategy, ui.Count(int64(placed)), ui.Counted(all, "job"))
	if cost := first.Total.Total; cost != nil {
		text += ", cost " + ui.Number(*cost)
	}
	return text
}

func (d *qosDigest) figures() string {
	first := d.Policies[0]
	text := fmt.Sprintf("%s: %s", first.Title, ui.Counted(first.Run.Requests, "request"))
	if mean := first.Run.All.Availability.Mean; mean != nil {
		text += ", mean availability " + ui.Number(*mean)
	}
	return text
}

func (d *federateDigest) figures() string {
	if n := int64(len(d.Points)); n > 0 {
		return ui.Counted(n, "point") + " of a sweep"
	}
	if len(d.Schedulers) == 0 {
		return ""
	}
	first := d.Schedulers[0]
	text := fmt.Sprintf("%s: %s", first.Name, ui.Counted(first.Tasks, "task"))
	if median := first.Allocation.P50; median != nil {
		text += ", median allocation time " + ui.Duration(time.Duration(*median*float64(time.Second)))
	}
	return text
}

// importText says what an import added.
func importText(added store.Imported) string {
	text := fmt.Sprintf("Imported %s and %d of the history; %d %s here already.",
		plural.Of(added.Saved, "saved scenario"), added.History, added.Known, plural.Verb(added.Known, "was", "were"))
	if len(added.Renamed) > 0 {
		text += " Their names were taken, so these are new: " + strings.Join(added.Renamed, ", ") + "."
	}
	return text
}
