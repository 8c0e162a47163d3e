package qoskind_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"berth/engine/figure"
	"berth/engine/must"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

func TestSentence(t *testing.T) {
	const header = "id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints\n"
	tests := []struct {
		name, requests, hosts string
		want                  []string
	}{
		{"all met", "a,1,0,100,1,1,bronze,,\n", "name,cpu,memory,attributes\nh,2,2,\n",
			[]string{"All 1 request met their SLO under both policies\nQoS-driven: all 1 request met their SLO · priority-based: all 1."}},
		{"misfits", "a,1,0,100,1,1,bronze,,\nb,2,0,100,1,64,gold,,\nc,3,0,100,1,48,gold,,\n", "name,cpu,memory,attributes\nh,2,32,\n",
			[]string{"Both policies tie: 1 of 3 SLOs met, worst case 100 percentage points below\nQoS-driven: 1 of 3 requests met their SLO · priority-based: 1 of 3.",
				"2 fit no host: the largest asks for 64 units of memory, hosts have at most 32; hosts with more memory would help."}},
		{"two resources", "a,1,0,100,3,1,bronze,,\nb,2,0,100,1,64,gold,,\n", "name,cpu,memory,attributes\nh,2,32,\n",
			[]string{"3 units of CPU, hosts have at most 2, and for 64 units of memory, hosts have at most 32; hosts with more CPU and memory"}},
		{"attributes", "a,1,0,100,1,1,bronze,,gpu=yes\n", "name,cpu,memory,attributes\nh,2,32,\n",
			[]string{"1 fits no host: no single host has the CPU, the memory and the attributes"}},
		{"shortage", "a,1,0,300,2,1,gold,,\nb,2,0,300,2,1,gold,,\n", "name,cpu,memory,attributes\nh,2,32,\n",
			[]string{"0 of 2 requests met", "SLO misses under QoS-driven: 2 preempted. The peak needs 100\u202f% more capacity: requests ask for 4 units of CPU at once, and the hosts have 2."}},
		// The series has a point every 30 s, and none at a time when both are there.
		{"a peak between points", "a,1,1,10,1,1,gold,,\nb,2,5,10,2,1,gold,,\n", "name,cpu,memory,attributes\nh,2,32,\n",
			[]string{"The peak needs 50\u202f% more capacity: requests ask for 3 units of CPU at once, and the hosts have 2."}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			every := 30.0
			_, r := run(t, &qoskind.Document{
				Workload: text("requests.csv", header+test.requests), Hosts: text("hosts.csv", test.hosts),
				Policies: []qoskind.PolicyRun{{Name: "qos"}, {Name: "priority"}}, Horizon: 600, PointEvery: &every,
			})
			says := said(r)
			for _, want := range test.want {
				if !strings.Contains(says, want) {
					t.Errorf("it says\n%s\nwant %q in it", says, want)
				}
			}
			if (strings.Contains(says, "would help") || strings.Contains(says, "more capacity")) == r.Met() {
				t.Errorf("%q, and met is %v", says, r.Met())
			}
		})
	}
}

// said returns the headline and each detail on its own line.
func said(r *qoskind.Report) string {
	headline, details := r.Sentences()
	return strings.Join(append([]string{headline}, details...), "\n")
}

// A headline omits the name of a policy that does not fit.
func TestAHeadlineFits(t *testing.T) {
	p := qoskind.PolicyReport{Title: strings.Repeat("long ", 20)}
	p.Run.All.Requests, p.Run.All.Fulfilled = 3, 3
	r := &qoskind.Report{Policies: []qoskind.PolicyReport{p}}
	if headline, _ := r.Sentences(); headline != "All 3 requests met their SLO" {
		t.Errorf("it says %q", headline)
	}
	r.Policies[0].Run.Partial = true
	if headline, _ := r.Sentences(); headline != "Stopped early: all 3 requests met their SLO" {
		t.Errorf("of a part it says %q", headline)
	}
}

