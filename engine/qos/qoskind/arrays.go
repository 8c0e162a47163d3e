package qoskind

import (
	"encoding/binary"
	"fmt"
	"slices"

	"berth/engine/qos"
)

// MaxArray limits the number of requests whose availabilities are passed to the page, which keeps
// five bytes for each in memory.
const MaxArray = 30_000_000

// The names of the arrays of a policy, which is given by its index in the report.
func AvailabilityArray(policy int) string { return fmt.Sprintf("availability/%d", policy) }
func ClassArray(policy int) string        { return fmt.Sprintf("class/%d", policy) }
func IntervalArray(policy int) string     { return fmt.Sprintf("intervals/%d", policy) }

// Arrays returns the results of the first seed that are too long for the report, as little-endian
// bytes by name:
//
//   - the availability of each request in order of arrival, uint32 in units of
//     1/qos.AvailabilityUnit;
//   - the class of each request, uint8, as an index into the classes of the report;
//   - the intervals of figure 9, float64: the end in seconds, and for each class the number of
//     requests, how many met their SLO, the lowest availability and the Gini coefficient.
//
// It omits policies with more than [MaxArray] requests.
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
		arrays[AvailabilityArray(i)], arrays[ClassArray(i)], arrays[IntervalArray(i)] = pack(availability), class, pack(intervals)
	}
	return arrays
}

func pack[T uint32 | float64](array []T) []byte {
	packed, _ := binary.Append([]byte{}, binary.LittleEndian, array)
	return packed
}

// unpack decodes an array of little-endian values. It ignores an incomplete value at the end.
func unpack[T uint32 | float64](packed []byte) []T {
	array := make([]T, len(packed)/binary.Size(T(0)))
	_, _ = binary.Decode(packed, binary.LittleEndian, array)
	return array
}

// unpackIntervals decodes an array of intervals with the given number of classes.
func unpackIntervals(packed []byte, classes int) (intervals []qos.Interval) {
	size := 1 + 4*classes
	for all := unpack[float64](packed); len(all) >= size; all = all[size:] {
		in := qos.Interval{End: toTime(all[0])}
		for f := range slices.Chunk(all[1:size], 4) {
			in.Classes = append(in.Classes, qos.Fairness{Requests: int(f[0]), Fulfilled: int(f[1]), Min: f[2], Gini: f[3]})
		}
		intervals = append(intervals, in)
	}
	return intervals
}
