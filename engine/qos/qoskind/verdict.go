package qoskind

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"berth/engine/show"
)

// verdict names the best policy, with the figure that decides and its value for the others. An SLO
// is a promise to every request, so the worst case decides. Among policies with the same worst
// case, the number of requests that meet their SLO decides.
func (r *Report) verdict() string {
	all := make([]*PolicyReport, len(r.Policies))
	for i := range all {
		all[i] = &r.Policies[i]
	}
	slices.SortStableFunc(all, (*PolicyReport).compare)
	best := all[0]
	n := slices.IndexFunc(all, func(p *PolicyReport) bool { return best.compare(p) != 0 })
	if n < 0 {
		return best.tie(len(all))
	}
	win, figure := best.count()+" SLOs met", func(p *PolicyReport) string { return show.Group(fmt.Sprint(p.Run.All.Fulfilled)) }
	if best.worstCase() < all[n].worstCase() && best.missed() > 0 {
		win, figure = fmt.Sprintf("worst case %.3g percentage points below the SLO", best.worstCase()), func(p *PolicyReport) string { return fmt.Sprintf("%.3g", p.worstCase()) }
	}
	var others []string
	for _, p := range all[n:] {
		others = append(others, ", "+p.Spoken()+" "+figure(p))
	}
	return show.Fitted(show.Winners(n, func(i int) string { return all[i].Spoken() })+": "+win, others)
}

// tie is the headline about several policies with the same figures.
func (p *PolicyReport) tie(policies int) string {
	if p.missed() == 0 {
		return show.Capital(p.met()) + " under " + show.Every(policies, "policy")
	}
	return show.Fitted(show.Capital(show.Every(policies, "policy"))+" tie: "+p.count()+" SLOs met", []string{fmt.Sprintf(", worst case %.3g percentage points below", p.worstCase())})
}

// compare orders policies, the best first.
func (p *PolicyReport) compare(other *PolicyReport) int {
	return cmp.Or(cmp.Compare(p.worstCase(), other.worstCase()), cmp.Compare(p.missed(), other.missed()))
}

// missed returns the number of requests that did not meet their SLO.
func (p *PolicyReport) missed() int { return p.Run.All.Requests - p.Run.All.Fulfilled }

// worstCase is the largest deficit in percentage points, rounded to three digits as people read it.
func (p *PolicyReport) worstCase() float64 {
	if p.missed() == 0 {
		return 0
	}
	x, _ := strconv.ParseFloat(fmt.Sprintf("%.3g", 100*float64(p.Run.All.Deficit.Max)), 64)
	return x
}
