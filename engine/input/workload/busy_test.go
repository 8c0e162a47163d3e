package workload

import (
	"reflect"
	"testing"

	"berth/engine/cluster"
	"berth/engine/sim"
)

// A source passes on its requests in order of submission.
func TestBusyHosts(t *testing.T) {
	u := cluster.Unit
	at := func(submit, duration sim.Milliseconds, cpu, memory cluster.Amount) Request {
		return Request{Submit: submit * sim.Second, Duration: duration * sim.Second, CPU: cpu, Memory: memory}
	}
	steady := []Request{at(0, 100, 3*u, u), at(0, 50, 2*u, u), at(50, 1000, u, 3*u), at(100, 1, u, u)}
	// CPU: 5 for 50 s and 4 for 50 s, 4.5 on average, on hosts of 4. Memory: 2 and 4, 3 on average,
	// on hosts of 4.
	shared := Request{Duration: sim.Second, CPU: u / 2, Memory: u / 4, GPUs: 1, GPUShare: u / 2}
	for _, test := range []struct {
		name   string
		all    []Request
		busy   float64
		number int
		size   cluster.Host
	}{
		{"steady", steady, 1, 2, cluster.Host{CPU: 4 * u, Memory: 4 * u}},
		{"half busy", steady, 0.5, 3, cluster.Host{CPU: 4 * u, Memory: 4 * u}},
		{"all at once, until the last ends", []Request{at(7, 10, u, u), at(7, 5, u, u), at(7, 5, u, u)}, 1, 2, cluster.Host{CPU: u, Memory: u}},
		{"of no length", []Request{at(7, 0, u, u), at(7, 0, u, u)}, 1, 1, cluster.Host{CPU: u, Memory: u}},
		{"devices", []Request{shared, shared, shared}, 0.5, 3, cluster.Host{CPU: u, Memory: u, GPUs: 1}},
		{"just five", []Request{at(0, 1, 5*u, u), at(1, 1, u/10, u/10)}, 1, 1, cluster.Host{CPU: 8 * u, Memory: u}},
	} {
		hosts, err := BusyHosts(&Slice{Requests: test.all}, test.busy)
		if err != nil || len(hosts) != test.number {
			t.Errorf("%s: %d hosts, %v; want %d", test.name, len(hosts), err, test.number)
			continue
		}
		test.size.Name = "host-1"
		if !reflect.DeepEqual(hosts[0], test.size) {
			t.Errorf("%s: %+v, want %+v", test.name, hosts[0], test.size)
		}
	}
}

// Every request can run on some host, for any attributes that it requires with = and
// in.
func TestBusyHostsHaveWhatIsAskedFor(t *testing.T) {
	var all []Request
	for i := range 400 {
		r := Request{Submit: sim.Milliseconds(i) * sim.Second, Duration: 40 * sim.Second, CPU: cluster.Unit, Memory: cluster.Unit}
		switch i % 4 {
		case 0:
			r.Constraints = []cluster.Constraint{{Key: "model", Op: cluster.In, Value: "T4|P100"}, {Key: "zone", Op: cluster.Equal, Value: "b"}}
		case 1:
			r.Constraints = []cluster.Constraint{{Key: "zone", Op: cluster.Equal, Value: "a"}, {Key: "model", Op: cluster.Equal, Value: "P100"}}
		}
		all = append(all, r)
	}
	hosts, err := BusyHosts(&Slice{Requests: all}, 0.9)
	if err != nil || len(hosts) < 40 {
		t.Fatalf("%d hosts, %v", len(hosts), err)
	}
	for i := range all {
		fits := 0
		for h := range hosts {
			if cluster.Allows(all[i].Constraints, &hosts[h]) {
				fits++
			}
		}
		if fits == 0 {
			t.Fatalf("request %d fits no host", i)
		}
	}
}

func TestBusyHostsRefuse(t *testing.T) {
	one := Request{Submit: sim.Second, Duration: 1, CPU: cluster.Unit}
	for name, err := range map[string]error{
		"a share of 0": func() error { _, err := BusyHosts(&Slice{Requests: []Request{one}}, 0); return err }(),
		"out of order": func() error { _, err := BusyHosts(&Slice{Requests: []Request{one, {}}}, 1); return err }(),
	} {
		if err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}
