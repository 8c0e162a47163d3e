package gallery

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"berth/engine/scenario"
	"berth/engine/stats"
	"berth/engine/study"
)

// measured returns the criteria on the availabilities that the authors measured with Kubernetes:
// the mean of each class must agree within 0.008, its quantiles within 0.045. replication is the
// level of the factor "replication", or "" without that factor.
func (f AuthorFiles) measured(figure, of, replication string) (all []study.Criterion) {
	values := availabilities(f[of+"-availability"].Text)
	if own := logged(f, of+"-slo-driven-"); len(values) == 0 {
		values = own
	}
	at, id, note := map[string]any{"policy": "qos"}, "measured-", ""
	if replication != "" {
		at["replication"], id, note = replication, id+replication+"-", " (order "+replication+")"
	}
	source := "section 4.4.3, page 22, on figure " + figure + ", and the logs of the measurement"
	for _, class := range []string{"gold", "silver", "bronze"} {
		values := values[class]
		if len(values) == 0 {
			continue
		}
		add := func(metric, what string, value, tolerance float64) {
			all = append(all, study.Criterion{
				ID: id + class + "-" + metric, Source: source, Says: fmt.Sprintf("QoS-driven, %s of %s availabilities is as measured%s", what, class, note),
				Test: study.Test{Kind: study.Within, Metric: "availability." + metric + "." + class, At: at, Value: &value, Absolute: &tolerance},
			})
		}
		add("mean", "the mean", stats.Mean(values), 0.008)
		for _, q := range []struct {
			metric, what string
			p            float64
		}{{"p5", "the 5th percentile", 0.05}, {"p50", "the median", 0.5}, {"p95", "the 95th percentile", 0.95}} {
			add(q.metric, q.what, stats.Quantile(values, q.p), 0.045)
		}
	}
	return all
}

// classes are the service classes by the first word of a request's name in the logs.
var classes = map[string]string{"prod": "gold", "batch": "silver", "free": "bronze"}

// loggedClass returns the service class of a request in the logs.
func loggedClass(request string) string {
	word, _, _ := strings.Cut(request, "-")
	return classes[word]
}

// replayed returns the requests of a replication of validation 1 in the order of its waiting log,
// as a workload of the simulation; empty without the log. As in validation 1, each requests 0.375
// of a host's CPU and memory until the end.
func (f AuthorFiles) replayed(replication string) (s scenario.Source) {
	priorities, seen := map[string]int{"gold": 11, "silver": 7, "bronze": 1}, map[string]bool{}
	var text strings.Builder
	begun := -1
	for line := range strings.Lines(f[replication+"-slo-driven-waiting"].Text) {
		row := strings.Split(strings.TrimSpace(line), ",")
		at, err := strconv.Atoi(row[0])
		if err != nil || len(row) < 3 || seen[row[2]] {
			continue
		}
		if begun < 0 {
			begun = at
		}
		seen[row[2]] = true
		fmt.Fprintf(&text, "{%d,%d,%[2]d,7200,0.375,0.375,%d,0,[]}.\n", at-begun, len(seen), priorities[loggedClass(row[2])])
	}
	if len(seen) > 0 {
		s = scenario.Source{Name: replication + "-workload", Text: text.String()}
	}
	return s
}

// logged computes the ascending availabilities of requests by class from the logs of a measurement;
// none without logs. A pod waits from its line in the waiting log until it starts, or until it ends
// without a start. It runs for the seconds in its line of the termination log. Pods without an end
// are ignored.
func logged(f AuthorFiles, prefix string) map[string][]float64 {
	type times struct{ waits, starts, ends, ran float64 }
	pods, of := map[string]*times{}, map[string]string{}
	read := func(log string, take func(t *times, at float64, row []string)) {
		for line := range strings.Lines(f[prefix+log].Text) {
			row := strings.Split(strings.TrimSpace(line), ",")
			at, err := strconv.ParseFloat(row[0], 64)
			if err != nil || len(row) < 3 {
				continue
			}
			if pods[row[1]] == nil {
				pods[row[1]], of[row[1]] = &times{}, row[2]
			}
			take(pods[row[1]], at, row)
		}
	}
	read("waiting", func(t *times, at float64, _ []string) { t.waits = at })
	read("starting", func(t *times, at float64, _ []string) { t.starts = at })
	read("termination", func(t *times, at float64, row []string) {
		t.ends = at
		t.ran, _ = strconv.ParseFloat(row[len(row)-1], 64)
	})
	run, pending := map[string]float64{}, map[string]float64{}
	for pod, t := range pods {
		if t.waits == 0 || t.ends == 0 {
			continue
		}
		until := t.starts
		if until == 0 {
			until = t.ends
		}
		run[of[pod]] += t.ran // integers, so the order of the sum does not matter
		pending[of[pod]] += until - t.waits
	}
	values := map[string][]float64{}
	for request, seconds := range run {
		if all := seconds + pending[request]; all > 0 {
			class := loggedClass(request)
			values[class] = append(values[class], seconds/all)
		}
	}
	for _, v := range values {
		slices.Sort(v)
	}
	return values
}

// availabilities parses the ascending availabilities of requests by class, measured
// with the QoS-driven policy. Other lines are ignored.
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
