package main

import (
	"testing"

	"berth/engine/golden"
)

// The golden files are like those of TestCommands.
func TestFragment(t *testing.T) {
	t.Chdir("testdata/fragment")
	const usual = "fragment --nodes nodes.csv --pods pods.csv"
	golden.Check(t, "transcript.txt", transcript(t, []string{
		"fragment --help", usual + " --format text", usual + " --policy fgd --policy random --seed 2 --arrive 0.9 --format text",
		usual + " --policy best-fit --arrive 0.2",
		"fragment", "fragment --nodes nodes.csv", usual + " --policy best", usual + " --policy fgd --policy fgd", usual + " --arrive 9", usual + " --format xml",
		"fragment --nodes wrong.csv --pods pods.csv", "fragment --nodes missing.csv --pods pods.csv", "fragment --nodes pods.csv --pods pods.csv",
	}, measured))
}
