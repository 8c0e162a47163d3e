package qoskind

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"berth/engine/qos"
	"berth/engine/show"
)

// Sentences sums the result up in words: for how many requests each policy kept the SLO,
// by how much it was missed, why, and what would help.
func (r *Report) Sentences() (headline string, details []string) {
	if len(r.Policies) == 0 {
		return "", nil
	}
	stopped := ""
	if r.Partial() {
		stopped = "Stopped early: "
	}
	parts := []string{stopped + r.Policies[0].Spoken() + ": " + r.Policies[0].met()}
	if utf8.RuneCountInString(parts[0]) > show.MostHeadline { // the tables have the name, too
		parts[0] = show.Capital(stopped + r.Policies[0].met())
	}
	for i := range r.Policies[1:] {
		p := &r.Policies[i+1]
		parts = append(parts, p.Spoken()+": "+p.count())
	}
	headline, details = show.Headline(parts)
	for _, more := range []string{r.worst(), r.cause()} {
		if more != "" {
			details = append(details, more+".")
		}
	}
	return headline, details
}

// Met reports whether every request met its SLO under every policy.
func (r *Report) Met() bool {
	return !slices.ContainsFunc(r.Policies, func(p PolicyReport) bool { return p.Run.All.Fulfilled < p.Run.All.Requests })
}

// count says for how many requests of how many the SLO was kept.
func (p *PolicyReport) count() string {
	all := &p.Run.All
	switch {
	case all.Requests == 0:
		return "no requests"
	case all.Fulfilled == all.Requests:
		return "all " + show.Group(fmt.Sprint(all.Requests))
	}
	return show.Group(fmt.Sprint(all.Fulfilled)) + " of " + show.Group(fmt.Sprint(all.Requests))
}

// met is count with what is counted.
func (p *PolicyReport) met() string {
	if p.Run.All.Requests == 0 {
		return p.count()
	}
	return p.count() + " " + show.Noun(p.Run.All.Requests, "request") + " met their SLO"
}

// worst says by how much each policy missed an SLO at most, "" if none did.
func (r *Report) worst() string {
	var parts []string
	for i := range r.Policies {
		p := &r.Policies[i]
		if all := &p.Run.All; all.Fulfilled < all.Requests {
			text := fmt.Sprintf("%.3g", 100*float64(all.Deficit.Max))
			if parts == nil {
				text = "Worst case " + text + " percentage points below the SLO"
			}
			if len(r.Policies) > 1 {
				text += " under " + p.Spoken()
			}
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// Spoken is what people call the policy; a variant has its title.
func (p *PolicyReport) Spoken() string {
	if plug, ok := qos.Lookup(p.Name); ok && plug.Title != "" && p.Title == p.Name {
		return plug.Title
	}
	return p.Title
}

// cause says why requests missed their SLO and what would help, "" if none did or
// nothing is known of it.
func (r *Report) cause() string {
	w := &r.Workload
	switch {
	case r.Met() && w.AllCanRun():
		return ""
	case w.Hopeless > 0:
		return show.Group(fmt.Sprint(w.Hopeless)) + " " + show.Verb(w.Hopeless, "fits", "fit") + " no host: " + w.Misfit.text()
	case w.HopelessControllers > 0:
		return "The instances of " + show.Grouped(w.HopelessControllers, "controller") + " fit no host: larger hosts would help"
	}
	return r.shortage()
}

// text compares what does not fit with the hosts.
func (m *Misfit) text() string {
	var over, larger []string
	for _, resource := range []struct {
		name       string
		asked, has float64
	}{{"CPU", m.CPU, m.HostCPU}, {"memory", m.Memory, m.HostMemory}} {
		if resource.asked > resource.has {
			over = append(over, fmt.Sprintf("%s units of %s, hosts have at most %s", show.Figure(resource.asked), resource.name, show.Figure(resource.has)))
			larger = append(larger, resource.name)
		}
	}
	if m.GPUs > m.HostGPUs {
		over = append(over, fmt.Sprintf("%s, hosts have at most %d", show.Count(m.GPUs, "GPU"), m.HostGPUs))
		larger = append(larger, "GPUs")
	}
	if over == nil {
		return "no single host has the CPU, the memory and the attributes that they ask for; hosts with all of them would help"
	}
	return "the largest asks for " + strings.Join(over, ", and for ") + "; hosts with more " + strings.Join(larger, " and ") + " would help"
}

// shortage counts why requests missed their SLO under the first policy under which
// some did, and says how far the hosts fell short of what was asked for at one time.
func (r *Report) shortage() string {
	p := &r.Policies[max(0, slices.IndexFunc(r.Policies, func(p PolicyReport) bool { return p.Run.Missed != Missed{} }))]
	run := &p.Run
	text := "SLO misses under " + p.Spoken() + ": " + run.Missed.text() + ". "
	name, peak, has := "CPU", run.Peak.CPU, r.Hosts.CPU
	if run.Peak.Memory*r.Hosts.CPU > peak*r.Hosts.Memory { // the scarcer of the two
		name, peak, has = "memory", run.Peak.Memory, r.Hosts.Memory
	}
	switch {
	case run.Peak.GPUs > r.Hosts.GPUs:
		return text + fmt.Sprintf("Requests ask for %s at once, and the hosts have %d", show.Count(run.Peak.GPUs, "GPU"), r.Hosts.GPUs)
	case has > 0 && peak > has:
		return text + fmt.Sprintf("The peak needs %.0f\u202f%% more capacity: requests ask for %s units of %s at once, and the hosts have %s",
			max(1, 100*(peak/has-1)), show.Figure(peak), name, show.Figure(has))
	case r.Hosts.Events > 0:
		return text + "Hosts failed or left: spare hosts would help"
	}
	return text + fmt.Sprintf("The hosts have enough capacity in total, but an allocation takes %s\u202fs on average, and some requests need a large or a certain host; faster allocations or more hosts would help", show.Figure(r.Alpha))
}

// text counts what they lost time to.
func (m *Missed) text() string {
	var parts []string
	for _, x := range []struct {
		n    int
		what string
	}{{m.Preempted, "preempted"}, {m.NeverRan, "never ran"}, {m.Late, "waited too long"}} {
		if x.n > 0 {
			parts = append(parts, show.Group(fmt.Sprint(x.n))+" "+x.what)
		}
	}
	return strings.Join(parts, ", ")
}
