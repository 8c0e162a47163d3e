package gap_test

import (
	"reflect"
	"strings"
	"testing"

	"berth/engine/input/gap"
	"berth/engine/must"
)

func TestReadsByJobAndAgent(t *testing.T) {
	got := must.Get(gap.Read("x", []byte("2 3\n1 2 3\r\n4 5 6\n\n10 20 30 40 50\t60 7 8.5\n"), nil))(t)
	want := &gap.Instance{
		Agents: 2, Jobs: 3, Costs: []float64{1, 4, 2, 5, 3, 6}, Resources: []gap.Resource{{Amounts: []float64{10, 40, 20, 50, 30, 60}, Capacities: []float64{7, 8.5}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// Examples: two jobs on three sites, three tasks on two processors, three jobs on two agents with
// two resources.
const (
	quadratic = "2 3 0.5\n0 4\n4 0\n0 1 2\n1 0 3\n2 3 0\n10 11 12\n20 21 22\n5 6\n7 8 9\n"
	tasks     = "3 2\n1 2 3\n4 5 6\n7 0\n9\n1 1 2\n3 4\noptimal value : 6\n"
	multiple  = "2 3 2\n1 2 3\n4 5 6\n10 11 12\n13 14 15\n16 17 18\n19 20 21\n5 6\n7 8\n"
)

func TestReadsTheOtherSorts(t *testing.T) {
	for text, want := range map[string]*gap.Instance{
		quadratic: {
			Agents: 3, Jobs: 2, Costs: []float64{10, 11, 12, 20, 21, 22}, Resources: []gap.Resource{{[]float64{5, 5, 5, 6, 6, 6}, []float64{7, 8, 9}}},
			Flows: []gap.Flow{{A: 0, B: 1, Weight: 4}}, Distances: []float64{0, 1, 2, 1, 0, 3, 2, 3, 0},
		},
		tasks: {
			Agents: 2, Jobs: 3, Costs: []float64{1, 4, 2, 5, 3, 6}, Resources: []gap.Resource{{[]float64{1, 1, 1, 1, 2, 2}, []float64{3, 4}}},
			Flows: []gap.Flow{{A: 0, B: 1, Weight: 7}, {A: 1, B: 2, Weight: 9}}, Distances: []float64{0, 1, 1, 0},
		},
		multiple: {
			Agents: 2, Jobs: 3, Costs: []float64{1, 4, 2, 5, 3, 6}, Resources: []gap.Resource{
				{[]float64{10, 16, 11, 17, 12, 18}, []float64{5, 7}}, {[]float64{13, 19, 14, 20, 15, 21}, []float64{6, 8}},
			},
		},
	} {
		if got, err := gap.Read("x", []byte(text), nil); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: got %+v, want %+v", err, got, want)
		}
	}
	for text, want := range map[string]string{
		strings.Replace(quadratic, "0 1 2", "1 1 2", 1):                                    "x:4:1: agent 1 has the distance 1 to itself, expected 0",
		strings.NewReplacer("0 4\n4", "0 4\n5", "0 1 2\n1", "0 1 2\n9").Replace(quadratic): "x:4:1: neither traffic nor distances are symmetric, expected one of them to be",
		strings.Replace(multiple, "18", "-18", 1):                                          `x:6:7: found "-18", expected the amount of job 3 on agent 2, a number from 0`,
	} {
		if _, err := gap.Read("x", []byte(text), nil); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
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

// Accepted instances are complete and finite; others are refused with a position.
func FuzzRead(f *testing.F) {
	f.Add([]byte("2 3\n1 2 3\n4 5 6\n10 20 30\n40 50 60\n7 8"))
	f.Add([]byte("1 1 0 0 0"))
	f.Add([]byte(quadratic))
	f.Add([]byte(tasks))
	f.Add([]byte(multiple))
	f.Add([]byte("99999999 99999999 1"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := gap.Read("f", text, nil)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("%q has no place", err)
			}
			return
		}
		all := [][]float64{p.Costs, p.Distances}
		for _, x := range p.Resources {
			all = append(all, x.Amounts, x.Capacities)
			if len(x.Amounts) != p.Agents*p.Jobs || len(x.Capacities) != p.Agents {
				t.Errorf("%d × %d has %d amounts, %d capacities", p.Agents, p.Jobs, len(x.Amounts), len(x.Capacities))
			}
		}
		if len(p.Costs) != p.Agents*p.Jobs || len(p.Flows) > 0 && len(p.Distances) != p.Agents*p.Agents {
			t.Errorf("%d × %d has %d costs, %d distances", p.Agents, p.Jobs, len(p.Costs), len(p.Distances))
		}
		for _, figures := range all {
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
