package workload

import (
	"fmt"
	"slices"
	"testing"

	"berth/engine/sim"
)

// A window keeps the same jobs of tasks and of requests.
func TestWindow(t *testing.T) {
	load := &Tasks{}
	var requests []Request
	for k := range 10 {
		at := 100 + 10*k
		load.Jobs = append(load.Jobs, TaskJob{Arrival: sim.Nanoseconds(at) * 1e9, First: int32(2 * k), Count: 2})
		load.Durations = append(load.Durations, sim.Nanoseconds(k), sim.Nanoseconds(k+100))
		load.KindOf = append(load.KindOf, 0, 0)
		requests = append(requests, Request{ID: fmt.Sprint(k), Submit: sim.Milliseconds(at) * sim.Second})
	}
	for _, test := range []struct {
		window Window
		want   []int
	}{
		{Window{}, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{Window{First: 3}, []int{0, 1, 2}},
		{Window{From: 20, To: 50}, []int{2, 3, 4}},
		{Window{From: 70}, []int{7, 8, 9}},
		{Window{Every: 4}, []int{0, 4, 8}},
		{Window{From: 10, Every: 3, First: 2}, []int{1, 4}},
		{Window{From: 1000}, nil},
	} {
		part := test.window.Of(load)
		var got []int
		for i, job := range part.Jobs {
			k := int(part.Durations[job.First])
			if int(part.Durations[job.First+1]) != k+100 || job.First != int32(2*i) {
				t.Errorf("%+v: job %d has other tasks", test.window, i)
			}
			got = append(got, k)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%+v keeps the jobs %v, want %v", test.window, got, test.want)
		}
		kept, err := ReadAll(test.window.Requests(&Slice{Requests: slices.Clone(requests)}))
		if len(kept) != len(test.want) || err != nil {
			t.Fatalf("%+v keeps %d requests, want %d; %v", test.window, len(kept), len(test.want), err)
		}
		for i, r := range kept {
			if r.ID != fmt.Sprint(test.want[i]) {
				t.Errorf("%+v: request %d is %s, want %d", test.window, i, r.ID, test.want[i])
			}
		}
	}
	for _, wrong := range []Window{{First: -1}, {Every: -1}, {From: -1}, {To: -1}, {From: 5, To: 5}} {
		if wrong.Check() == nil {
			t.Errorf("%+v is taken", wrong)
		}
	}
}
