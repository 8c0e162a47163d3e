package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	flag "github.com/spf13/pflag"

	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/kube/manifest"
	"berth/engine/kube/score"
	"berth/engine/scenario"
)

var pending = &command{
	name: "pending", group: clustersGroup, summary: "say why pods are pending, and what would help",
	use: "DUMP…", args: []string{"DUMP…"},
	examples: `  kubectl get nodes,pods,pv,pvc,storageclasses,csinodes,namespaces,services,replicasets,statefulsets,poddisruptionbudgets,priorityclasses -A -o yaml > dump.yaml
  berth pending dump.yaml

  # The cheapest nodes to add, so that nothing is pending
  berth pending dump.yaml --pools pools.yaml

  # Where pods go if a zone fails
  berth pending dump.yaml --fail-zone eu-west-1a

  # What a rolling update does: its rounds, and where it stops
  berth pending dump.yaml --rollout app.yaml`,
	details: `Berth replays kube-scheduler for each pod of a dump that has no node, in the order of
its queue: filters, scores, preemption. A pod has the node that the scheduler would
choose, or the scheduler's words and the smallest changes that would help. Nodes with
the same score are taken by name; kube-scheduler chooses among them at random.`,
	setUp: func(c *call, f *flag.FlagSet) func([]string) error {
		p := registerReplay(c, f)
		f.StringVar(&p.zone, "fail-zone", "", "say where the pods of a `ZONE` go if all of its nodes fail, or of a pool if no node has a zone")
		f.StringVar(&p.rollout, "rollout", "", "say what a rolling update of the Deployments in a `FILE` does with the pods of the dumps")
		return p.ofDumps(c, f, (*replayFlags).pending)
	},
}

var drain = &command{
	name: "drain", group: clustersGroup, summary: "say where the pods of a node go that is drained",
	use: "NODE… --federation DUMP", args: []string{"NODE…"},
	examples: `  kubectl get nodes,pods,pv,pvc,storageclasses,csinodes,namespaces,services,replicasets,statefulsets,poddisruptionbudgets,priorityclasses -A -o yaml > dump.yaml
  berth drain node-1 node-2 --federation dump.yaml`,
	details: `Berth cordons the nodes, evicts their pods as fast as PodDisruptionBudgets allow, and
replays kube-scheduler for the pods that replace them. It says round by round where
each pod goes, which stay pending and why, and what the budgets block. CLUSTER/NODE
names a node that several clusters have.`,
	setUp: func(c *call, f *flag.FlagSet) func([]string) error {
		p := registerReplay(c, f)
		f.Var(&p.federations, "federation", "a cluster, a `FILE` with its nodes, pods and budgets; may be repeated; NAME=FILE names the cluster")
		return func(nodes []string) error {
			p.federations = c.asked(p.federations, p.contexts)
			switch {
			case len(nodes) == 0:
				return c.misuse("NODE is missing")
			case len(p.federations) == 0:
				return c.misuse("--federation is missing: give the nodes and pods of the cluster")
			}
			return p.drain(c, nodes)
		}
	},
}

var consolidate = &command{
	name: "consolidate", group: clustersGroup, summary: "say which nodes can be emptied, and what that saves",
	use: "DUMP…", args: []string{"DUMP…"},
	examples: `  berth consolidate dump.yaml --pools pools.yaml
  berth consolidate dump.yaml --moves 20 --format json`,
	details: `Berth looks for nodes whose pods find room elsewhere, where kube-scheduler would put
them, without preemption and under PodDisruptionBudgets. It takes the dearest and
emptiest nodes first. Nodes with pods that no controller recreates, or that would lose
an emptyDir, stay. The prices of nodes come from a file of pools, by the label
node.kubernetes.io/instance-type.`,
	setUp: func(c *call, f *flag.FlagSet) func([]string) error {
		p := registerReplay(c, f)
		run := p.ofDumps(c, f, (*replayFlags).consolidate)
		parsed(f, &p.moves, "moves", "most `PODS` that move (default: any number)", "a whole number from 1 on", whole(1, math.MaxInt))
		return run
	},
}

