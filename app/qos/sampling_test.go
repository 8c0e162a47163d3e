//go:build !js

package qos

import (
	"reflect"
	"strings"
	"testing"

	"berth/app/lab"
	"berth/engine/qos/qoskind"
	"berth/wasm/bridge"
)

// The broker's CSV has users.
const brokerAsks = "0,1,1,ann,0,9,60,-1,1,1,x,1\n1,2,2,bob,0,5,60,-1,1,1,x,0.9\n2,3,3,ann,0,0,60,-1,1,1,x,0.5\n3,4,4,eve,0,0,60,-1,0.5,0.5,x,0.5\n"

func TestSamplingAndAdmissionAreSet(t *testing.T) {
	b := smallQoS(t)
	b.choose(qoskind.WorkloadSlot, "broker.csv", brokerAsks)
	b.Runs.Looked = lab.Looked[*inputs]{Inputs: b.Inputs, Read: &bridge.Result{}, Found: &qoskind.Report{}} // from the time when the file arrived, for all its requests
	set := func(text string, setter func(*inputs, string) error) {
		b.Form.SetOption("it", "it", text, setter)
		b.settle()
	}
	set("50", setSample)
	set("2", setOption("sampleGroups"))
	set("7", setSampleSeed)
	set("95", setAdmission)
	b.wantDone()
	o := b.Inputs.options
	if want := (&qoskind.Sample{Part: 0.5, Groups: 2, Seed: 7}); !reflect.DeepEqual(o.Sample, want) {
		t.Errorf("the sample is %+v", o.Sample)
	}
	if want := (&qoskind.Admission{Limit: 0.95}); !reflect.DeepEqual(o.Admission, want) || o.Admission.Started() != 0.75 {
		t.Errorf("the admission is %+v", o.Admission)
	}
	r := b.result.report().Workload
	if r.Sample == nil || r.Sample.UsersInAll != 3 || r.Admission == nil || r.Admission.Offered != r.Sample.Requests {
		t.Errorf("the report has %+v and %+v", r.Sample, r.Admission)
	}
	if got := b.fields.sampled(); !strings.Contains(got, "of 3 users with") || !strings.Contains(got, "requests admitted") {
		t.Errorf("told is %q", got)
	}
	if got, want := samplingTitle(b.Inputs), "Sampling and admission (50 % of the users, up to 95 % of the hosts)"; got != want {
		t.Errorf("the title is %q", got)
	}
	set("99", setAdmissionAtStart)
	if !strings.Contains(b.Form.Wrong("it"), "at most 95") {
		t.Errorf("trouble: %q", b.Form.Wrong("it"))
	}
	set("60", setAdmissionAtStart)
	set("10", setAdmission) // less than the demand at time 0
	if got := b.Inputs.options.Admission; got.AtStart != 0.1 {
		t.Errorf("the admission is %+v", got)
	}
	set("51", setOption("sampleGroups"))
	if !strings.Contains(b.Form.Wrong("it"), "from 1 to 50") {
		t.Errorf("trouble: %q", b.Form.Wrong("it"))
	}
	set("", setAdmission)
	set("", setSample)
	if o := b.Inputs.options; o.Admission != nil || o.Sample != nil || samplingTitle(b.Inputs) != "Sampling and admission (off)" {
		t.Errorf("switched off they are %+v and %+v", o.Sample, o.Admission)
	}
	b.GoBack()
	b.settle()
	if got := b.Inputs.options.Sample; got == nil || got.Groups != 2 {
		t.Errorf("after an undo the sample is %+v", got)
	}
}

func TestASampleWithoutUsersIsToldAbout(t *testing.T) {
	b := smallQoS(t)
	b.Form.SetOption("it", "it", "50", setSample)
	b.settle()
	if b.Err == nil || !strings.Contains(b.Err.Error(), "does not name users") {
		t.Errorf("the error is %v", b.Err)
	}
}
