package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	_ "unsafe" // for go:linkname

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	batchv1 "k8s.io/api/batch/v1"
	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/scale"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/policy"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	"k8s.io/kubernetes/pkg/controller/disruption"

	storage "berth/oracle/eviction"
)

// drained is a dump with the API server's answers when the pods of node n0 are evicted.
type drained struct {
	Case    string            `json:"case"`
	Dump    json.RawMessage   `json:"dump"`
	Rounds  int               `json:"rounds"`  // number of the last round of evictions
	Evicted map[string]int    `json:"evicted"` // by namespace/name: the round in which the pod leaves
	Refused map[string]string `json:"refused"` // by namespace/name of pods that stay: the API server's message
}

// evictor simulates an API server: its eviction handler and the disruption controller, on the
// objects of a dump.
type evictor struct {
	ctx        context.Context
	client     *fake.Clientset
	controller *disruption.DisruptionController
	pods       cache.Indexer
	budgets    cache.Indexer
}

//go:linkname syncBudget k8s.io/kubernetes/pkg/controller/disruption.(*DisruptionController).sync
func syncBudget(*disruption.DisruptionController, context.Context, string) error

// noScale is a scale client without any scales. The controller only asks it about kinds other than
// the built-in workloads.
type noScale struct{ scale.ScaleInterface }

func (noScale) Scales(string) scale.ScaleInterface { return noScale{} }

func (noScale) Get(_ context.Context, of schema.GroupResource, name string, _ metav1.GetOptions) (*autoscalingv1.Scale, error) {
	return nil, apierrors.NewNotFound(of, name)
}

