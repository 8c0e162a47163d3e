package qoskind

import (
	"encoding/binary"
	"errors"

	"berth/engine/qos"
)

// Side is one run of a comparison, as its [Experiment.Arrays] are.
type Side struct {
	Availability []byte
	Class        []byte
	Intervals    []byte // may be nil
}

// result turns the arrays back into a result.
func (s *Side) result(classes []ClassSummary) (*qos.Result, error) {
	if len(s.Availability) != 4*len(s.Class) {
		return nil, errors.New("the arrays of availabilities and of classes do not have the same length")
	}
	availability := make([]uint32, len(s.Class))
	for i := range availability {
		availability[i] = binary.LittleEndian.Uint32(s.Availability[4*i:])
		if int(s.Class[i]) >= len(classes) {
			return nil, errors.New("the array of classes has one that the report has not")
		}
	}
	return qos.FromArrays(tableOf(classes), availability, s.Class), nil
}

// tableOf returns classes with what comparisons need of them.
func tableOf(classes []ClassSummary) []qos.Class {
	var table []qos.Class
	for _, c := range classes {
		table = append(table, qos.Class{Name: c.Name, SLO: c.SLO, Importance: c.Importance})
	}
	return table
}
