package fragment

import (
	"context"
	"fmt"
	"math"

	"berth/engine/cluster"
	"berth/engine/figure"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

// Limits of a run.
const (
	maxNodes    = 20_000
	maxKinds    = 20_000     // distinct kinds of pods: pods of a kind have equal requests and constraints
	maxScores   = 50_000_000 // kinds × nodes
	maxArrivals = 2_000_000
	mostArrive  = 4.0 // largest value of Arrive
)

// Stream numbers of the random generators.
const (
	podStream = 40 + iota
	nodeStream
)

// Result is the result of a run of one policy.
//
// Allocated and Fragmented are curves. Element i describes the cluster when the pods that have
// arrived request i percent of all GPUs: the allocated share of all GPUs, and the fragmented share
// of the free GPUs. An element is the mean over the arrivals that round to this percentage; without
// any, it repeats the previous element. In a partial result both curves are undefined beyond the
// last arrival. Fragmented is undefined where no GPU is free.
type Result struct {
	Name       string // name of the policy
	Arrived    int
	Refused    int // number of pods that fitted on no node
	Allocated  []figure.Number
	Fragmented []figure.Number
	Partial    bool `json:"partial,omitempty"` // the context ended before the last arrival
}

// node is a node with its capacity (host) and its free resources (cpu, memory and gpus).
type node struct {
	host        *cluster.Host
	model       int // index of its model: nodes of one model accept the same kinds of pods
	cpu, memory cluster.Amount
	gpus        cluster.Devices
	running     []int // number of running pods by tag: see tagOf
	fragment    float64
	changed     int // number of the last arrival that was placed here
}

// kind describes pods with equal requests and constraints.
type kind struct {
	kindKey
	tag     int
	accepts []bool // by model of nodes: accepts the pods
}

type run struct {
	input   *Prepared
	policy  *Policy
	random  *sim.Random
	nodes   []node
	kinds   []kind
	of      []int // by pod: index of its kind
	typical typicals

	scores []int16 // by kind and node: score as of arrival seen[kind], or unfit
	seen   []int   // by kind: number of the arrival up to which its scores are current
	total  cluster.Amount

	arrived, allocated cluster.Amount
	fragments          float64 // fragmented GPUs of all nodes, in devices
	result             Result
	sums               []sum
	after              cluster.Devices // scratch memory: free GPUs of a node after placing a pod
}

type sum struct {
	arrivals              int
	allocated, fragmented float64
	free                  int // number of arrivals after which some GPU was free
}

// unfit is the score of a node without room.
const unfit = -1

// pack places each configured pod once, in an order drawn from the seed, and then pods drawn from
// them with replacement. It stops before the arrivals request more than Arrive times all GPUs. It
// reports its progress, from 0 to 1, to tell.
//
// An arrival recomputes the scores of only those nodes that have changed since the last pod of the
// same kind. With the policy fgd, each score takes time proportional to the number of typical pods.
func (e *Prepared) pack(ctx context.Context, policy *Policy, tell func(part float64)) (*Result, error) {
	seed := e.document.Seed
	r := &run{input: e, policy: policy, random: sim.NewRandom(seed, nodeStream)}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	order := sim.NewRandom(seed, podStream)
	first := order.Permutation(len(e.pods))
	most := cluster.Amount(math.Round(e.document.arrive() * float64(r.total)))
	for i := 0; i < maxArrivals; i++ {
		pod := 0
		if i < len(first) {
			pod = first[i]
		} else {
			pod = order.IntN(len(e.pods))
		}
		gpu := r.kinds[r.of[pod]].gpu
		if r.arrived+gpu > most {
			break
		}
		if i%256 == 0 {
			if r.result.Partial = ctx.Err() != nil; r.result.Partial {
				break
			}
			tell(float64(r.arrived) / float64(most))
		}
		r.arrive(i+1, r.of[pod])
	}
	r.conclude()
	return &r.result, nil
}

// prepare groups the pods into kinds and the nodes into models.
func (r *run) prepare() error {
	known := map[kindKey]int{}
	var constraints [][]cluster.Constraint // by kind
	for i := range r.input.pods {
		p := &r.input.pods[i]
		key := kindKey{p.CPU, p.Memory, p.Devices(), constraintsOf(p)}
		k, ok := known[key]
		if !ok {
			k = len(r.kinds)
			known[key] = k
			r.kinds = append(r.kinds, kind{kindKey: key, tag: tagOf(key.gpu)})
			constraints = append(constraints, p.Constraints)
		}
		r.of = append(r.of, k)
	}
	if len(r.kinds) > maxKinds || len(r.kinds)*len(r.input.hosts) > maxScores {
		return fmt.Errorf("pods ask for %d different things on %d nodes: too many to pack", len(r.kinds), len(r.input.hosts))
	}
	r.addNodes(constraints)
	r.typical = r.chooseTypical()
	for i := range r.nodes {
		n := &r.nodes[i]
		n.fragment = r.typical.fragment(n.model, n.cpu, n.gpus)
		r.fragments += n.fragment
	}
	r.scores = make([]int16, len(r.kinds)*len(r.nodes))
	r.seen = make([]int, len(r.kinds))
	for k := range r.seen {
		r.seen[k] = -1
	}
	r.sums = make([]sum, int(math.Round(100*r.input.document.arrive()))+1)
	return nil
}

// kindKey identifies a kind of pods.
type kindKey struct {
	cpu, memory, gpu cluster.Amount
	constraints      string
}

// constraintsOf encodes the constraints of a pod for comparison.
func constraintsOf(p *workload.Request) string {
	text := ""
	for _, c := range p.Constraints {
		text += c.String() + ";"
	}
	return text
}

// addNodes adds the nodes in random order and assigns their models. Two nodes have the same model
// if they accept the same kinds of pods.
func (r *run) addNodes(constraints [][]cluster.Constraint) {
	models := map[string]int{}
	for _, i := range r.random.Permutation(len(r.input.hosts)) {
		h := &r.input.hosts[i]
		accepted := make([]byte, len(r.kinds))
		for k := range accepted {
			if cluster.Allows(constraints[k], h) {
				accepted[k] = 1
			}
		}
		model, ok := models[string(accepted)]
		if !ok {
			model = len(models)
			models[string(accepted)] = model
			for k := range r.kinds {
				r.kinds[k].accepts = append(r.kinds[k].accepts, accepted[k] == 1)
			}
		}
		r.nodes = append(r.nodes, node{host: h, model: model, cpu: h.CPU, memory: h.Memory, gpus: cluster.NewDevices(h.GPUs), running: make([]int, tagOf(cluster.Amount(h.GPUs)*cluster.Unit)+1)})
		r.total += cluster.Amount(h.GPUs) * cluster.Unit
	}
}

// arrive places a pod of kind k on a node with the highest score, or refuses it if no node has
// room.
func (r *run) arrive(now, k int) {
	pod := &r.kinds[k]
	r.arrived += pod.gpu
	r.result.Arrived++
	scores := r.scores[k*len(r.nodes) : (k+1)*len(r.nodes)]
	best, equal, chosen := int16(unfit), 0, 0
	for i := range r.nodes {
		n := &r.nodes[i]
		if n.changed > r.seen[k] {
			scores[i] = r.score(n, pod)
		}
		switch s := scores[i]; {
		case s == unfit || s < best:
		case s > best:
			best, equal, chosen = s, 1, i
		default:
			if equal++; r.policy.Facts.draws && r.random.IntN(equal) == 0 {
				chosen = i
			}
		}
	}
	r.seen[k] = now - 1 // placing the pod changes this node now
	if equal == 0 {
		r.result.Refused++
	} else {
		r.put(&r.nodes[chosen], pod, now)
	}
	r.observe()
}

// score returns the score of a node for a pod, or unfit if the node has no room.
func (r *run) score(n *node, pod *kind) int16 {
	if n.cpu < pod.cpu || n.memory < pod.memory || !pod.accepts[n.model] || !n.gpus.Fits(pod.gpu) {
		return unfit
	}
	return int16(r.policy.New(r, n, pod))
}

// put places a pod on a node with room.
func (r *run) put(n *node, pod *kind, now int) {
	device := -1
	if pod.gpu > 0 && pod.gpu < cluster.Unit && r.policy.Facts.device != nil {
		device = r.policy.Facts.device(r, n, pod)
	}
	if device >= 0 {
		n.gpus[device] -= pod.gpu
	} else {
		n.gpus.Take(pod.gpu)
	}
	n.cpu -= pod.cpu
	n.memory -= pod.memory
	if pod.gpu > 0 {
		n.running[pod.tag]++
	}
	n.changed = now
	r.allocated += pod.gpu
	before := n.fragment
	n.fragment = r.typical.fragment(n.model, n.cpu, n.gpus)
	r.fragments += n.fragment - before
}

// observe adds the state after an arrival to the curve.
func (r *run) observe() {
	at := int(math.Round(float64(100*float64(r.arrived)) / float64(r.total)))
	if at >= len(r.sums) {
		return
	}
	s := &r.sums[at]
	s.arrivals++
	s.allocated += float64(r.allocated) / float64(r.total)
	if free := r.total - r.allocated; free > 0 {
		s.free++
		s.fragmented += r.fragments / free.Units()
	}
}

// conclude computes both curves up to the last arrival.
func (r *run) conclude() {
	allocated, fragmented := figure.Number(0), figure.Undefined
	for at, s := range r.sums {
		if r.result.Partial && float64(at) > 100*float64(r.arrived)/float64(r.total) {
			allocated, fragmented = figure.Undefined, figure.Undefined
		}
		if s.arrivals > 0 {
			allocated, fragmented = figure.Number(s.allocated/float64(s.arrivals)), figure.Undefined
		}
		if s.free > 0 {
			fragmented = figure.Number(s.fragmented / float64(s.free))
		}
		r.result.Allocated, r.result.Fragmented = append(r.result.Allocated, allocated), append(r.result.Fragmented, fragmented)
	}
}

// tagOf classifies a pod by its GPU request: 0 for no GPU or a share of a GPU, n for n whole GPUs.
func tagOf(gpu cluster.Amount) int { return int(gpu / cluster.Unit) }
