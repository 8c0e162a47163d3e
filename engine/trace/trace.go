package trace

import (
	"io"

	"berth/engine/cluster"
	"berth/engine/workload"
)

func init() {
	all := []workload.Reader{
		{Name: "erlang-requests", Requests: once(ErlangRequests)},
		{Name: "broker", Requests: once(BrokerRequests)},
		{Name: "openb-pods", Requests: once(newOpenbRequests)},
		{Name: "task-events", Requests: func(name string, _ io.Reader, open func() (io.Reader, error)) (workload.Stream, error) {
			return NewGoogleTasks(name, open)
		}},
		{Name: "swf", Tasks: ReadSWF},
		{Name: "gwf", Tasks: ReadSWF},
		{Name: "machine-events", Hosts: GoogleMachines},
		{Name: "erlang-hosts", Hosts: still(erlangHosts)},
		{Name: "openb-nodes", Hosts: still(openbHosts)},
		{Name: "spot-gpu", Hosts: still(spotHosts)},
		{Name: "pai-machines", Hosts: still(paiHosts)},
		{Name: "machine-meta", Hosts: still(metaHosts)},
		{Name: "fta", Events: readFTA},
		{Name: "erlang-overheads", Overheads: erlangOverheads},
	}
	for _, f := range foreigns {
		all = append(all, workload.Reader{Name: f.name, Tasks: f.tasks, Requests: once(f.requests)})
	}
	for _, f := range all {
		if err := workload.AddReader(f); err != nil {
			panic(err)
		}
	}
}

// once adapts a reader of requests that reads its file only once.
func once(read func(name string, r io.Reader) (workload.Stream, error)) func(string, io.Reader, func() (io.Reader, error)) (workload.Stream, error) {
	return func(name string, r io.Reader, _ func() (io.Reader, error)) (workload.Stream, error) {
		return read(name, r)
	}
}

// still adapts a reader of hosts without events.
func still(read func(name string, r io.Reader) (workload.HostList, error)) func(string, io.Reader) ([]cluster.Host, []workload.HostEvent, error) {
	return func(name string, r io.Reader) ([]cluster.Host, []workload.HostEvent, error) {
		hosts, err := read(name, r)
		return hosts.All, nil, err
	}
}
