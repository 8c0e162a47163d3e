package qoskind_test

import (
	"strings"
	"testing"

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
			[]string{"QoS-driven: all 1 request met their SLO · priority-based: all 1"}},
		{"misfits", "a,1,0,100,1,1,bronze,,\nb,2,0,100,1,64,gold,,\nc,3,0,100,1,48,gold,,\n", "name,cpu,memory,attributes\nh,2,32,\n",
			[]string{"QoS-driven: 1 of 3 requests met their SLO, missed by up to 100\u202f% · priority-based: 1 of 3", "2 fit no host: the largest asks for 64 units of memory, hosts have at most 32; hosts with more memory would help."}},
		{"two resources", "a,1,0,100,3,1,bronze,,\nb,2,0,100,1,64,gold,,\n", "name,cpu,memory,attributes\nh,2,32,\n",
			[]string{"3 units of CPU, hosts have at most 2, and for 64 units of memory, hosts have at most 32; hosts with more CPU and memory"}},
		{"attributes", "a,1,0,100,1,1,bronze,,gpu=yes\n", "name,cpu,memory,attributes\nh,2,32,\n",
			[]string{"1 fits no host: no host has the CPU, the memory and the attributes"}},
		{"shortage", "a,1,0,300,2,1,gold,,\nb,2,0,300,2,1,gold,,\n", "name,cpu,memory,attributes\nh,2,32,\n",
			[]string{"0 of 2 requests met", "At the peak 4 units of CPU were asked for and the hosts have 2: 100\u202f% more would help."}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			every := 30.0
			_, r := run(t, &qoskind.Document{
				Workload: text("requests.csv", header+test.requests), Hosts: text("hosts.csv", test.hosts),
				Policies: []qoskind.PolicyRun{{Name: "qos"}, {Name: "priority"}}, Horizon: 600, PointEvery: &every,
			})
			for _, want := range test.want {
				if got := r.Sentence(); !strings.Contains(got, want) {
					t.Errorf("the sentence is %q, want %q in it", got, want)
				}
			}
			if strings.Contains(r.Sentence(), "would help") == r.Met() {
				t.Errorf("%q, and met is %v", r.Sentence(), r.Met())
			}
		})
	}
}

// The page, the JSON and the text say the same.
func TestTheReportSaysTheSentence(t *testing.T) {
	r, err := scenario.Run(t.Context(), scenario.New(qoskind.Name, "", small()), scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Headline == "" || r.Headline != qoskind.ReportOf(r).Sentence() {
		t.Errorf("the headline is %q", r.Headline)
	}
	if got := string(r.Text()); !strings.HasPrefix(got, r.Headline+"\n") {
		t.Errorf("the text begins with %.200q", got)
	}
	if got := string(scenario.EncodeReport(r)); !strings.Contains(got, `"headline": "`+r.Headline) {
		t.Errorf("the JSON has no headline: %.300s", got)
	}
}
