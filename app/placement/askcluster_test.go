//go:build !js

package placement

import (
	"strings"
	"testing"

	"berth/engine/placement/placementkind"
)

// The cluster answers for its own pods: which are pending, where those of a drained node
// go by name, and which nodes can be emptied. What cannot be asked is said.
func TestAskTheCluster(t *testing.T) {
	b := clusters(t)
	if lines := b.shownReport().Deployments[0].WouldLines(); len(lines) != 3 || !strings.Contains(lines[0], "kube-scheduler leaves 1 of 24 pods pending") || !strings.HasPrefix(lines[2], "they fit if ") {
		t.Errorf("what the scheduler would do: %q", lines)
	}
	answer := func(action, node string) string {
		b.clusterAsk.node = node
		b.askAbout(action)
		b.settle()
		if b.clusterAsk.problem != "" {
			return b.clusterAsk.problem
		}
		text := b.clusterAsk.answer.Headline
		for _, row := range b.clusterAsk.rows {
			text += "\n"
			for _, cell := range row.Cells {
				text += cell.Text + "|"
			}
		}
		return text
	}
	if got := answer(placementkind.AskPending, ""); got != "No pod is pending." {
		t.Errorf("pending: %s", got)
	}
	got := answer(placementkind.AskDrain, "frankfurt/frankfurt-1")
	if !strings.Contains(got, "1|") || !strings.Contains(got, "|frankfurt-1|frankfurt-") {
		t.Errorf("drain: %s", got)
	}
	if got := answer(placementkind.AskConsolidate, ""); !strings.Contains(got, "node") {
		t.Errorf("consolidate: %s", got)
	}
	for node, want := range map[string]string{"": "Enter the name of a node.", "nowhere": "there is no node"} {
		if got := answer(placementkind.AskDrain, node); !strings.Contains(got, want) {
			t.Errorf("drain of %q: %s, want %s", node, got, want)
		}
	}
}
