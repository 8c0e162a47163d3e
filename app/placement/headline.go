package placement

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/scenario"
)

// headline is the sentence that the status line and the result begin with; the
// cost is that of the result, "" where there is none to speak of.
func (v *View) headline() (text, cost string) {
	switch {
	case v.phase == running:
		return "Running " + v.inputs.strategy(), ""
	case v.phase == failed:
		return "The run failed; what is shown belongs to earlier inputs.", ""
	case v.waitsForRun():
		return "Changed. The last run was long, so this one waits for Run.", ""
	case v.result == nil:
		return missing(v.inputs), ""
	case v.phase == idle:
		return "Changed.", ""
	}
	s := v.result.report(v.shown)
	return outcome(s, v.result.first.Report.Placement.Deployments), price(s.Total.Total)
}

// costLead stands between the outcome and its cost; no line ends within it.
const costLead = " ·\u00a0cost\u00a0"

// sentence is the headline as one text.
func (v *View) sentence() string {
	text, cost := v.headline()
	if cost == "" {
		return text
	}
	return text + costLead + cost
}

// outcome says in one line how a strategy did.
func outcome(s *scenario.StrategyReport, sizes []scenario.DeploymentSummary) string {
	if d := s.Deployments[0]; len(s.Deployments) == 1 && d.Status != placement.Placed {
		return fmt.Sprintf("not placed: %s: %s", statusText(d.Status), d.Reason)
	}
	jobs, placed, all := 0, 0, 0
	for i, d := range s.Deployments {
		all += sizes[i].Jobs
		if d.Status == placement.Placed {
			jobs += sizes[i].Jobs
			placed++
		}
	}
	line := fmt.Sprintf("placed %s of %s jobs", ui.Count(int64(jobs)), ui.Count(int64(all)))
	if len(sizes) > 1 {
		line += fmt.Sprintf(", %d of %d deployments", placed, len(sizes))
	}
	if placed < len(sizes) {
		return "incomplete: " + line
	}
	return line
}

// complete reports whether a strategy placed every deployment.
func complete(s *scenario.StrategyReport) bool {
	return !slices.ContainsFunc(s.Deployments, func(d scenario.DeploymentReport) bool { return d.Status != placement.Placed })
}

// mark is how the state of the shown result is drawn, as the states of the
// status line: one that is done may still have left deployments unplaced.
func (v *View) mark() string {
	if v.phase == done && !complete(v.result.report(v.shown)) {
		return shell.Partial
	}
	return string(v.phase)
}

// statusText writes a status as people say it.
func statusText(s placement.Status) string { return strings.ReplaceAll(string(s), "-", " ") }

// money writes a price with one decimal, so that the prices of two large
// placements can still be told apart.
func money(v float64) string {
	tenths := int64(math.Round(v * 10))
	if tenths%10 == 0 {
		return ui.Count(tenths / 10)
	}
	return fmt.Sprintf("%s.%d", ui.Count(tenths/10), tenths%10)
}
