package gap_test

import (
	"reflect"
	"strings"
	"testing"

	"berth/engine/gap"
)

func TestReadsByJobAndAgent(t *testing.T) {
	got, err := gap.Read("x", []byte("2 3\n1 2 3\r\n4 5 6\n\n10 20 30 40 50\t60 7 8.5\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := &gap.Instance{
		Agents: 2, Jobs: 3, Costs: []float64{1, 4, 2, 5, 3, 6}, Amounts: []float64{10, 40, 20, 50, 30, 60}, Capacities: []float64{7, 8.5},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestSaysWhereAnInstanceIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "f:1:1: the file ends here, expected the number of agents",
		"2":                     "f:1:2: the file ends here, expected the number of jobs",
		"0 3":                   "f:1:1: found 0, expected the number of agents, a whole number from 1 to 4194304",
		"2 1.5":                 "f:1:3: found 1.5, expected the number of jobs, a whole number from 1 to 4194304",
		"graph {}":              `f:1:1: found "graph", expected the number of agents, a number from 0`,
		"4194304 4194304":       "f:1:1: 4194304 agents × 4194304 jobs are more than the 4194304 that are read",
		"1 2\n3":                "f:2:2: the file has fewer than the 7 numbers that 1 agents and 2 jobs take",
		"1 2\n3 4\n1 1       ":  "f:3:11: the file ends here, expected the capacity of agent 1",
		"1 2\n3 x\n1 1\n9":      `f:2:3: found "x", expected the cost of job 2 on agent 1, a number from 0`,
		"1 2\n3 4\n1 -1\n9":     `f:3:3: found "-1", expected the amount of job 2 on agent 1, a number from 0`,
		"1 2\n3 4\n1 1\ninf":    `f:4:1: found "inf", expected the capacity of agent 1, a number from 0`,
		"1 2\n3 4\n1 1\n9\n1 2": `f:5:1: found "1" after the last capacity, expected the end of the file; one instance is read`,
	} {
		got, err := gap.Read("f", []byte(text), nil)
		if err == nil || err.Error() != want || got != nil {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]bool{" 5 15\n 17": true, "graph { 1 -- 2 }": false, "": false, "7": false, "5,15": false, strings.Repeat(" ", 300) + "5 15": false} {
		if got := gap.Detect([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// Whatever is read is whole and finite; whatever is not is refused with a place.
func FuzzRead(f *testing.F) {
	f.Add([]byte("2 3\n1 2 3\n4 5 6\n10 20 30\n40 50 60\n7 8"))
	f.Add([]byte("1 1 0 0 0"))
	f.Add([]byte("99999999 99999999 1"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := gap.Read("f", text, nil)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("%q has no place", err)
			}
			return
		}
		if len(p.Costs) != p.Agents*p.Jobs || len(p.Amounts) != len(p.Costs) || len(p.Capacities) != p.Agents {
			t.Errorf("%d × %d has %d costs, %d amounts, %d capacities", p.Agents, p.Jobs, len(p.Costs), len(p.Amounts), len(p.Capacities))
		}
		for _, figures := range [][]float64{p.Costs, p.Amounts, p.Capacities} {
			for _, v := range figures {
				if !(v >= 0 && v < 1e308) {
					t.Errorf("figure %v", v)
				}
			}
		}
		if !gap.Detect(text) && len(text) < 100 {
			t.Errorf("%q is read, but not recognised", text)
		}
	})
}
