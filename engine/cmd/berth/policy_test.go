package main

import (
	"regexp"
	"testing"

	"berth/engine/golden"
)

// The golden files are like those of TestCommands.
func TestPolicies(t *testing.T) {
	t.Chdir("testdata/policies")
	golden.Check(t, "policies.txt", transcript(t, []string{
		"check order.star", "check queue.star", "check pick.star", "check syntax.star", "check attribute.star", "check steps.star", "check nothing.star",
		"check stalls.star", "check overbooks.star", "check", "check missing.star",
		"place --federation federation.dot --deployment deployment.dot --policy order.star --format text",
		"place --federation federation.dot --deployment deployment.dot --strategy heuristic --policy order.star --format text",
		"place --federation federation.dot --deployment deployment.dot --policy refuses.star --format text",
		"place --federation federation.dot --deployment deployment.dot --policy attribute.star",
		"place --federation federation.dot --deployment deployment.dot --policy queue.star",
		"simulate --workload requests.csv --hosts hosts.csv --policy qos --policy queue.star --format text",
		"simulate --workload requests.csv --hosts hosts.csv --policy syntax.star",
		"federate --trace jobs.tr --workers 4 --gms 2 --lms 2 --scheduler fcfs --policy pick.star --scheduler pick.star --format text",
		"federate --trace jobs.tr --workers 4 --gms 2 --lms 2 --policy pick.star --scheduler fcfs --format text",
		"federate --trace jobs.tr --workers 4 --gms 2 --lms 2 --policy overbooks.star",
		"run written.json --format text", "run strategy.json", "run wrong.json", "run text.json", "link strategy.json",
	}, regexp.MustCompile(measured.String()+"|"+ran.String()+`|(?m), [\d.]+ s$`)))
}
