package trace

import (
	"io"

	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/show"
)

// BrokerRequests reads the CSV of the authors' broker for Kubernetes, which has no
// header: 12 fields per line, times in seconds.
func BrokerRequests(name string, r io.Reader) (workload.Stream, error) {
	b := &brokerRequests{lines: csv.NewLines(name, r), jobs: workload.JobNumbers{}}
	return workload.Lined{Lines: b.lines, Parse: func(line string, r *workload.Request) (err error) {
		if b.fields, err = b.lines.Fields(line, b.fields); err != nil {
			return err
		}
		if err = b.parse(line, r); err != nil {
			return b.lines.Wrong(err, sniff.BrokerFields)
		}
		return nil
	}}, nil
}

type brokerRequests struct {
	lines  *csv.Lines
	fields []csv.Field
	jobs   workload.JobNumbers
}

func (b *brokerRequests) parse(line string, r *workload.Request) error {
	if len(b.fields) != 12 {
		return csv.Miscount(line, b.fields, 12, "not 12")
	}
	var f values
	duration, cpu, ram, class := b.fields[6], b.fields[8], b.fields[9], b.fields[10]
	*r = workload.Request{
		Submit: f.Seconds(b.fields[0], "time"), ID: b.fields[1].Text, Job: b.jobs.Of(b.fields[2].Text), User: b.fields[3].Text,
		AntiAffinity: f.Flag(b.fields[4], "anti_affinity"), Priority: f.Priority(b.fields[5]),
		Duration: f.Seconds(duration, "duration"),
		CPU:      f.Amount(cpu, "cpu"), Memory: f.Amount(ram, "ram"), Class: class.Text,
		Line: b.lines.Number, Column: b.lines.Column(class.At),
	}
	var err error
	r.SLO, err = parseSLO(b.fields[11].Text)
	f.Fail(b.fields[11], "slo", err)
	f.Check(r, cpu, ram, duration)
	return f.Err
}

func parseSLO(text string) (float64, error) {
	slo, ok := show.ParseNumber(text)
	if !ok || !(slo > 0 && slo <= 1) {
		return 0, notPart.New(text)
	}
	return slo, nil
}
