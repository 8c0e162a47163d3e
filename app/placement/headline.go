package placement

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"berth/app/lab"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
)

// headline is the sentence that the status line and the result begin with; the
// cost is that of the result, "" where there is none to speak of.
func (v *View) headline() (text, cost string) {
	if pending := v.Pending(v.runLabel()); pending != "" {
		return pending, ""
	}
	s := v.result.report(v.shown)
	text, cost = v.result.stop(), price(s.Total.Total)
	return text + outcome(s, placementkind.ReportOf(v.result.first.Report).Deployments), cost
}

// stop says of a comparison that was stopped how much of it there is.
func (r *result) stop() string {
	if !r.Stopped || !r.Partial() {
		return ""
	}
	ran, runs := 0, 0
	for i, run := range r.Inputs.options.Strategies {
		if runs += max(1, run.Seeds); r.report(i) != nil {
			ran += r.report(i).Seeds
		}
	}
	return fmt.Sprintf("Partial: stopped by you after %s of %s · ", ui.Count(int64(ran)), ui.Counted(runs, "run"))
}

// runLabel is what is done while a run is under way.
func (v *View) runLabel() string { return "Running " + v.Inputs.strategy() }

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
func outcome(s *placementkind.StrategyReport, sizes []placementkind.DeploymentSummary) string {
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
	line := fmt.Sprintf("placed %s of %s", ui.Count(int64(jobs)), ui.Counted(all, "job"))
	if len(sizes) > 1 {
		line += fmt.Sprintf(", %d of %d deployments", placed, len(sizes))
	}
	if placed < len(sizes) {
		return "incomplete: " + line
	}
	return line
}

// complete reports whether a strategy placed every deployment.
func complete(s *placementkind.StrategyReport) bool {
	return !slices.ContainsFunc(s.Deployments, func(d placementkind.DeploymentReport) bool { return d.Status != placement.Placed })
}

// mark is how the state of the shown result is drawn, as the states of the
// status line: one that is done may still have left deployments unplaced.
func (v *View) mark() string {
	if v.Phase == lab.Done && (v.result.stop() != "" || !complete(v.result.report(v.shown))) {
		return shell.Partial
	}
	return string(v.Phase)
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
