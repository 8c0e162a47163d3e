package qoskind

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"berth/engine/qos"
	"berth/engine/scenario"
)

// Side is one run of a comparison: its arrays as returned by [Prepared.Arrays].
type Side struct {
	Availability []byte
	Class        []byte
	Intervals    []byte // optional
}

// Prefixes of the file names of a comparison; see [SideFiles].
const (
	FirstSide  = "first/"
	SecondSide = "second/"
)

// SideFiles maps the names of the files of one side, which begin with prefix, to the arrays of a
// policy, given by its index.
func SideFiles(prefix string, policy int) map[string]string {
	return map[string]string{
		prefix + "availability": AvailabilityArray(policy), prefix + "class": ClassArray(policy), prefix + "intervals": IntervalArray(policy),
	}
}

// sideOf reads the three files of one side, whose names start with prefix.
func sideOf(ctx context.Context, files scenario.Files, prefix string) (side Side, err error) {
	for _, array := range []struct {
		name string
		to   *[]byte
	}{{"availability", &side.Availability}, {"class", &side.Class}, {"intervals", &side.Intervals}} {
		file, ok := files[prefix+array.name]
		if !ok {
			return side, fmt.Errorf("there is no file %s", prefix+array.name)
		}
		*array.to, err = file.Bytes(ctx)
		if err != nil {
			return side, err
		}
	}
	return side, nil
}

// paired returns the result of a policy with the first seed, without instances that have no
// counterpart under other policies: see [qos.Result.Arrays].
func (e *Prepared) paired(policy int) (*qos.Result, error) {
	if policy < 0 || policy >= len(e.result) {
		return nil, fmt.Errorf("there is no policy %d: %d have run, from 0", policy, len(e.result))
	}
	availability, class := e.result[policy].Arrays()
	return qos.FromArrays(e.report.Classes, availability, class), nil
}

func comparePair(ctx context.Context, q PairQuery, files scenario.Files) (*Pair, error) {
	first, err := sideOf(ctx, files, FirstSide)
	if err != nil {
		return nil, err
	}
	second, err := sideOf(ctx, files, SecondSide)
	if err != nil {
		return nil, err
	}
	return Compare(first, second, q)
}

// result converts the arrays to a result.
func (s *Side) result(classes []qos.Class) (*qos.Result, error) {
	if len(s.Availability) != 4*len(s.Class) {
		return nil, errors.New("the arrays of availabilities and of classes do not have the same length")
	}
	if slices.ContainsFunc(s.Class, func(class byte) bool { return int(class) >= len(classes) }) {
		return nil, errors.New("the array of classes has one that the report has not")
	}
	return qos.FromArrays(classes, unpack[uint32](s.Availability), s.Class), nil
}
