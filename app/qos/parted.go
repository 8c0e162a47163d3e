package qos

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/wasm/bridge"
)

// mostCompared limits the requests that are compared one by one.
const mostCompared = 1_000_000

// parted finds the requests whose availability differs between two policies, the
// largest difference first.
func (v *View) parted(mine, other int) func(context.Context) ([]lab.Parted, error) {
	there := v.result.there()
	if max(mine, other) >= len(there) {
		return func(context.Context) ([]lab.Parted, error) { return nil, nil }
	}
	one := there[mine]
	of := [2]*bridge.Result{there[mine].Result, there[other].Result}
	report := v.result.report()
	why := func(request int) { v.whyRequest(one, request) }
	return func(ctx context.Context) ([]lab.Parted, error) {
		var available [2][]uint32
		for i, run := range of {
			array, ok := run.Arrays[qoskind.OutcomeArray(0)]
			if !ok || report.Policies[mine].Run.Requests > mostCompared {
				return nil, fmt.Errorf("requests are compared one by one in new runs of up to %s", ui.Count(mostCompared))
			}
			data, err := array.Bytes(ctx)
			if err != nil {
				return nil, err
			}
			outcomes, err := qoskind.ReadOutcomes(report.Classes, data)
			if err != nil {
				return nil, err
			}
			available[i], _ = outcomes.Arrays()
		}
		return partedRequests(available, why), nil
	}
}

// partedRequests lists the requests whose availabilities differ, the largest difference first.
// Availabilities are multiples of 1/[qos.AvailabilityUnit].
func partedRequests(available [2][]uint32, why func(request int)) []lab.Parted {
	var requests []int
	for i := range min(len(available[0]), len(available[1])) {
		if available[0][i] != available[1][i] {
			requests = append(requests, i)
		}
	}
	apart := func(i int) uint32 {
		return max(available[0][i], available[1][i]) - min(available[0][i], available[1][i])
	}
	slices.SortStableFunc(requests, func(a, b int) int { return cmp.Compare(apart(b), apart(a)) })
	all := make([]lab.Parted, len(requests))
	for i, request := range requests {
		percent := func(side int) string {
			return ui.Percent(float64(available[side][request]) / qos.AvailabilityUnit)
		}
		all[i] = lab.Parted{Thing: "request " + ui.Count(int64(request+1)), Under: [2]string{"available " + percent(0), percent(1)}, Why: func() { why(request) }}
	}
	return all
}

// whyRequest explains the first decision about a request under a policy, once the
// policy's timeline has arrived.
func (v *View) whyRequest(one *run, request int) {
	v.Tab = ui.PaneWhy
	v.why.follow(one)
	v.why.of, v.why.request = nil, request+1
}
