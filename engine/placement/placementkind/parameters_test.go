package placementkind_test

import (
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

func TestEveryParameterHasItsPlaceAndBounds(t *testing.T) {
	for _, p := range placementkind.Parameters() {
		if p.Switch {
			d, on := placementkind.Document{}, 1.0
			if err := p.Set(&d, &on); err != nil || p.Value(&d) != 1 {
				t.Errorf("%s: %v, %v", p.Name, p.Value(&d), err)
			}
			continue
		}
		for x, right := range map[float64]bool{p.High: true, p.High * 1.5: false, p.Low + 1: true, -1: false} {
			d := placementkind.Document{
				Federation:  placementkind.GraphSource{Text: "graph {}"},
				Deployments: []placementkind.GraphSource{{Text: "digraph {}"}},
				Strategies:  []placementkind.StrategyRun{{Name: "heuristic"}},
			}
			must.Do(t, p.Set(&d, &x))
			var found scenario.Problems
			d.Validate("placement", &found)
			want := "placement." + p.JSONPath() + ": found "
			if right == (len(found.List) > 0) || !right && !(strings.HasPrefix(found.List[0].Text(), want) && strings.HasSuffix(found.List[0].Text(), "expected "+p.Expected())) {
				t.Errorf("%s of %v: %v", p.Name, x, found.Err())
			}
		}
	}
}
