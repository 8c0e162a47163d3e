package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"berth/engine/stats"
)

func TestStudentPIsGonums(t *testing.T) {
	for _, v := range []int{1, 2, 3, 9, 29, 100, 999, 5000} {
		d := distuv.StudentsT{Sigma: 1, Nu: float64(v)}
		for x := -6.0; x <= 6; x += 0.37 {
			if got, want := stats.StudentP(x, v), 2*(1-d.CDF(math.Abs(x))); math.Abs(got-want) > 2e-9 {
				t.Errorf("P(|T| ≥ |%v|) with %d degrees of freedom is %v, want %v", x, v, got, want)
			}
		}
	}
	if p := stats.StudentP(math.Inf(-1), 3); p != 0 {
		t.Errorf("at infinity it is %v", p)
	}
}

func TestPairedP(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		d := make([]float64, 2+random.IntN(30))
		for i := range d {
			d[i] = 0.3 + random.NormFloat64()
		}
		mean, s := stat.MeanStdDev(d, nil)
		n := float64(len(d))
		want := 2 * distuv.StudentsT{Sigma: 1, Nu: n - 1}.Survival(math.Abs(mean)/(s/math.Sqrt(n)))
		if got := stats.PairedP(d); math.Abs(got-want) > 2e-9 {
			t.Errorf("of %v it is %v, want %v", d, got, want)
		}
		if got := stats.Deviation(d); math.Abs(got-s) > 1e-12 {
			t.Errorf("the deviation is %v, want %v", got, s)
		}
	}
	if p := stats.PairedP([]float64{2, 2, 2}); p != 0 {
		t.Errorf("of a difference without variance it is %v", p)
	}
	if p := stats.PairedP([]float64{0, 0}); p != 1 {
		t.Errorf("of no difference it is %v", p)
	}
	if p := stats.PairedP([]float64{1}); !math.IsNaN(p) {
		t.Errorf("of one it is %v", p)
	}
}
