package trace_test

import (
	"io"
	"strings"
	"testing"

	"berth/engine/cluster"
	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/must"
)

const openbNodeList = "sn,cpu_milli,memory_mib,gpu,model\nnode-0,32000,262144,0,\nnode-1,96000,393216,2,T4\n"

const openbPodList = `name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
b,6000,12288,1,460,T4,LS,Running,30,100,40
a,500,512,0,0,,BE,Succeeded,10,20,
c,500,512,2,1000,T4|V100,Burstable,Running,35,45,35
forever,500,512,0,0,,BE,Running,50,,50
never,500,0,0,0,,BE,Failed,60,70,80
`

func TestOpenb(t *testing.T) {
	hosts, _, err := trace.ReadHosts("nodes.csv", strings.NewReader(openbNodeList))
	if err != nil || len(hosts) != 2 || hosts[1].CPU.Units() != 96 || hosts[1].Memory.Units() != 384 {
		t.Fatalf("%+v, %v", hosts, err)
	}
	if hosts[0].GPUs != 0 || hosts[1].GPUs != 2 {
		t.Errorf("%+v", hosts)
	}
	source := must.Get(trace.OpenRequests("pods.csv", func() (io.Reader, error) { return strings.NewReader(openbPodList), nil }))(t)
	buffer := make([]workload.Request, 10)
	n, err := source.Read(buffer)
	if err != nil || n != 4 {
		t.Fatalf("%d requests, %v", n, err)
	}
	var got []string
	for _, r := range buffer[:n] {
		var on []string
		for i := range hosts {
			met := true
			for _, c := range r.Constraints {
				met = met && c.Allows(&hosts[i])
			}
			met = met && r.GPUs <= hosts[i].GPUs
			if met {
				on = append(on, hosts[i].Name)
			}
		}
		got = append(got, r.ID+" "+r.Class+" "+strings.Join(on, "+"))
	}
	if want := "a bronze node-0+node-1, b gold node-1, c silver node-1, forever bronze node-0+node-1"; strings.Join(got, ", ") != want {
		t.Errorf("%v, want %s", got, want)
	}
	if b, c := buffer[1], buffer[2]; b.GPUShare != 46*cluster.Unit/100 || b.GPUs != 1 || c.GPUShare != 0 || c.GPUs != 2 {
		t.Errorf("b is %+v and c %+v", b, c)
	}
	if b := buffer[1]; b.Submit != 30_000 || b.Duration != 60_000 || b.CPU.Units() != 6 || b.Memory.Units() != 12 {
		t.Errorf("%+v", b)
	}
	if _, err := source.Read(buffer); err != io.EOF {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"name,cpu_milli,memory_mib,creation_time,deletion_time\na,x,1,0,1\n":  `p:2:3: cpu_milli: "x" is not a number`,
		"name,cpu_milli,memory_mib,creation_time,deletion_time\na,1,1,-1,1\n": "p:2:7: creation_time:",
		"name,cpu_milli,creation_time\n":                                      "memory_mib",
	} {
		if _, err := trace.OpenRequests("p", func() (io.Reader, error) { return strings.NewReader(text), nil }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A list without times is in order of arrival, and its pods stay. Pods may request nothing of a
// resource.
func TestOpenbWithoutTimes(t *testing.T) {
	for _, list := range []string{
		"name,cpu_milli,memory_mib\na,1000,0\nb,0,1024\nc,1000,0\n",
		"name,cpu_milli,memory_mib,creation_time,deletion_time,scheduled_time\na,1000,0,,,\nb,0,1024,,,\nc,1000,0,,,\n",
	} {
		source := must.Get(trace.OpenRequests("pods.csv", func() (io.Reader, error) { return strings.NewReader(list), nil }))(t)
		all, err := workload.ReadAll(source)
		if err != nil || len(all) != 3 {
			t.Fatal(all, err)
		}
		for k, r := range all {
			if r.ID != string(rune('a'+k)) || int(r.Submit) != 1000*k || r.Submit+r.Duration != workload.MaxTime {
				t.Errorf("%+v", r)
			}
		}
		if remarks := source.(workload.Remarked).Remarks(); remarks.Untimed != 3 || remarks.Endless != 3 {
			t.Errorf("%+v", remarks)
		}
	}
}
