package runs_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"berth/engine/fault"
	"berth/engine/runs"
)

// memory keeps all results except that of row 4.
type memory struct{ runs.Memory[int, int] }

func (m *memory) Put(ctx context.Context, row int, r *int) error {
	if row == 4 {
		return nil
	}
	return m.Memory.Put(ctx, row, r)
}

// squares executes rows 0 to 9. Row 3 ends when it begins.
func squares(workers runs.Workers[int, int], keeper *memory) (results map[int]int, known []int, err error) {
	results = map[int]int{}
	e := runs.Executor[int, int]{
		Workers: workers, Keeper: keeper,
		Begin: func(row *int) *int {
			if *row == 3 {
				return new(-1)
			}
			return nil
		},
		Ended: func(row int, r *int, was bool) {
			results[row] = *r
			if was {
				known = append(known, row)
			}
		},
	}
	return results, known, e.Execute(context.Background(), []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
}

func square(_ context.Context, row int) (*int, error) { return new(row * row), nil }

func TestEachRowEndsOnceWhateverCarriesItOut(t *testing.T) {
	for name, workers := range map[string]runs.Workers[int, int]{"in order": runs.InOrder(square), "four at once": runs.AtOnce(4, square)} {
		keeper := &memory{}
		results, known, err := squares(workers, keeper)
		if err != nil || len(results) != 10 || results[9] != 81 || results[3] != -1 || known != nil {
			t.Errorf("%s: %v, %v, known %v", name, err, results, known)
		}
		again := 0
		results, known, err = squares(runs.InOrder(func(ctx context.Context, row int) (*int, error) {
			again++
			return square(ctx, row)
		}), keeper)
		if err != nil || len(results) != 10 || again != 1 || !slices.Equal(known, []int{0, 1, 2, 5, 6, 7, 8, 9}) {
			t.Errorf("%s, with what was kept: %v, %v, known %v, and %d carried out", name, err, results, known, again)
		}
	}
}

func TestWhatStopsRowsIsTheError(t *testing.T) {
	broken := errors.New("broken")
	for name, test := range map[string]struct {
		run  func(context.Context, int) (*int, error)
		want func(error) bool
	}{
		"an error": {func(ctx context.Context, row int) (*int, error) {
			if row == 5 {
				return nil, broken
			}
			return square(ctx, row)
		}, func(err error) bool { return errors.Is(err, broken) }},
		"a panic": {func(ctx context.Context, row int) (*int, error) {
			if row == 5 {
				panic(broken)
			}
			return square(ctx, row)
		}, func(err error) bool { return errors.As(err, new(*fault.Fault)) }},
	} {
		results, _, err := squares(runs.AtOnce(1, test.run), &memory{})
		if !test.want(err) || len(results) != 5 {
			t.Errorf("%s: %v after %v", name, err, results)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := 0
	e := runs.Executor[int, int]{Workers: runs.AtOnce(2, square), Ended: func(int, *int, bool) {
		if ended++; ended == 3 {
			stop()
		}
	}}
	if err := e.Execute(ctx, make([]int, 100)); !errors.Is(err, context.Canceled) || ended > 4 {
		t.Errorf("%v after %d rows, want a stop after the rows under way", err, ended)
	}
}
