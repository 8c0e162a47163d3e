package main

import (
	"fmt"
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// TestQueueHoldsThePendingPods makes a scheduler for more pods than an informer delivers at once.
func TestQueueHoldsThePendingPods(t *testing.T) {
	var pods []runtime.Object
	for i := range 20000 {
		pods = append(pods, &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprint("p", i)}, Spec: v1.PodSpec{SchedulerName: v1.DefaultSchedulerName}})
	}
	s, err := newScheduler(t.Context(), pods)
	if err != nil {
		t.Fatal(err)
	}
	if held, _ := s.SchedulingQueue.PendingPods(); len(held) != len(pods) {
		t.Errorf("the queue holds %d of %d pods", len(held), len(pods))
	}
}
