package gallery

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"berth/engine/stats"
	"berth/engine/study"
)

// measured returns criteria on the availabilities of requests that the authors
// measured with Kubernetes: the mean of each class within 0.008, its quantiles within
// 0.045.
func (f AuthorFiles) measured(figure, of string) (all []study.Criterion) {
	values := availabilities(f[of+"-availability"].Text)
	if own := logged(f, of+"-slo-driven-"); own != nil { // logs only, with a single class
		values = map[string][]float64{"silver": own}
	}
	source := "section 4.4.3, page 22, on figure " + figure + ", and the logs of the measurement"
	for _, class := range []string{"gold", "silver", "bronze"} {
		values := values[class]
		if len(values) == 0 {
			continue
		}
		add := func(metric, what string, value, tolerance float64) {
			all = append(all, study.Criterion{
				ID: fmt.Sprintf("measured-%s-%s", class, metric), Source: source, Says: fmt.Sprintf("QoS-driven, %s of %s availabilities is as measured", what, class),
				Test: study.Test{Kind: study.Within, Metric: "availability." + metric + "." + class, At: map[string]any{"policy": "qos"}, Value: &value, Absolute: &tolerance},
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

// logged computes the ascending availabilities of requests from the logs of a
// measurement; nil without logs. Each pod of a request waits from its line in the
// waiting log until it starts, or ends without a start, and runs for the seconds in
// its line of the termination log. Pods without an end are ignored.
func logged(f AuthorFiles, prefix string) (values []float64) {
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
		run[of[pod]] += t.ran // integers: exact in any order
		pending[of[pod]] += until - t.waits
	}
	for request, seconds := range run {
		if all := seconds + pending[request]; all > 0 {
			values = append(values, seconds/all)
		}
	}
	slices.Sort(values)
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
