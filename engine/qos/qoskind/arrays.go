package qoskind

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"berth/engine/qos"
)

// MaxArray limits the number of requests whose availabilities are passed to the page, which keeps
// five bytes for each in memory.
const MaxArray = 30_000_000

// OutcomeArray returns the name of the array of a policy, which is given by its index in the
// report.
func OutcomeArray(policy int) string { return fmt.Sprintf("outcomes/%d", policy) }

// Arrays returns the results of the first seed that are too long for the report, by policy; see
// [ReadOutcomes]. It omits policies with more than [MaxArray] requests.
func (e *Prepared) Arrays() map[string][]byte {
	arrays := map[string][]byte{}
	for i, r := range e.result {
		if r.Requests > MaxArray {
			continue
		}
		availability, class := r.Arrays()
		var intervals []float64
		for _, in := range r.Intervals {
			intervals = append(intervals, seconds(in.End))
			for _, f := range in.Classes {
				intervals = append(intervals, float64(f.Requests), float64(f.Fulfilled), f.Min, f.Gini)
			}
		}
		var packed []byte
		for _, part := range []any{uint32(len(class)), availability, class, intervals} {
			packed, _ = binary.Append(packed, binary.LittleEndian, part)
		}
		arrays[OutcomeArray(i)] = packed
	}
	return arrays
}

// ReadOutcomes reads an array of [Prepared.Arrays] for the classes of the report. The array has,
// little-endian:
//
//   - the number of requests, uint32;
//   - the availability of each request in order of arrival, uint32 in units of
//     1/qos.AvailabilityUnit;
//   - the class of each request, uint8, as an index into the classes;
//   - the intervals of figure 9, float64: the end in seconds, and for each class the number of
//     requests, how many met their SLO, the lowest availability and the Gini coefficient.
func ReadOutcomes(classes []qos.Class, packed []byte) (*qos.Result, error) {
	var n uint32
	if _, err := binary.Decode(packed, binary.LittleEndian, &n); err != nil || len(packed) < 4+5*int(n) {
		return nil, errors.New("the array of outcomes is incomplete")
	}
	availability, class := make([]uint32, n), packed[4+4*n:4+5*n]
	_, _ = binary.Decode(packed[4:], binary.LittleEndian, availability)
	if slices.ContainsFunc(class, func(class byte) bool { return int(class) >= len(classes) }) {
		return nil, errors.New("the array of outcomes has a class that the report has not")
	}
	r := qos.FromArrays(classes, availability, class)
	rest := packed[4+5*n:]
	numbers, size := make([]float64, len(rest)/8), 1+4*len(classes)
	_, _ = binary.Decode(rest, binary.LittleEndian, numbers)
	for ; len(numbers) >= size; numbers = numbers[size:] {
		in := qos.Interval{End: toTime(numbers[0])}
		for f := range slices.Chunk(numbers[1:size], 4) {
			in.Classes = append(in.Classes, qos.Fairness{Requests: int(f[0]), Fulfilled: int(f[1]), Min: f[2], Gini: f[3]})
		}
		r.Intervals = append(r.Intervals, in)
	}
	return r, nil
}
