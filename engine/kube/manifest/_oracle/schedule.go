package main

import (
	"context"
	"errors"
	"fmt"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/profile"
)

// oneScheduler is a scheduler whose cache is filled directly instead of from an API
// server.
type oneScheduler struct {
	*scheduler.Scheduler
	framework framework.Framework
	context   context.Context
	serial    int
}

func newScheduler(ctx context.Context, cluster []runtime.Object) (*oneScheduler, error) {
	var listed []runtime.Object // the objects that the listers of plug-ins and of the queue return
	for _, o := range cluster {
		switch x := o.(type) {
		case *v1.PersistentVolume:
			listed = append(listed, x)
		case *v1.PersistentVolumeClaim:
			metav1.SetMetaDataAnnotation(&x.ObjectMeta, "pv.kubernetes.io/bind-completed", "yes")
			listed = append(listed, x)
		case *v1.Pod:
			x.UID = types.UID(x.Namespace + "/" + x.Name)
			created(x)
			if x.Spec.NodeName == "" {
				listed = append(listed, x)
			}
		}
	}
	client := fake.NewClientset(listed...)
	watched := informers.NewSharedInformerFactory(client, 0)
	recorder := func(string) events.EventRecorder { return events.NewFakeRecorder(1000) }
	made, err := scheduler.New(ctx, client, watched, nil, profile.RecorderFactory(recorder))
	if err != nil {
		return nil, err
	}
	watched.Start(ctx.Done())
	watched.WaitForCacheSync(ctx.Done())
	// The handlers fill the queue and the caches of volumes. Until the queue holds a nominated pod,
	// the scheduler counts this pod without its requests.
	if err := made.WaitForHandlersSync(ctx); err != nil {
		return nil, err
	}
	for _, name := range []string{"default", "other"} {
		ns := &v1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{v1.LabelMetadataName: name}}}
		if err := watched.Core().V1().Namespaces().Informer().GetIndexer().Add(ns); err != nil {
			return nil, err
		}
	}
	s := &oneScheduler{Scheduler: made, framework: made.Profiles[v1.DefaultSchedulerName], context: ctx}
	return s, s.fill(cluster)
}

// fill adds the nodes and the active pods on them to the cache.
func (s *oneScheduler) fill(cluster []runtime.Object) error {
	for _, o := range cluster {
		if n, ok := o.(*v1.Node); ok {
			s.Cache.AddNode(klog.Background(), n)
		}
	}
	for _, o := range cluster {
		p, ok := o.(*v1.Pod)
		if !ok || p.Spec.NodeName == "" || p.Status.Phase == v1.PodSucceeded || p.Status.Phase == v1.PodFailed {
			continue
		}
		if err := s.Cache.AddPod(klog.Background(), p); err != nil {
			return err
		}
	}
	return nil
}

// next returns a new pending pod of a job.
func (s *oneScheduler) next(j job) *v1.Pod {
	s.serial++
	p := j.pod.DeepCopy()
	p.Name = fmt.Sprintf("%s-%d", p.Name, s.serial)
	p.UID, p.Spec.NodeName = types.UID(p.Namespace+"/"+p.Name), ""
	return p
}

// inOrder schedules the pods one after the other. It returns the scheduler's message
// about the first pod that fits on no node, or "", and removes the pods from the
// cache again.
func (s *oneScheduler) inOrder(jobs []job) (words string, err error) {
	var placed []*v1.Pod
	defer func() {
		for _, p := range placed {
			err = errors.Join(err, s.Cache.RemovePod(klog.Background(), p))
		}
	}()
	for _, j := range jobs {
		for range j.pods {
			p := s.next(j)
			got, err := s.SchedulePod(s.context, s.framework, framework.NewCycleState(), p)
			var fit *framework.FitError
			if errors.As(err, &fit) {
				return fit.Error(), nil
			}
			if err != nil {
				return "", err
			}
			p.Spec.NodeName = got.SuggestedHost
			if err := s.Cache.AddPod(klog.Background(), p); err != nil {
				return "", err
			}
			placed = append(placed, p)
		}
	}
	return "", nil
}

// most limits the number of steps of a search.
const most = 3000

// inAnyOrder searches for an order and choice of nodes that places all pods. whole
// reports whether the search was exhaustive or successful.
func (s *oneScheduler) inAnyOrder(jobs []job) (found, whole bool) {
	left := make([]int, len(jobs))
	for i, j := range jobs {
		left[i] = j.pods
	}
	steps, seen := 0, map[string]bool{}
	on := map[string]int{} // pods by job and node
	var search func() bool
	search = func() bool {
		state := fmt.Sprint(on) // fmt sorts maps by key
		if seen[state] {
			return false
		}
		seen[state] = true
		done := true
		for i, j := range jobs {
			if left[i] == 0 {
				continue
			}
			done = false
			for _, node := range s.feasible(s.next(j)) {
				if steps++; steps > most {
					return false
				}
				p, key := s.next(j), fmt.Sprint(i, " ", node)
				p.Spec.NodeName = node
				s.Cache.AddPod(klog.Background(), p)
				left[i]--
				on[key]++
				ok := search()
				s.Cache.RemovePod(klog.Background(), p)
				left[i]++
				on[key]--
				if on[key] == 0 {
					delete(on, key)
				}
				if ok {
					return true
				}
			}
		}
		return done
	}
	found = search()
	return found, found || steps <= most
}

// feasible lists the nodes that pass all filters for a pod.
func (s *oneScheduler) feasible(p *v1.Pod) (nodes []string) {
	s.SchedulePod(s.context, s.framework, framework.NewCycleState(), p) // updates the snapshot
	all, err := s.framework.SnapshotSharedLister().NodeInfos().List()
	if err != nil {
		return nil
	}
	state := framework.NewCycleState()
	admitted, status, _ := s.framework.RunPreFilterPlugins(s.context, state, p)
	if !status.IsSuccess() {
		return nil
	}
	for _, n := range all {
		name := n.Node().Name
		if (admitted.AllNodes() || admitted.NodeNames.Has(name)) && s.framework.RunFilterPluginsWithNominatedPods(s.context, state, p, n).IsSuccess() {
			nodes = append(nodes, name)
		}
	}
	return nodes
}