// The headline about several policies names the winner, by the worst case first, and says how large
// its lead is. It is empty for a run that was stopped.
func TestTheHeadlineNamesTheWinner(t *testing.T) {
	policy := func(name string, fulfilled int, worst float64) (p qoskind.PolicyReport) {
		p.Name, p.Title = name, name
		p.Run.All.Requests, p.Run.All.Fulfilled, p.Run.All.Deficit.Max = 256, fulfilled, figure.Number(worst)
		return p
	}
	stopped := policy("qos", 160, 0.03)
	stopped.Run.Partial = true
	for want, policies := range map[string][]qoskind.PolicyReport{
		"QoS-driven wins: worst case 3 percentage points below the SLO, priority-based 50":        {policy("priority", 200, 0.5), policy("qos", 160, 0.03)},
		"QoS-driven wins: worst case 3 percentage points below the SLO, a 20, priority-based 50":  {policy("priority", 200, 0.5), policy("qos", 160, 0.03), policy("a", 160, 0.2)},
		"priority-based wins: 200 of 256 SLOs met, QoS-driven 160":                                {policy("qos", 160, 1), policy("priority", 200, 1)},
		"priority-based wins: all 256 SLOs met, QoS-driven 160":                                   {policy("qos", 160, 0.03), policy("priority", 256, 0)},
		"a and b win: 200 of 256 SLOs met, QoS-driven 160":                                        {policy("qos", 160, 0.0312349), policy("a", 200, 0.0312351), policy("b", 200, 0.0312350)},
		"a and 2 others win: all 256 SLOs met, QoS-driven 160":                                    {policy("a", 256, 0), policy("b", 256, 0), policy("qos", 160, 0.5), policy("c", 256, 0)},
		"All 3 policies tie: 200 of 256 SLOs met, worst case 20 percentage points below":          {policy("a", 200, 0.2), policy("b", 200, 0.2), policy("c", 200, 0.2)},
		"All 256 requests met their SLO under both policies":                                      {policy("a", 256, 0), policy("b", 256, 0)},
		"Stopped early: QoS-driven: 160 of 256 requests met their SLO · priority-based: all 256":  {stopped, policy("priority", 256, 0)},
		"a wins: worst case 3 percentage points below the SLO, a policy with a very long name 50": {policy("a", 200, 0.03), policy("a policy with a very long name", 160, 0.5), policy("b", 160, 0.6)},
	} {
		if headline, _ := (&qoskind.Report{Policies: policies}).Sentences(); headline != want {
			t.Errorf("it says %q, want %q", headline, want)
		}
	}
}

// Every missed SLO is counted once, by what made the request lose time.
func TestMissesAreCounted(t *testing.T) {
	_, r := run(t, &qoskind.Document{
		Workload: text("requests.csv", "id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints\n"+
			"a,1,0,300,2,1,gold,,\nb,2,10,100,2,1,bronze,,\nc,3,400,900,2,1,gold,,\nd,4,500,100,2,1,bronze,,\n"),
		Hosts: text("hosts.csv", "name,cpu,memory,attributes\nh,2,32,\n"), Policies: []qoskind.PolicyRun{{Name: "priority"}}, Horizon: 600,
	})
	// d waits for 100 s and never runs: 0.5 below its SLO · 100 / 3600 h · 2 CPUs · (1 + 1)
	if got, want := r.Policies[0].Run.Missed, (qos.Missed{NeverRan: 1, Late: 1, Waived: 0.5 * 100 * 2 * 2 / 3600.0}); math.Abs(float64(got.Waived-want.Waived)) > 1e-12 || got.NeverRan != want.NeverRan || got.Late != want.Late {
		t.Errorf("missed: %+v, want %+v", got, want)
	}
	if got := said(r); !strings.Contains(got, "SLO misses under priority-based: 1 never ran, 1 waited too long. "+
		"Requests that never ran owe nothing; charged for the time that they waited, they would owe 0.0556 CPU-hours. The peak needs") {
		t.Errorf("the sentence is %q", got)
	}
}

// A request of duration 0 counts as run once it has ended.
func TestWhatHasEndedHasRun(t *testing.T) {
	_, r := run(t, &qoskind.Document{
		Workload: text("requests.csv", "id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints\n"+
			"a,1,0,100,2,1,gold,,\nb,2,5,0,2,1,bronze,,\nc,3,5,10,64,1,bronze,,\n"),
		Hosts: text("hosts.csv", "name,cpu,memory,attributes\nh,2,32,\n"), Policies: []qoskind.PolicyRun{{Name: "priority"}}, Horizon: 600,
	})
	if got := r.Policies[0].Run.Missed; got.NeverRan != 1 || got.Late != 1 {
		t.Errorf("missed: %+v, want one that never ran and a late one", got)
	}
}

// The page, the JSON and the text say the same.
func TestTheReportSaysTheSentences(t *testing.T) {
	r := must.Get(scenario.Run(t.Context(), scenario.New(qoskind.Name, "", small()), scenario.Env{}))(t)
	headline, details := qoskind.ReportOf(r).Sentences()
	if r.Headline != headline || !slices.Equal(r.Details, details) {
		t.Errorf("the report says %q and %q, want %q and %q", r.Headline, r.Details, headline, details)
	}
	if got := string(r.Text()); !strings.HasPrefix(got, said(qoskind.ReportOf(r))+"\n\n") {
		t.Errorf("the text begins with %.200q", got)
	}
	if got := string(scenario.EncodeReport(r)); !strings.Contains(got, `"headline": "`+r.Headline) {
		t.Errorf("the JSON has no headline: %.300s", got)
	}
}
