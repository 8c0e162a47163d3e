package main

import (
	"strings"
	"testing"
)

func TestLicences(t *testing.T) {
	stdout, stderr, code := exec(t, "", "--licences")
	if code != statusPlaced || stderr != "" || !strings.Contains(stdout, "github.com/nats-io/nats.go v") {
		t.Errorf("status %d, %q; the licences begin with %.200q", code, stderr, stdout)
	}
}
