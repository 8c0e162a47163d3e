package main

import (
	"strings"
	"testing"
)

// The minimum of an autoscaler is placed, and a what-if can place its maximum.
func TestAutoscaler(t *testing.T) {
	const file = "testdata/honoured/autoscaler.yaml"
	args := []string{"place", "--federation", file, "--deployment", file, "--what-if"}
	_, stderr, _ := exec(t, "", append(args, "scale web maximum")...)
	if !strings.Contains(stderr, "4 of 9 pods fit.") {
		t.Errorf("at the maximum: %s", stderr)
	}
	_, stderr, _ = exec(t, "", append(args, "scale other maximum")...)
	if !strings.Contains(stderr, "no HorizontalPodAutoscaler scales a job \"other\"") {
		t.Errorf("without an autoscaler: %s", stderr)
	}
	stdout, _, _ := exec(t, "", "place", "--federation", file, "--deployment", file, "--format", "text")
	if !strings.Contains(stdout, "makes 5 to 9 pods: the minimum is placed") {
		t.Error(stdout)
	}
}
