package federate_test

import (
	"fmt"
	"strings"
	"testing"

	"berth/engine/federate"
	_ "berth/engine/federate/schedulers"
	"berth/engine/golden"
)

// The page's table of features is generated from the schedulers' declarations.
func TestPageOfWhatSchedulersHeed(t *testing.T) {
	var b strings.Builder
	b.WriteString("| scheduler | several resources | unlike machines | machines that come and go | shares of a GPU | gangs | estimates |\n|---|---|---|---|---|---|---|\n")
	says := func(yes bool, otherwise string) string {
		if yes {
			return "yes"
		}
		return otherwise
	}
	for _, name := range federate.Names() {
		p, _ := federate.Lookup(name)
		unlike := says(p.Facts.Unlike, "refused")
		if p.Facts.Slots && !p.Facts.Unlike {
			unlike = "of one slot each"
		}
		gangs := says(p.Facts.Gangs, "task by task")
		if p.Facts.Rigid {
			gangs = "every job is one"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", name, says(!p.Facts.Slots, "refused"), unlike, says(p.Facts.Moves, "refused"),
			says(p.Facts.Pooled, "refused"), gangs, says(p.Facts.Estimates, "no"))
	}
	golden.Part(t, "../../web/docs/pages/decisions.md", "what schedulers heed", b.String())
}
