package qoskind

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/plural"
	"berth/engine/qos"
)

// Sentence sums the result up in words: for how many requests each policy kept the SLO,
// why not for the others, and what would help.
func (r *Report) Sentence() string {
	var parts []string
	for i := range r.Policies {
		parts = append(parts, r.Policies[i].met(i == 0))
	}
	if len(parts) == 0 {
		return ""
	}
	text := strings.Join(parts, " · ")
	if r.Partial() {
		text = "Stopped early: " + text
	}
	if cause := r.cause(); cause != "" {
		text += ". " + cause + "."
	}
	return text
}

// Met reports whether every request met its SLO under every policy.
func (r *Report) Met() bool {
	return !slices.ContainsFunc(r.Policies, func(p PolicyReport) bool { return p.Run.All.Fulfilled < p.Run.All.Requests })
}

// met says for how many requests the SLO was kept, and by how much it was missed
// at most; the first policy also says of what.
func (p *PolicyReport) met(first bool) string {
	all := &p.Run.All
	if all.Requests == 0 {
		return p.Spoken() + ": no requests"
	}
	text := p.Spoken() + ": " + plural.Group(fmt.Sprint(all.Fulfilled)) + " of "
	if all.Fulfilled == all.Requests {
		text = p.Spoken() + ": all "
	}
	if !first {
		text += plural.Group(fmt.Sprint(all.Requests))
	} else {
		text += plural.Counted(all.Requests, "request") + " met their SLO"
	}
	if all.Fulfilled < all.Requests {
		text += fmt.Sprintf(", worst case %.3g percentage points below the SLO", 100*float64(all.Deficit.Max))
	}
	return text
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
		return plural.Group(fmt.Sprint(w.Hopeless)) + " " + plural.Verb(w.Hopeless, "fits", "fit") + " no host: " + w.Misfit.text()
	case w.HopelessControllers > 0:
		return "The instances of " + plural.Counted(w.HopelessControllers, "controller") + " fit no host: larger hosts would help"
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
			over = append(over, fmt.Sprintf("%s units of %s, hosts have at most %s", plural.Figure(resource.asked), resource.name, plural.Figure(resource.has)))
			larger = append(larger, resource.name)
		}
	}
	if m.GPUs > m.HostGPUs {
		over = append(over, fmt.Sprintf("%s, hosts have at most %d", plural.Of(m.GPUs, "GPU"), m.HostGPUs))
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
		return text + fmt.Sprintf("Requests ask for %s at once, and the hosts have %d", plural.Of(run.Peak.GPUs, "GPU"), r.Hosts.GPUs)
	case has > 0 && peak > has:
		return text + fmt.Sprintf("The peak needs %.0f\u202f%% more capacity: requests ask for %s units of %s at once, and the hosts have %s",
			max(1, 100*(peak/has-1)), plural.Figure(peak), name, plural.Figure(has))
	case r.Hosts.Events > 0:
		return text + "Hosts failed or left: spare hosts would help"
	}
	return text + fmt.Sprintf("The hosts have enough capacity in total, but an allocation takes %s\u202fs on average, and some requests need a large or a certain host; faster allocations or more hosts would help", plural.Figure(r.Alpha))
}

// text counts what they lost time to.
func (m *Missed) text() string {
	var parts []string
	for _, x := range []struct {
		n    int
		what string
	}{{m.Preempted, "preempted"}, {m.NeverRan, "never ran"}, {m.Late, "waited too long"}} {
		if x.n > 0 {
			parts = append(parts, plural.Group(fmt.Sprint(x.n))+" "+x.what)
		}
	}
	return strings.Join(parts, ", ")
}