// replayFlags are the flags of the commands that replay kube-scheduler.
type replayFlags struct {
	federations list
	contexts    list // contexts of kubectl; plug-in only
	pools       string
	zone        string // zone that fails
	rollout     string // file with the Deployments to update
	moves       int
	scheduler   kube.Profile
	output      string
	scoring     string
	strict      bool
}

// scorings are the values of --scoring, in the order of [score.Strategy].
var scorings = []string{"LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"}

func registerReplay(c *call, f *flag.FlagSet) *replayFlags {
	p := &replayFlags{scheduler: kube.Default()}
	c.contextsFlag(f, &p.contexts)
	choose(f, &p.scoring, "scoring", "how the scheduler scores the resources of nodes", scorings...)
	f.Func("weights", "how much scores count, `PLUGIN=WEIGHT,…`, such as NodeResourcesFit=5,PodTopologySpread=0 (default: those of kube-scheduler)", func(text string) error {
		return setWeights(&p.scheduler.Weights, text)
	})
	f.Func("shape", "the score, 0 to 10, of a node by its use in per cent, for --scoring RequestedToCapacityRatio: `USE=SCORE,…` (default: 0=0,100=10)", func(text string) (err error) {
		p.scheduler.Fit.Shape, err = shapeOf(text)
		return err
	})
	f.BoolVar(&p.strict, "strict", false, "treat warnings as errors")
	choose(f, &p.output, "format", "output format", "text", "json")
	return p
}

// ofDumps adds the flag --pools and returns a function that runs a command on dumps.
func (p *replayFlags) ofDumps(c *call, f *flag.FlagSet, run func(*replayFlags, *call, []string) error) func([]string) error {
	poolsFlag(f, &p.pools)
	return func(names []string) error {
		names = c.asked(names, p.contexts)
		if len(names) == 0 {
			return c.misuse("DUMP is missing")
		}
		return run(p, c, names)
	}
}

func poolsFlag(f *flag.FlagSet, to *string) {
	f.StringVar(to, "pools", "", "a `FILE` of the kinds of nodes that can be added: type, allocatable, labels, taints, price an hour, minimum, maximum")
}

// pools reads a file of pools; nil without a file.
func (c *call) pools(file string, strict bool) ([]kube.NodeType, error) {
	if file == "" {
		return nil, nil
	}
	name, text, err := c.text(file, scenario.MaxBytes)
	if err != nil {
		return nil, err
	}
	pools, found := manifest.ReadPools(name, text, c.options(strict))
	if pools == nil {
		return nil, &scenario.InputError{Diagnostics: found}
	}
	return pools, nil
}

func (p *replayFlags) consolidate(c *call, names []string) error {
	pools, clusters, err := p.inputs(c, names)
	if err != nil {
		return err
	}
	return p.answer(c, kube.Consolidate(p.profile(), pools, p.moves, clusters...), true)
}

// provisioned prints which nodes of the pools to add so that all pending pods have room.
func (p *replayFlags) provisioned(c *call, clusters []*kube.Cluster, pools []kube.NodeType) error {
	var all provisions
	whole := true
	for _, one := range clusters {
		r := one.Provision(p.profile(), pools)
		whole = whole && len(r.Left) == 0
		all = append(all, r)
	}
	return p.answer(c, all, whole)
}

// provisions has a report for each of several clusters.
type provisions []*kube.ProvisionReport

// WriteText writes the reports one after the other.
func (all provisions) WriteText(w io.Writer) {
	for _, r := range all {
		r.WriteText(w)
	}
}

