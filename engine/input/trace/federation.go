package trace

import (
	"bytes"
	"errors"
	"path"
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/input/workload"
	"berth/engine/kube"
	"berth/engine/show"
)

// readFederation reads a list of nodes of openb as a cluster, in which pods share
// GPUs under the resource names that the trace's authors use in Kubernetes.
func readFederation(file string, text []byte, _ format.Options) (*format.Federation, diag.List) {
	name, file, named := format.Named(file)
	if !named {
		name, _, _ = strings.Cut(path.Base(strings.ReplaceAll(file, `\`, "/")), ".")
	}
	hosts, _, err := ReadHosts(file, bytes.NewReader(text))
	f := &format.Federation{Federation: graph.NewFederation()}
	if err == nil {
		_, m := f.AddManifest(name)
		m.Nodes = &kube.Cluster{Name: name}
		for i := range hosts {
			n := nodeOf(&hosts[i])
			if n.Allocatable.TooManyGPUs() {
				return nil, diag.List{*diag.New(file, 1, 1, gpusOfNode, show.Quote(n.Name), kube.MaxGPUs)}
			}
			m.Nodes.Nodes = append(m.Nodes.Nodes, n)
		}
		err = f.Measure()
	}
	if err == nil {
		return f, nil
	}
	one, ok := errors.AsType[*diag.Diagnostic](err)
	if !ok || one.File == "" {
		one = diag.New(file, 1, 1, diag.Invalid, err)
	}
	return nil, diag.List{*one}
}

// nodeOf converts a host, in cores and GiB, to a Kubernetes node.
func nodeOf(h *cluster.Host) kube.Node {
	n := kube.Node{Name: h.Name, Labels: map[string]string{cluster.HostName: h.Name}, Allocatable: kube.Resources{
		kube.CPU: int64(h.CPU / (cluster.Unit / 1000)), kube.Memory: int64(h.Memory.Units() * (1 << 30)),
	}}
	if h.GPUs > 0 {
		n.Allocatable[kube.GPUCount], n.Allocatable[kube.GPUShare] = int64(h.GPUs), 1000*int64(h.GPUs)
	}
	if model, ok := h.Attribute(workload.GPUModel); ok {
		n.Labels[kube.GPUModel] = model
	}
	return n
}
