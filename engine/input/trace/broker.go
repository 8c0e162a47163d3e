package trace

import (
	"io"

	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/show"
)

const brokerFields = "time,task,job,user,anti_affinity,priority,duration,-1,cpu,ram,class,slo"

// broker is the CSV of the authors' broker for Kubernetes, which has no header, with times in
// seconds.
var broker = Format{
	Format: sniff.Format{Name: "broker", Brief: "the broker's CSV", What: "a workload of requests", For: sniff.Requests, Too: sniff.Tasks, Accept: "the broker's " + brokerFields,
		Syntax: sniff.Table, Fit: sniff.Numbered("%,*,*,*,*,*,*,-1,*,*,*,*")},
	requests: func(name string, r io.Reader, _ func() (io.Reader, error)) (workload.Stream, error) {
		s := &requestLines{lines: csv.NewLines(name, r), columns: brokerColumns, expects: brokerFields}
		var fields []csv.Field
		s.split = func(line string) (_ []csv.Field, err error) {
			if fields, err = s.lines.Fields(line, fields); err == nil && len(fields) != len(brokerColumns) {
				err = s.lines.Wrong(csv.Miscount(line, fields, len(brokerColumns), "not 12"), brokerFields)
			}
			return fields, err
		}
		return s, nil
	},
}

var brokerColumns = []column{
	{"time", rowSubmit, inSeconds, true}, {"task", rowID, plain, true}, {"job", rowJob, plain, true}, {"user", rowUser, plain, true},
	{"anti_affinity", rowApart, plain, true}, {"priority", rowPriority, plain, true}, {"duration", rowRun, inSeconds, true}, {"-1", unused, plain, true},
	{"cpu", rowCPU, plain, true}, {"ram", rowMemory, plain, true}, {"class", rowClass, plain, true}, {"slo", rowSLO, plain, true},
}

func parseSLO(text string) (float64, error) {
	slo, ok := show.ParseNumber(text)
	if !ok || !(slo > 0 && slo <= 1) {
		return 0, notPart.New(text)
	}
	return slo, nil
}
