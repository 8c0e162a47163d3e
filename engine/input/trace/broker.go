package trace

import (
	"berth/engine/input/format/sniff"
)

const brokerFields = "time,task,job,user,anti_affinity,priority,duration,-1,cpu,ram,class,slo"

// broker is the CSV format of the authors' Kubernetes broker, without a header, with times in
// seconds.
var broker = fileFormat{
	Format: sniff.Format{Name: "broker", Brief: "the broker's CSV", What: "a workload of requests", For: sniff.Requests, Too: sniff.Tasks, Accept: "the broker's " + brokerFields,
		Syntax: sniff.Table, Fit: sniff.Numbered("%,*,*,*,*,*,*,-1,*,*,*,*")},
	table: &table{lines: exact, expects: brokerFields, columns: []column{
		{"time", rowSubmit, inSeconds, must}, {"task", rowID, plain, must}, {"job", rowJob, plain, must}, {"user", rowUser, plain, must},
		{"anti_affinity", rowApart, plain, must}, {"priority", rowPriority, plain, must}, {"duration", rowRun, inSeconds, must}, {"-1", unused, plain, must},
		{"cpu", rowCPU, plain, must}, {"ram", rowMemory, plain, must}, {"class", rowClass, plain, must}, {"slo", rowSLO, plain, must},
	}},
}
