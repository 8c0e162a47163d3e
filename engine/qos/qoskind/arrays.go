package qoskind

import (
	"encoding/binary"
	"fmt"
	"math"

	"berth/engine/qos"
)

// MaxArray bounds the requests whose availabilities leave the engine: five bytes
// each stay in the memory of the page that draws them.
const MaxArray = 30_000_000

// The names of the arrays of a policy, from 0 in the order of the report.
func AvailabilityArray(policy int) string { return fmt.Sprintf("availability/%d", policy) }
func ClassArray(policy int) string        { return fmt.Sprintf("class/%d", policy) }
func IntervalArray(policy int) string     { return fmt.Sprintf("intervals/%d", policy) }

// Arrays returns the figures of the first seed that are too long for the report,
// as little-endian bytes by name:
//
//   - the availability of each request in order of arrival, uint32 in parts of
//     qos.AvailabilityUnit;
//   - its class, uint8, by the classes of the report;
//   - the intervals of figure 9, float64: the end in seconds, and for each class
//     requests, fulfilled, least availability and Gini coefficient.
//
// There are none of a policy with more than [MaxArray] requests.
func (e *Prepared) Arrays() map[string][]byte {
	arrays := map[string][]byte{}
	for i, r := range e.result {
		if r.Requests > MaxArray {
			continue
		}
		availability, class := r.Arrays()
		packed := make([]byte, 0, 4*len(availability))
		for _, a := range availability {
			packed = binary.LittleEndian.AppendUint32(packed, a)
		}
		arrays[AvailabilityArray(i)] = packed
		arrays[ClassArray(i)] = class
		arrays[IntervalArray(i)] = packIntervals(r.Intervals)
	}
	return arrays
}

func packIntervals(intervals []qos.Interval) []byte {
	packed := []byte{}
	add := func(x float64) { packed = binary.LittleEndian.AppendUint64(packed, math.Float64bits(x)) }
	for i := range intervals {
		add(seconds(intervals[i].End))
		for _, f := range intervals[i].Classes {
			add(float64(f.Requests))
			add(float64(f.Fulfilled))
			add(f.Min)
			add(f.Gini)
		}
	}
	return packed
}

// unpackIntervals is the inverse, for this number of classes. It omits a damaged end.
func unpackIntervals(packed []byte, classes int) []qos.Interval {
	next := func() float64 {
		x := math.Float64frombits(binary.LittleEndian.Uint64(packed))
		packed = packed[8:]
		return x
	}
	var intervals []qos.Interval
	for size := 8 * (1 + 4*classes); len(packed) >= size; {
		in := qos.Interval{End: toTime(next())}
		for range classes {
			in.Classes = append(in.Classes, qos.Fairness{
				Requests: int(next()), Fulfilled: int(next()), Min: next(), Gini: next(),
			})
		}
		intervals = append(intervals, in)
	}
	return intervals
}
