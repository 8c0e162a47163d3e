package scenario

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"

	"berth/engine/diag"
	"berth/engine/show"
)

// MaxReport is the maximum size of a report in bytes.
const MaxReport = 256 << 20

// Checked is a body with invariants beyond its types, such as lengths that must agree.
type Checked interface {
	Check(path string, t *Timings, p *Problems)
}

// DecodeReport reads a report from any source as strictly as [Decode] reads a scenario.
// Its error is an [*InputError] with the position of every error.
func DecodeReport(data []byte) (*Report, error) {
	if err := checkJSON(data, MaxReport, "a report of berth run"); err != nil {
		return nil, err
	}
	var found Problems
	var head struct {
		Version json.RawMessage `json:"version"`
		Kind    any             `json:"kind"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		_, words := diag.JSONFault(data, err)
		return nil, textError(data, diag.JSONOffset(data, err), notReport, words)
	}
	name, _ := head.Kind.(string)
	kind, known := Lookup(name)
	switch version := string(head.Version); {
	case !known:
		found.Add("kind", diag.UnknownOf, "kind", Shorten(name), kindNames())
	case version != strconv.Itoa(Version):
		found.Add("version", reportVersion, Shorten(cmp.Or(version, "none")), Version)
	}
	if len(found.List) > 0 {
		locate(data, found.List)
		return nil, found.Err()
	}
	r := &Report{}
	bodies := map[string]reflect.Type{kind.Name: reflect.TypeOf(kind.Report()).Elem()}
	return r, decodeChecked(data, r, bodies, func(p *Problems) {
		if body, ok := r.Body.(Checked); ok {
			body.Check(kind.Name, r.Timings, p)
		}
	})
}

// DecodeChecked decodes JSON text into a value. The text must have all fields of the type, and
// check adds further errors. expected describes the text for messages. The error is an
// *[InputError].
func DecodeChecked(data []byte, expected string, to any, check func(*Problems)) error {
	if err := checkJSON(data, MaxReport, expected); err != nil {
		return err
	}
	return decodeChecked(data, to, nil, check)
}

// decodeChecked is [DecodeChecked] for valid JSON with more fields at the top.
func decodeChecked(data []byte, to any, more map[string]reflect.Type, check func(*Problems)) error {
	var found Problems
	found.hasShape(data, reflect.TypeOf(to).Elem(), more)
	if len(found.List) == 0 {
		if err := json.Unmarshal(data, to); err != nil {
			return wrongJSON(data, err)
		}
		check(&found)
	}
	locate(data, found.List)
	return found.Err()
}

// Fits checks that a list has as many entries as another.
func (p *Problems) Fits(path string, found, want int, of string) {
	if found != want {
		p.Add(path, entryCount, show.Count(found, "entry"), want, of)
	}
}

// Times checks that timings, if any, have this number of subjects, each with this number of runs,
// or with at least one run if each is 0.
func (p *Problems) Times(field string, times [][]float64, subjects, each int) {
	path := "timings." + field
	p.Fits(path, len(times), subjects, "there are subjects")
	for i, t := range times {
		if at := fmt.Sprintf("%s[%d]", path, i); each > 0 {
			p.Fits(at, len(t), each, "there are deployments")
		} else if len(t) == 0 {
			p.Add(at, noTime)
		}
	}
}
