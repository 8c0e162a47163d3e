package onequeue_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"regexp"
	"slices"
	"strings"
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/federate/federatetest"
	"berth/engine/federate/federatetest/onequeue"
	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/scenario"
)

func init() {
	scenario.Register(federatekind.Kind)
	if err := federate.Register(onequeue.Plugin); err != nil {
		panic(err)
	}
}

func TestASchedulerFromOutsideConforms(t *testing.T) { federatetest.Conform(t, onequeue.Plugin) }

// Three jobs run on four workers. The last one waits for the second to end.
func Example() {
	load, err := trace.ReadTrace("three.tr", strings.NewReader("0 3 10 10 10 10\n1 1 5 5\n2 1 1 1\n"), workload.Window{})
	if err != nil {
		log.Fatal(err)
	}
	r, err := federate.Run(context.Background(), "one-queue", federate.Default(4, 2, 2), load, federate.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d tasks, up to %.4f s to start, %d messages\n", r.Tasks, r.Allocation.At("max"), r.Counters.Messages)
	// Output: 5 tasks, up to 4.0015 s to start, 10 messages
}

// The counters and notes of a scheduler appear in the report: in the table of the command line,
// also next to schedulers without that counter, and in JSON.
func TestASchedulerFromOutsideTellsOfItsRun(t *testing.T) {
	s := federatekind.New("told", federatekind.Document{
		Trace: scenario.Source{Name: "three.tr", Text: "0 3 10 10 10 10\n1 1 5 5\n2 1 1 1\n"}, Workers: 4, GMs: 2, LMs: 2,
		Schedulers: []string{"one-queue", "ideal"}, Seed: 1,
	})
	all := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	var text strings.Builder
	federatekind.ReportOf(all).WriteText(&text, nil)
	report := federatekind.CommandReport(federatekind.ReportOf(all), nil)
	encoded := must.Get(json.Marshal(report))(t)
	row := regexp.MustCompile(`waits for a worker +1 +–\n`)
	if !row.MatchString(text.String()) || !strings.Contains(string(encoded), `"own":{"counters":[{"name":"waits for a worker","value":1}]`) {
		t.Errorf("the counter is not in\n%s\n%s", text.String(), encoded)
	}
	if want := []string{"one-queue: a task that no idle worker can run keeps all behind it waiting"}; !slices.Equal(all.Notes, want) {
		t.Errorf("the notes are %q, want %q", all.Notes, want)
	}
}