func newEvictor(ctx context.Context, objects []runtime.Object) (*evictor, error) {
	e := &evictor{ctx: ctx, client: fake.NewClientset()}
	watched := informers.NewSharedInformerFactory(e.client, 0)
	pods, apps, budgets := watched.Core().V1(), watched.Apps().V1(), watched.Policy().V1().PodDisruptionBudgets()
	e.pods, e.budgets = pods.Pods().Informer().GetIndexer(), budgets.Informer().GetIndexer()
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, kind := range []schema.GroupVersionKind{appsv1.SchemeGroupVersion.WithKind("DaemonSet"), batchv1.SchemeGroupVersion.WithKind("Job"), v1.SchemeGroupVersion.WithKind("Node")} {
		mapper.Add(kind, meta.RESTScopeNamespace)
	}
	e.controller = disruption.NewDisruptionController(ctx, pods.Pods(), budgets, pods.ReplicationControllers(), apps.ReplicaSets(), apps.Deployments(), apps.StatefulSets(),
		e.client, mapper, noScale{}, e.client.Discovery())
	for _, o := range objects {
		var err error
		switch x := o.(type) {
		case *v1.Pod:
			err = e.pods.Add(x)
		case *appsv1.ReplicaSet:
			err = apps.ReplicaSets().Informer().GetIndexer().Add(x)
		case *appsv1.Deployment:
			err = apps.Deployments().Informer().GetIndexer().Add(x)
		case *appsv1.StatefulSet:
			err = apps.StatefulSets().Informer().GetIndexer().Add(x)
		case *policyv1.PodDisruptionBudget:
			if err = e.budgets.Add(x); err == nil {
				err = e.client.Tracker().Add(x)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return e, nil
}

// settle lets the disruption controller compute the status of all budgets.
func (e *evictor) settle() error {
	for _, key := range e.budgets.ListKeys() {
		if err := syncBudget(e.controller, e.ctx, key); err != nil {
			return err
		}
	}
	return e.refresh()
}

// refresh copies the budgets of the API server into the controller's informer.
func (e *evictor) refresh() error {
	list, err := e.client.PolicyV1().PodDisruptionBudgets("").List(e.ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range list.Items {
		if err := e.budgets.Update(&list.Items[i]); err != nil {
			return err
		}
	}
	return nil
}

// onePod is a pod storage that contains a single pod.
type onePod struct {
	rest.StandardStorage
	pod  *core.Pod
	gone bool
}

func (s *onePod) Get(context.Context, string, *metav1.GetOptions) (runtime.Object, error) {
	return s.pod, nil
}

func (s *onePod) Update(ctx context.Context, _ string, to rest.UpdatedObjectInfo, _ rest.ValidateObjectFunc, _ rest.ValidateObjectUpdateFunc, _ bool, _ *metav1.UpdateOptions) (runtime.Object, bool, error) {
	o, err := to.UpdatedObject(ctx, s.pod)
	return o, false, err
}

func (s *onePod) Delete(context.Context, string, rest.ValidateObjectFunc, *metav1.DeleteOptions) (runtime.Object, bool, error) {
	s.gone = true
	return s.pod, true, nil
}

// evict asks the handler to evict a pod. It returns the API server's message if the pod stays.
func (e *evictor) evict(p *v1.Pod) (words string, err error) {
	s := &onePod{pod: &core.Pod{}}
	if err := legacyscheme.Scheme.Convert(p, s.pod, nil); err != nil {
		return "", err
	}
	said, err := storage.New(s, e.client.PolicyV1()).Create(e.ctx, p.Name, &policy.Eviction{ObjectMeta: metav1.ObjectMeta{Name: p.Name, Namespace: p.Namespace}}, nil, &metav1.CreateOptions{})
	var refused *apierrors.StatusError
	switch {
	case errors.As(err, &refused):
		return refused.ErrStatus.Message, e.refresh()
	case err != nil:
		return "", err
	case s.gone:
		return "", e.refresh()
	}
	return said.(*metav1.Status).Message, nil
}

// rounds evicts the pods in order, round by round, until a round evicts none or most rounds have
// passed. After each round, every evicted pod runs on another node and is as ready as before.
func (e *evictor) rounds(d *drained, leaving []*v1.Pod, most int) error {
	for left := leaving; len(left) > 0 && d.Rounds < most; {
		d.Rounds++
		var later, gone []*v1.Pod
		for _, p := range left {
			words, err := e.evict(p)
			if err != nil {
				return err
			}
			if d.Refused[keyOf(p)] = words; words != "" {
				later = append(later, p)
				continue
			}
			delete(d.Refused, keyOf(p))
			d.Evicted[keyOf(p)] = d.Rounds
			gone = append(gone, p)
		}
		if len(gone) == 0 {
			d.Rounds--
			return nil
		}
		for _, p := range gone {
			again := p.DeepCopy()
			again.Name, again.Spec.NodeName = p.Name+"-again", "n1"
			if err := errors.Join(e.pods.Delete(p), e.pods.Add(again)); err != nil {
				return err
			}
		}
		if err := e.settle(); err != nil {
			return err
		}
		left = later
	}
	return nil
}

func keyOf(p *v1.Pod) string { return p.Namespace + "/" + p.Name }

// drainOf drains node n0 of a case.
func drainOf(c *evictions) (*drained, error) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	objects, err := decode(list(c.items))
	if err != nil {
		return nil, err
	}
	e, err := newEvictor(ctx, objects)
	if err != nil {
		return nil, err
	}
	most := 1 // in a second round the controller would overwrite a drawn status
	if c.status != statusDrawn {
		most = 99
		if err := e.settle(); err != nil {
			return nil, err
		}
	}
	if c.status == statusComputed {
		for _, o := range c.items {
			if o := o.(object); o["kind"] == "PodDisruptionBudget" {
				meta := o["metadata"].(object)
				b, err := e.client.PolicyV1().PodDisruptionBudgets(meta["namespace"].(string)).Get(ctx, meta["name"].(string), metav1.GetOptions{})
				if err != nil {
					return nil, err
				}
				o["status"] = b.Status
			}
		}
	}
	d := &drained{Dump: json.RawMessage(list(c.items)), Evicted: map[string]int{}, Refused: map[string]string{}}
	return d, e.rounds(d, leaving(objects), most)
}

// leaving lists the pods that a drain of n0 evicts, by namespace and name.
func leaving(objects []runtime.Object) (all []*v1.Pod) {
	for _, o := range objects {
		p, ok := o.(*v1.Pod)
		if !ok || p.Spec.NodeName != "n0" || p.DeletionTimestamp != nil || p.Status.Phase == v1.PodSucceeded || p.Status.Phase == v1.PodFailed {
			continue
		}
		if of := metav1.GetControllerOf(p); of == nil || of.Kind != "DaemonSet" && of.Kind != "Node" {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b *v1.Pod) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return all
}
