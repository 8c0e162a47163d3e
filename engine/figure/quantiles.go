package figure

import (
	"bytes"
	"encoding/json"
	"slices"

	"berth/engine/stats"
)

// Percentile is a quantile that reports include.
type Percentile struct {
	Name  string  // in JSON: "p999"
	Label string  // in tables: "p99.9"
	Title string  // in sentences: "99.9th percentile"
	P     float64 // 0 for the smallest value to 1 for the largest
}

// Quantiles has the mean and some quantiles of a distribution. In JSON it is an object with the
// names of the percentiles.
type Quantiles struct {
	Mean Number
	All  []NamedNumber // in the order of the JSON, including the mean
}

// NamedNumber is a number with its name.
type NamedNumber struct {
	Name  string
	Value Number
}

// QuantilesOf returns the mean and the percentiles of values. It sorts the values in place.
func QuantilesOf(values []float64, percentiles []Percentile) Quantiles {
	q := Quantiles{Mean: Number(stats.Mean(values))}
	q.All = append(q.All, NamedNumber{"mean", q.Mean})
	slices.Sort(values)
	for _, p := range percentiles {
		q.All = append(q.All, NamedNumber{p.Name, Number(stats.Quantile(values, p.P))})
	}
	return q
}

// SampleOf is QuantilesOf with two more members: "count", the number of values, and "halfWidth",
// half the width of the 95 % confidence interval of the mean.
func SampleOf(values []float64, percentiles []Percentile) Quantiles {
	q := QuantilesOf(values, percentiles)
	count, halfWidth := NamedNumber{"count", Number(len(values))}, NamedNumber{"halfWidth", Number(stats.HalfWidth95(values))}
	q.All = append([]NamedNumber{count, q.All[0], halfWidth}, q.All[1:]...)
	return q
}

// At returns the quantile with a name, undefined if there is none.
func (q *Quantiles) At(name string) Number {
	for _, one := range q.All {
		if one.Name == name {
			return one.Value
		}
	}
	return Undefined
}

// MarshalJSON implements [json.Marshaler].
func (q Quantiles) MarshalJSON() ([]byte, error) {
	var o Object
	for _, one := range q.All {
		o.Put(one.Name, one.Value)
	}
	return o.MarshalJSON()
}

// UnmarshalJSON implements [json.Unmarshaler].
func (q *Quantiles) UnmarshalJSON(data []byte) error {
	*q = Quantiles{Mean: Undefined}
	d := json.NewDecoder(bytes.NewReader(data))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return json.Unmarshal(data, &struct{}{}) // returns the error for the wrong JSON type
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value Number
		if err := d.Decode(&value); err != nil {
			return err
		}
		q.All = append(q.All, NamedNumber{key.(string), value})
		if key == "mean" {
			q.Mean = value
		}
	}
	return nil
}
