package format

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"berth/engine/graph"
	"berth/engine/kube"
)

// bytesPerUnit is one MiB, the unit of memory and storage in graphs.
const bytesPerUnit = 1 << 20

// demandLabel returns the job label for a Kubernetes resource, and how many of the scheduler's
// units are one unit of the label. CPU is in thousandths in both. The label is nil for resources
// that graphs do not count.
func demandLabel(resource string) (*graph.LabelType, float64, error) {
	switch {
	case resource == kube.CPU:
		return graph.Lookup(graph.Job, "cpuOffloading"), 1, nil
	case resource == kube.Memory:
		return graph.Lookup(graph.Job, "memoryOffloading"), bytesPerUnit, nil
	case resource == kube.Storage:
		return graph.Lookup(graph.Job, "storageOffloading"), bytesPerUnit, nil
	case resource == kube.Pods || strings.HasPrefix(resource, "attachable-volumes-"):
		return nil, 1, nil
	}
	demand, _, err := graph.Extended(resource)
	return demand, 1, err
}

// SetRequests sets the total requests and limits of a job's pods. A resource without
// a limit uses its request as limit.
func SetRequests(jobs *graph.Elements, i int, requests, limits kube.Resources, pods int) error {
	for _, resource := range slices.Sorted(maps.Keys(requests)) {
		label, unit, err := demandLabel(resource)
		if err != nil {
			return err
		}
		request, limit := requests.Amount(resource), limits.Amount(resource)
		if request == 0 || label == nil {
			continue
		}
		limit = cmp.Or(limit, request)
		times := float64(pods) / unit
		jobs.SetLabel(label, i, []float64{float64(request) * times, float64(limit) * times})
	}
	return nil
}

// SetAmounts sets the free resources of a cluster. New labels get the price NaN,
// which means unknown.
func (f *Federation) SetAmounts(cluster int, room kube.Resources) error {
	for _, resource := range slices.Sorted(maps.Keys(room)) {
		demand, unit, err := demandLabel(resource)
		if err != nil {
			return err
		}
		if demand == nil {
			continue
		}
		label := demand.Host()
		values := f.Clusters().Values(label, cluster)
		if values == nil {
			values = make([]float64, len(label.Fields))
			for k, field := range label.Fields {
				switch {
				case field.Optional:
					values[k] = field.Absent
				case field.Price:
					values[k] = math.NaN()
				}
			}
		}
		values[0] = float64(room[resource]) / unit
		f.Clusters().SetLabel(label, cluster, values)
	}
	return nil
}

// Measure sets the free resources of all clusters that have nodes.
func (f *Federation) Measure() error {
	for i, nodes := range f.Listed() {
		if err := f.SetAmounts(i, nodes.Room()); err != nil {
			return err
		}
	}
	return nil
}
