package kinds_test

import (
	"io"
	"strings"
	"testing"

	"berth/engine/input/trace"
	"berth/engine/input/workload"
)

// A damaged input is an error with a position, and no row is lost without a message.
func TestDamagedInputs(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want string
		read func(text string) (rows int, err error)
	}{
		"a line of CSV before a log": {"b,71,0\n1 0 -1 60 2 -1 -1 2 90 -1 1 1 -1 -1 -1 -1 -1 -1\n2 5 -1 30 1 -1 -1 1 40 -1 1 2 -1 -1 -1 -1 -1 -1\n", "f:1:1: ", jobsOf},
		"too many copies of a machine": {"name,cpu,memory,count\na,2,2,16777216\n", "f:2:7: count: ", func(text string) (int, error) {
			machines, _, err := trace.ReadMachines("f", strings.NewReader(text))
			return len(machines), err
		}},
		"an event without a kind": {"time,type,collection_id,instance_index\n1,SUBMIT,1,0\n2,NOTHING,1,0\n", "f:3:1: an event has", jobsOf},
		"too many invocations":    {"HashOwner,HashApp,HashFunction,Trigger,1,2,Average\no,a,f,http,1,16777216,1\n", "f:2:14: there are more than", jobsOf},
		"a header again": {"machine,gpu_type,cap_cpu,cap_mem,cap_gpu\nmachine,gpu_type,cap_cpu,cap_mem,cap_gpu\n8,T4,96,512,2\n", "f:2:18: cap_cpu: ", func(text string) (int, error) {
			hosts, _, err := trace.ReadHosts("f", strings.NewReader(text))
			return len(hosts), err
		}},
	} {
		rows, err := test.read(test.text)
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || rows > 0 {
			t.Errorf("%s: %d rows, %v, want %s", name, rows, err, test.want)
		}
	}
}

func jobsOf(text string) (int, error) {
	tasks, err := trace.OpenTasks("f", workload.Window{}, func() (io.Reader, error) { return strings.NewReader(text), nil })
	if err != nil {
		return 0, err
	}
	return len(tasks.Jobs), nil
}
