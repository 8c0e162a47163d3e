package placementkind

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"berth/engine/placement"
	"berth/engine/show"
)

// Sentences says in words the result of the first strategy: how many jobs it placed
// and at what cost, and if not all, why not.
func (r *Report) Sentences() (headline string, details []string) {
	if len(r.Strategies) == 0 {
		return "", nil
	}
	text, why := r.Outcome(&r.Strategies[0])
	if cost := r.Strategies[0].Total.Total; cost != nil {
		text += " · cost " + Money(*cost)
	}
	if why != "" {
		details = append(details, show.Capital(why)+".")
	}
	return text + r.Unknown(&r.Strategies[0]), details
}

// Unknown says behind an outcome that the cost is not known, and why; "" where it is,
// and where nothing was placed.
func (r *Report) Unknown(s *StrategyReport) string {
	switch missing := r.Federation.Unpriced; {
	case len(missing) == 0 || !slices.ContainsFunc(s.Deployments, func(d DeploymentReport) bool { return d.Placed() }):
		return ""
	case len(missing) == r.Federation.Clusters:
		return "; cost unknown: no prices"
	default:
		return "; cost unknown: " + pricesMissing(missing)
	}
}

// pricesMissing names some of the clusters without prices.
func pricesMissing(ids []string) string {
	const most = 3
	named := make([]string, min(len(ids), most))
	for i := range named {
		named[i] = show.Text(ids[i])
	}
	text := "no prices of " + strings.Join(named, ", ")
	if more := len(ids) - most; more > 0 {
		text += " and " + show.Grouped(more, "more cluster")
	}
	return text
}

// Outcome says how a strategy did with its first seed: how many jobs of how many
// it placed; and why not the others, and what would help.
func (r *Report) Outcome(s *StrategyReport) (text, why string) {
	jobs, placed, all := 0, 0, 0
	var left *DeploymentReport
	for i := range s.Deployments {
		d, n := &s.Deployments[i], r.Deployments[i].Jobs
		all += n
		switch {
		case d.Placed():
			jobs += n
			placed++
		case left == nil:
			left = d
		}
	}
	if left != nil && len(s.Deployments) == 1 {
		return s.first() + "not placed: " + spoken(left.Status), left.why()
	}
	text = s.first() + fmt.Sprintf("placed %s of %s", show.Group(strconv.Itoa(jobs)), show.Grouped(all, "job"))
	if left == nil && s.Seeds < 2 && len(r.Federation.Unpriced) > 0 {
		text = "Placed all " + show.Grouped(all, "job")
	}
	if len(s.Deployments) > 1 {
		text += fmt.Sprintf(", %d of %d deployments", placed, len(s.Deployments))
	}
	if left == nil {
		return text, ""
	}
	return "incomplete: " + text, "The first one not placed is " + show.Text(left.Name) + ": " + left.why()
}

// first says which run it is of, where there were several.
func (s *StrategyReport) first() string {
	if s.Seeds < 2 {
		return ""
	}
	return fmt.Sprintf("with the first of %d seeds ", s.Seeds)
}

// why is the reason with what would help.
func (d *DeploymentReport) why() string {
	switch d.Status {
	case placement.BudgetExhausted:
		return d.Reason + "; more search steps may find one"
	case placement.Infeasible:
		return d.Reason + "; more capacity, or looser bounds on links, would help"
	}
	return d.Reason
}

// spoken writes a status as people say it.
func spoken(s placement.Status) string { return strings.ReplaceAll(string(s), "-", " ") }

// Money writes a price with one decimal, so that the prices of two large
// placements can still be told apart.
func Money(v float64) string {
	return show.Group(strconv.FormatFloat(math.Round(10*v)/10, 'f', -1, 64))
}