// setWeights parses weights by the names of kube-scheduler's plug-ins.
func setWeights(w *kube.Weights, text string) error {
	known := map[string]*int64{
		"NodeResourcesFit": &w.Fit, "NodeResourcesBalancedAllocation": &w.Balanced, "ImageLocality": &w.Image, "TaintToleration": &w.Taint,
		"NodeAffinity": &w.NodeAffinity, "PodTopologySpread": &w.Spread, "InterPodAffinity": &w.PodAffinity,
	}
	for one := range strings.SplitSeq(text, ",") {
		name, weight, _ := strings.Cut(one, "=")
		to := known[name]
		n, err := strconv.ParseInt(weight, 10, 32)
		if to == nil || err != nil || n < 0 {
			return fmt.Errorf("expected PLUGIN=WEIGHT, separated by commas, with a PLUGIN of %s", strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		*to = n
	}
	return nil
}

// shapeOf parses the points of a scoring function. Like kube-scheduler, it requires ascending
// utilizations.
func shapeOf(text string) (shape []score.Point, err error) {
	for one := range strings.SplitSeq(text, ",") {
		use, points, _ := strings.Cut(one, "=")
		u, errU := strconv.ParseInt(use, 10, 64)
		s, errS := strconv.ParseInt(points, 10, 64)
		rises := len(shape) == 0 || u > shape[len(shape)-1].Utilization
		if errU != nil || errS != nil || u < 0 || u > 100 || s < 0 || s > 10 || !rises {
			return nil, fmt.Errorf("expected USE=SCORE, separated by commas, with a USE from 0 to 100 that rises and a SCORE from 0 to 10, such as 0=0,80=10,100=2")
		}
		shape = append(shape, score.Point{Utilization: u, Score: s})
	}
	return shape, nil
}

func (p *replayFlags) profile() kube.Profile {
	p.scheduler.Fit.Strategy = score.Strategy(slices.Index(scorings, p.scoring))
	return p.scheduler
}

// options returns reader options with a budget that all files of the command share.
func (c *call) options(strict bool) (o format.Options) {
	o.Strict, o.Budget = strict, c.load(0)
	return o
}

// inputs reads the pools, if a file is given, and one cluster from each dump.
func (p *replayFlags) inputs(c *call, names []string) (pools []kube.NodeType, clusters []*kube.Cluster, err error) {
	pools, err = c.pools(p.pools, p.strict)
	for _, name := range names {
		if err != nil {
			break
		}
		var one *kube.Cluster
		one, err = c.cluster(name, c.options(p.strict))
		clusters = append(clusters, one)
	}
	return pools, clusters, err
}

func (p *replayFlags) pending(c *call, names []string) error {
	pools, clusters, err := p.inputs(c, names)
	if err != nil {
		return err
	}
	switch {
	case p.zone != "":
		return p.moved(c)(kube.Fail(p.profile(), p.zone, clusters...))
	case p.rollout != "":
		updates, err := c.updates(p.rollout, p.strict)
		if err != nil {
			return err
		}
		return p.moved(c)(kube.Rollout(p.profile(), updates, clusters...))
	case pools != nil:
		return p.provisioned(c, clusters, pools)
	}
	r := kube.Pending(p.profile(), clusters...)
	return p.answer(c, r, r.Left() == 0)
}

// updates reads the Deployments of a file.
func (c *call) updates(file string, strict bool) (all []kube.Update, err error) {
	name, text, err := c.text(file, scenario.MaxBytes)
	if err != nil {
		return nil, err
	}
	read, found := manifest.ReadDeployment(name, text, c.options(strict))
	if read == nil {
		return nil, &scenario.InputError{Diagnostics: found}
	}
	for _, d := range read {
		all = append(all, d.Updates()...)
	}
	return all, nil
}

func (p *replayFlags) drain(c *call, nodes []string) error {
	_, clusters, err := p.inputs(c, p.federations)
	if err != nil {
		return err
	}
	return p.moved(c)(kube.Drain(p.profile(), nodes, clusters...))
}

// moved returns a function that writes the report about pods that leave their nodes.
func (p *replayFlags) moved(c *call) func(*kube.DrainReport, error) error {
	return func(r *kube.DrainReport, err error) error {
		if err != nil {
			return badInputf("%s: %w", c.path, err)
		}
		return p.answer(c, r, r.Left() == 0 && len(r.Blocked) == 0)
	}
}

// answer writes a report. It returns errNotPlaced if some pods have no node.
func (p *replayFlags) answer(c *call, r interface{ WriteText(io.Writer) }, whole bool) error {
	return c.conclude(p.output, r, r.WriteText, false, whole)
}
