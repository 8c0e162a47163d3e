package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// asked is a dump with the scheduler's decisions about its pending pods, in queue order, up to and
// including the first decision that preempts pods.
type asked struct {
	Case string          `json:"case"`
	Dump json.RawMessage `json:"dump"`
	Pods []decision      `json:"pods"`
}

// decision is the scheduler's decision about a pod. The scheduler chooses at random among nodes
// with equal scores, so Would is the first of them by name.
type decision struct {
	Pod      string   `json:"pod"`   // namespace/name
	Would    string   `json:"would"` // "" if the pod stays pending
	Words    string   `json:"words"`
	Ties     int      `json:"ties"`     // number of nodes that the scheduler may choose
	Preempts []string `json:"preempts"` // names of the preempted pods, most important first
}

// ask schedules the pending pods of a dump.
func ask(dump []byte) (all []decision, err error) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	objects, err := decode(string(dump))
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(objects, func(a, b runtime.Object) int { // the order in which the API lists objects
		of, other := a.(metav1.Object), b.(metav1.Object)
		return cmp.Or(cmp.Compare(of.GetNamespace(), other.GetNamespace()), cmp.Compare(of.GetName(), other.GetName()))
	})
	s, err := newScheduler(ctx, objects)
	if err != nil {
		return nil, err
	}
	var waiting []*v1.Pod
	for _, o := range objects {
		p, ok := o.(*v1.Pod)
		if ok && !admits(p) {
			return nil, errLeftOut
		}
		if ok && p.Spec.NodeName == "" {
			waiting = append(waiting, p)
			s.nominate(p, &framework.NominatingInfo{NominatingMode: framework.ModeOverride, NominatedNodeName: p.Status.NominatedNodeName})
		}
	}
	slices.SortStableFunc(waiting, func(a, b *v1.Pod) int {
		return cmp.Or(cmp.Compare(corev1helpers.PodPriority(b), corev1helpers.PodPriority(a)), a.CreationTimestamp.Time.Compare(b.CreationTimestamp.Time))
	})
	for _, p := range waiting {
		d, err := s.decide(p, budgetsOf(objects))
		if err != nil {
			return nil, err
		}
		if all = append(all, *d); len(d.Preempts) > 0 {
			break
		}
	}
	return all, nil
}

func budgetsOf(objects []runtime.Object) (all []*policyv1.PodDisruptionBudget) {
	for _, o := range objects {
		if b, ok := o.(*policyv1.PodDisruptionBudget); ok {
			all = append(all, b)
		}
	}
	return all
}

func (s *oneScheduler) nominate(p *v1.Pod, to *framework.NominatingInfo) {
	info, err := framework.NewPodInfo(p)
	if err != nil {
		panic(err) // admits has already validated its selectors
	}
	s.SchedulingQueue.AddNominatedPod(klog.Background(), info, to)
}

// decide schedules a pod, and assumes it on its node.
func (s *oneScheduler) decide(p *v1.Pod, budgets []*policyv1.PodDisruptionBudget) (*decision, error) {
	d, state := &decision{Pod: p.Namespace + "/" + p.Name, Preempts: []string{}}, framework.NewCycleState()
	got, err := s.SchedulePod(s.context, s.framework, state, p)
	var fit *framework.FitError
	if errors.As(err, &fit) {
		d.Words = fit.Error()
		return d, s.preempt(d, state, p, fit.Diagnosis.NodeToStatus, budgets)
	}
	if err != nil {
		return nil, err
	}
	best, err := s.best(p)
	if err != nil || !slices.Contains(best, got.SuggestedHost) {
		return nil, fmt.Errorf("%s: the scheduler chooses %s among the equal nodes %v: %w", d.Pod, got.SuggestedHost, best, err)
	}
	d.Would, d.Ties = best[0], len(best)
	placed := p.DeepCopy()
	placed.Spec.NodeName = d.Would
	s.SchedulingQueue.DeleteNominatedPodIfExists(placed)
	return d, s.Cache.AssumePod(klog.Background(), placed)
}

