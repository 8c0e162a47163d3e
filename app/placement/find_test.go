package placement

import (
	"fmt"
	"slices"
	"testing"

	"berth/engine/placement/drawing"
)

// crowded returns an overview with a number of jobs on four clusters.
func crowded(jobs int) drawing.Overview {
	o := drawing.Overview{Resources: []string{"cpu", "memory"}, Jobs: []drawing.JobUses{{Share: [][]float64{nil, nil}}}}
	for j := range 4 {
		o.Clusters = append(o.Clusters, drawing.ClusterUse{ID: fmt.Sprint("c", j), Name: fmt.Sprint("City ", j), Share: make([]float64, 2), Words: make([]string, 2)})
	}
	d := &o.Jobs[0]
	for i := range jobs {
		on := i % 3
		d.IDs, d.Names, d.Cluster = append(d.IDs, fmt.Sprint("j", i)), append(d.Names, fmt.Sprint("Job ", i)), append(d.Cluster, int32(on))
		for r := range d.Share {
			share := float64(1+on) / float64(4*jobs) * float64(1+r)
			d.Share[r] = append(d.Share[r], share)
			o.Clusters[on].Share[r] += share
		}
		o.Clusters[on].Jobs++
	}
	return o
}

func TestSearch(t *testing.T) {
	o := crowded(200)
	for text, want := range map[string][]string{
		"job 7":    {"job-0-7", "job-0-70", "job-0-71"},
		"/JOB 199": {"job-0-199"},
		"j199":     {"job-0-199"},
		" city 3 ": {"cluster-3"},
		"c2":       {"cluster-2"},
		"none":     nil,
	} {
		if got := search(o, text); !slices.Equal(got[:min(len(got), 3)], want) {
			t.Errorf("%q finds %v, want %v first", text, got, want)
		}
	}
	if got := search(o, "o"); len(got) != mostFound {
		t.Errorf("%d are listed", len(got))
	}
	// Typing does not wait for entries that are not listed.
	many := crowded(10_000)
	if n := testing.AllocsPerRun(2, func() { search(many, "job 6666") }); n > 11_000 {
		t.Errorf("a key costs %v allocations among 10,000 jobs: more than one for the letters of each", n)
	}
	names := overview{Overview: o}
	for id, want := range map[string]string{"job-0-199": "job Job 199 on City 1", "cluster-3": "cluster City 3", "job-0-200": "", "job-7-0": "", "cluster-4": "", "link-0": ""} {
		if got := names.nameOf(id); got != want {
			t.Errorf("%s is called %q, want %q", id, got, want)
		}
	}
}
