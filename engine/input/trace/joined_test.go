package trace

import (
	"io"
	"slices"
	"strings"
	"testing"

	"berth/engine/cluster"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
)

const (
	ownJobs      = "j1,i1,alice,Terminated,100.0,400.0\nj2,i2,bob,Running,150.0,\n"
	ownTasks     = "j1,ps,1,Terminated,110.0,410.0,600.0,29.3,,\nj1,worker,2,Terminated,120.0,400.0,600.0,29.3,50.0,T4\nj2,worker,1,Terminated,150.0,500.0,200.0,10,100,V100\nj3,w,1,Terminated,160.0,500.0,200.0,10,,\n"
	ownInstances = "j1,worker,a,w1,i1,Terminated,120.0,300.0,m1\nj1,worker,b,w2,i1,Terminated,125.0,400.0,m2\nj1,worker,d,w2,i1,Running,125.0,,m2\nj2,worker,c,w3,other,Terminated,125.0,400.0,m2\n"
	ownCounts    = "HashOwner,HashApp,HashFunction,Trigger,1,2,3\no,a,f,http,2,0,1\no,a,g,http,1,0,0\n"
	ownTimes     = "HashOwner,HashApp,HashFunction,Average,Count,Minimum,Maximum\no,a,f,1500,3,1,2\n"
	ownMemory    = "HashOwner,HashApp,SampleCount,AverageAllocatedMb\no,a,3,512\n"
	ownVMs       = "vmId,tenantId,vmTypeId,priority,starttime,endtime\nv1,t,7,0,0,1\nv2,t,8,1,0.5,\nv3,t,9,1,0.5,1\n"
	ownTypes     = "id,vmTypeId,machineId,core,memory\n1,7,1,0.25,0.5\n2,7,2,0.5,1\n3,8,1,0.125,0.25\n"
)

// behindEachOther joins several texts in the same way as the page and the command line.
func behindEachOther(texts ...string) string {
	all := ""
	for i, text := range texts {
		all += sniff.SectionLine(string(rune('a'+i))+".csv") + text
	}
	return all
}

func TestTablesThatBelongTogether(t *testing.T) {
	pai, err := OpenTasks("pai", workload.Window{}, func() (io.Reader, error) {
		return strings.NewReader(behindEachOther(ownJobs, ownInstances, ownTasks)), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := []string{pai.Users[0], pai.Users[1], pai.Users[2]}; !slices.Equal(got, []string{"alice", "bob", "?"}) {
		t.Errorf("users %v", got)
	}
	var arrivals, tasks, durations []int
	for _, j := range pai.Jobs {
		arrivals, tasks = append(arrivals, int(j.Arrival/1e9)), append(tasks, int(j.Count))
		for k := range j.Count {
			durations = append(durations, int(pai.Durations[j.First+k]/1e9))
		}
	}
	if !slices.Equal(arrivals, []int{100, 100, 150, 160}) || !slices.Equal(tasks, []int{1, 2, 1, 1}) || !slices.Equal(durations, []int{300, 180, 275, 350, 340}) {
		t.Errorf("arrivals %v, tasks %v, durations %v", arrivals, tasks, durations)
	}
	said := strings.Join(pai.Remarks.Said, "; ")
	for _, want := range []string{"without a job in pai_job_table come when they began: 1", "not in pai_instance_table run for as long as their task: 3", "without a task that is read: 1"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %q", want, said)
		}
	}
	if q := readAll(t, behindEachOther(ownInstances, ownTasks)); len(q) != 5 || q[1].Duration != 180_000 || q[2].Duration != 275_000 || q[1].GPUShare != cluster.Unit/2 {
		t.Errorf("requests %+v", q)
	}

	functions := readAll(t, behindEachOther(ownTimes, ownMemory, ownCounts))
	if len(functions) != 3 || functions[0].Duration != 1500 || functions[0].Memory != cluster.Unit/2 || functions[1].Submit != 30_000 || functions[2].Submit != 120_000 {
		t.Errorf("invocations %+v", functions)
	}

	vms := readAll(t, behindEachOther(ownTypes, ownVMs))
	if len(vms) != 2 || vms[0].CPU != cluster.Unit/4 || vms[0].Memory != cluster.Unit/2 || vms[0].Class != "gold" || vms[1].CPU != cluster.Unit/8 {
		t.Errorf("VMs %+v", vms)
	}
}
