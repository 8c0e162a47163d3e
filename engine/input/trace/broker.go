package trace

import (
	"berth/engine/input/format/sniff"
)

const brokerFields = "time,task,job,user,anti_affinity,priority,duration,-1,cpu,ram,class,slo"

// broker is the CSV of the authors' broker for Kubernetes, which has no header, with times in
// seconds.
var broker = Format{
	Format: sniff.Format{Name: "broker", Brief: "the broker's CSV", What: "a workload of requests", For: sniff.Requests, Too: sniff.Tasks, Accept: "the broker's " + brokerFields,
		Syntax: sniff.Table, Fit: sniff.Numbered("%,*,*,*,*,*,*,-1,*,*,*,*")},
	requests: (&table{lines: exact, expects: brokerFields, columns: []column{
		{"time", rowSubmit, inSeconds, true}, {"task", rowID, plain, true}, {"job", rowJob, plain, true}, {"user", rowUser, plain, true},
		{"anti_affinity", rowApart, plain, true}, {"priority", rowPriority, plain, true}, {"duration", rowRun, inSeconds, true}, {"-1", unused, plain, true},
		{"cpu", rowCPU, plain, true}, {"ram", rowMemory, plain, true}, {"class", rowClass, plain, true}, {"slo", rowSLO, plain, true},
	}}).requests,
}
