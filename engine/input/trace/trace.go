package trace

import (
	"io"

	"berth/engine/input/workload"
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
		{Name: "erlang-hosts", Hosts: erlangHosts},
		{Name: "fta", Events: readFTA},
		{Name: "erlang-overheads", Overheads: erlangOverheads},
	}
	for _, f := range foreigns {
		all = append(all, workload.Reader{Name: f.name, Tasks: f.tasks, Requests: once(f.requests)})
	}
	for i := range hostTables {
		all = append(all, workload.Reader{Name: hostTables[i].name, Hosts: hostTables[i].hosts})
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
