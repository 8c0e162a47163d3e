package qoskind

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"berth/engine/qos"
	"berth/engine/stats"
)

// StripsQuery asks for the availability of each request under a policy with the first seed (figures
// 4 and 5). Policy is an index, from 0.
type StripsQuery struct {
	Policy int
	Max    int // maximum values per class before they are averaged in bins; 0 means 2,000
}

// MaxStrip limits the number of values in a strip.
const MaxStrip = 10_000

// Strip has the availabilities of a class in order of arrival. Mean has one value per request, or
// the means of consecutive requests if there are too many.
type Strip struct {
	Name string
	SLO  float64
	Mean []float64
}

// Strips returns a strip for each class with requests.
func (e *Prepared) Strips(_ context.Context, q StripsQuery) ([]Strip, error) {
	q.Max = cmp.Or(q.Max, 2000)
	if q.Max < 1 || q.Max > MaxStrip {
		return nil, fmt.Errorf("max: found %d, expected 1 to %d", q.Max, MaxStrip)
	}
	r, err := e.paired(q.Policy)
	if err != nil {
		return nil, err
	}
	return stripsOf(r, e.report.Classes, q.Max), nil
}

func stripsOf(r *qos.Result, classes []qos.Class, most int) []Strip {
	values := make([][]float64, len(classes))
	for i := range r.Requests {
		a, class := r.Availability(i)
		values[class] = append(values[class], a)
	}
	strips := []Strip{}
	for i, c := range classes {
		if n := len(values[i]); n > 0 {
			s := Strip{Name: c.Name, SLO: c.SLO}
			for bin := range slices.Chunk(values[i], (n+most-1)/most) {
				s.Mean = append(s.Mean, stats.Mean(bin))
			}
			strips = append(strips, s)
		}
	}
	return strips
}
