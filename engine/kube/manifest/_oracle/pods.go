package main

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/apis/core/validation"
)

// job is a workload: a number of identical pods.
type job struct {
	pod  *v1.Pod
	pods int
}

func jobsOf(objects []runtime.Object) []job {
	var all []job
	for _, o := range objects {
		switch w := o.(type) {
		case *appsv1.Deployment:
			all = append(all, job{made(w.ObjectMeta, w.Spec.Template, "pod-template-hash"), int(*w.Spec.Replicas)})
		case *appsv1.StatefulSet:
			all = append(all, job{made(w.ObjectMeta, w.Spec.Template, "controller-revision-hash"), int(*w.Spec.Replicas)})
		case *batchv1.Job:
			all = append(all, job{made(w.ObjectMeta, w.Spec.Template, "job-name"), int(*w.Spec.Parallelism)})
		case *v1.Pod:
			all = append(all, job{w, 1})
		}
	}
	for _, j := range all {
		created(j.pod)
	}
	return all
}

// made returns a pod as the workload's controller creates it, including the label
// that the controller adds.
func made(of metav1.ObjectMeta, template v1.PodTemplateSpec, label string) *v1.Pod {
	p := &v1.Pod{ObjectMeta: *template.ObjectMeta.DeepCopy(), Spec: *template.Spec.DeepCopy()}
	p.Namespace, p.Name = of.Namespace, of.Name
	p.Labels[label] = of.Name
	legacyscheme.Scheme.Default(p)
	return p
}

// created applies the API server's changes to a new pod: tolerations for nodes that
// become not ready, and matchLabelKeys expanded into selectors.
func created(p *v1.Pod) {
	while := int64(300)
	for _, taint := range []string{v1.TaintNodeNotReady, v1.TaintNodeUnreachable} {
		p.Spec.Tolerations = append(p.Spec.Tolerations, v1.Toleration{
			Key: taint, Operator: v1.TolerationOpExists, Effect: v1.TaintEffectNoExecute, TolerationSeconds: &while,
		})
	}
	for i := range p.Spec.TopologySpreadConstraints {
		c := &p.Spec.TopologySpreadConstraints[i]
		for _, key := range c.MatchLabelKeys {
			value, labelled := p.Labels[key]
			chosen := slices.ContainsFunc(c.LabelSelector.MatchExpressions, func(e metav1.LabelSelectorRequirement) bool {
				return e.Key == key && e.Operator == metav1.LabelSelectorOpIn
			})
			if labelled && !chosen {
				c.LabelSelector.MatchExpressions = append(c.LabelSelector.MatchExpressions, metav1.LabelSelectorRequirement{
					Key: key, Operator: metav1.LabelSelectorOpIn, Values: []string{value},
				})
			}
		}
	}
}

// admits reports whether the API accepts a pod.
func admits(p *v1.Pod) bool {
	in := &core.Pod{}
	if legacyscheme.Scheme.Convert(p, in, nil) != nil {
		return false
	}
	options := podutil.GetValidationOptionsFromPodSpecAndMeta(&in.Spec, nil, &in.ObjectMeta, nil)
	return len(validation.ValidatePodCreate(in, options)) == 0
}