// best returns the nodes among which the scheduler chooses at random for a pod.
func (s *oneScheduler) best(p *v1.Pod) (names []string, err error) {
	names = s.feasible(p)
	if slices.Contains(names, p.Status.NominatedNodeName) {
		return []string{p.Status.NominatedNodeName}, nil
	}
	var nodes []fwk.NodeInfo
	for _, name := range names {
		n, err := s.framework.SnapshotSharedLister().NodeInfos().Get(name)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	state := framework.NewCycleState()
	if _, status, _ := s.framework.RunPreFilterPlugins(s.context, state, p); !status.IsSuccess() {
		return nil, status.AsError()
	}
	if status := s.framework.RunPreScorePlugins(s.context, state, p, nodes); !status.IsSuccess() {
		return nil, status.AsError()
	}
	scores, status := s.framework.RunScorePlugins(s.context, state, p, nodes)
	if !status.IsSuccess() {
		return nil, status.AsError()
	}
	most := slices.MaxFunc(scores, func(a, b framework.NodePluginScores) int { return cmp.Compare(a.TotalScore, b.TotalScore) }).TotalScore
	names = nil
	for _, n := range scores {
		if n.TotalScore == most {
			names = append(names, n.Name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// preempt runs the scheduler's preemption for a pod that fits on no node, and records the result in
// d.
func (s *oneScheduler) preempt(d *decision, state fwk.CycleState, p *v1.Pod, status *framework.NodeToStatus, budgets []*policyv1.PodDisruptionBudget) error {
	if len(p.Spec.SchedulingGates) > 0 {
		return nil
	}
	plugin, err := defaultpreemption.New(s.context, &config.DefaultPreemptionArgs{MinCandidateNodesPercentage: 100, MinCandidateNodesAbsolute: 1}, s.framework, feature.Features{})
	if err != nil {
		return err
	}
	if may, _ := plugin.PodEligibleToPreemptOthers(s.context, p, status.Get(p.Status.NominatedNodeName)); !may {
		return nil
	}
	nodes, err := status.NodesForStatusCode(s.framework.SnapshotSharedLister().NodeInfos(), fwk.Unschedulable)
	if err != nil {
		return err
	}
	var candidates []preemption.Candidate
	if len(nodes) > 0 {
		if candidates, _, err = plugin.Evaluator.DryRunPreemption(s.context, state, p, nodes, budgets, 0, int32(len(nodes))); err != nil {
			return err
		}
	}
	if len(candidates) == 0 {
		s.nominate(p, &framework.NominatingInfo{NominatingMode: framework.ModeOverride})
		return nil
	}
	best := equals(s.context, plugin.Evaluator, candidates)
	d.Would, d.Words, d.Ties = best[0].Name(), "", len(best)
	for _, v := range best[0].Victims().Pods {
		d.Preempts = append(d.Preempts, v.Namespace+"/"+v.Name)
	}
	return nil
}

// equals returns the preemption candidates, by name, that the scheduler may choose. Its choice
// among equal candidates depends on the iteration order of a map, so equals compares each one with
// the chosen one 64 times.
func equals(ctx context.Context, e *preemption.Evaluator, all []preemption.Candidate) (best []preemption.Candidate) {
	const often = 64
	chosen := e.SelectCandidate(ctx, all).Name()
	for _, c := range all {
		for i := 0; i < often; i++ {
			pair := slices.DeleteFunc(slices.Clone(all), func(o preemption.Candidate) bool { return o.Name() != c.Name() && o.Name() != chosen })
			if e.SelectCandidate(ctx, pair).Name() == c.Name() {
				best = append(best, c)
				break
			}
		}
	}
	slices.SortFunc(best, func(a, b preemption.Candidate) int { return cmp.Compare(a.Name(), b.Name()) })
	return best
}
