package gallery

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/stats"
	"berth/engine/study"
)

const hourAuthorsSetup = "The authors' own hour: their requests at three levels of contention, their 620 hosts, and their overheads, those of preemptions as hot ones and those of migrations as cold ones. " +
	"Only overheads and ties differ between the seeds; the thesis has 25 runs."

// authorsHour are the files of the first hour, by level of contention.
var authorsHour = []string{"hour-low", "hour-medium", "hour-high", "hour-hosts", "overheads-hot", "overheads-cold"}

// onTheHour is an entry on the authors' first hour, where each level of contention is a
// workload of its own.
func onTheHour(seeds int, of func(study.Document) study.Document) *authored {
	return &authored{needs: authorsHour, setup: hourAuthorsSetup, document: func(f Files) study.Document {
		d := firstHour(620)
		q := qoskind.Of(d.Base)
		q.Workload, q.Hosts, q.Admission, q.Overheads = f.find("hour-low"), f.find("hour-hosts"), nil, nil
		q.Hot, q.Cold = new(f.find("overheads-hot")), new(f.find("overheads-cold"))
		d.Base.Name, d.Seeds = "The authors' first hour", seeds
		levels := d.Factors[0].Levels
		for i := range levels {
			levels[i].Patch = at{"qos": at{"workload": f.find("hour-" + levels[i].Label)}}
		}
		return of(d)
	}}
}

// authorsValidation is a validation on the authors' workload, hosts and overheads; with the
// availabilities that they measured, also against those.
func authorsValidation(name string, of func(study.Document) study.Document) *authored {
	return &authored{
		needs: []string{name + "-workload", "validation-hosts", name + "-overheads"},
		setup: "The authors' workload and hosts, and the allocation overheads that they measured with Kubernetes.",
		document: func(f Files) study.Document {
			d := validation(map[string]string{"validation1": qoskind.Validation1, "validation2": qoskind.Validation2}[name], 20)
			q := qoskind.Of(d.Base)
			q.Workload, q.Hosts, q.Overheads = f.find(name+"-workload"), f.find("validation-hosts"), new(f.find(name+"-overheads"))
			d = of(d)
			d.Criteria = append(d.Criteria, measured(f[name+"-availability"])...)
			return d
		},
	}
}

// measured are criteria on the availabilities of single requests that the authors measured
// with Kubernetes: the mean of each class within 0.008 and its quantiles within 0.045.
func measured(file scenario.Source) (all []study.Criterion) {
	const source = "section 4.4.3, page 22, on figure 4, and the logs of the measurement"
	values := availabilities(file.Text)
	for _, class := range []string{"gold", "silver", "bronze"} {
		of := values[class]
		if len(of) == 0 {
			continue
		}
		add := func(metric, what string, value, tolerance float64) {
			all = append(all, within(fmt.Sprintf("measured-%s-%s", class, metric), source,
				fmt.Sprintf("QoS-driven, %s of %s availabilities is as measured", what, class), "availability."+metric+"."+class, qosDriven, value, tolerance))
		}
		add("mean", "the mean", stats.Mean(of), 0.008)
		for _, q := range []struct {
			metric, what string
			p            float64
		}{{"p5", "the 5th percentile", 0.05}, {"p50", "the median", 0.5}, {"p95", "the 95th percentile", 0.95}} {
			add(q.metric, q.what, stats.Quantile(of, q.p), 0.045)
		}
	}
	return all
}

// availabilities returns what was measured of the requests of each class with the
// QoS-driven policy, in rising order. A line that says something else is passed over.
func availabilities(text string) map[string][]float64 {
	values := map[string][]float64{}
	for line := range strings.Lines(text) {
		row := strings.Split(strings.TrimSpace(line), ",")
		if len(row) != 10 || row[1] != "measurement" || row[2] != "slo-driven" {
			continue
		}
		if x, err := strconv.ParseFloat(row[9], 64); err == nil {
			values[row[4]] = append(values[row[4]], x)
		}
	}
	for _, v := range values {
		slices.Sort(v)
	}
	return values
}
