package lab

import "testing"

func TestPagesOfATable(t *testing.T) {
	var p Pages
	for _, c := range []struct {
		name     string
		do       func()
		n        int
		from, to int
	}{
		{"no row", func() {}, 0, 0, 0},
		{"one page", func() {}, 40, 0, 40},
		{"the first of three", func() {}, 81, 0, 40},
		{"that of the last row", func() { p.Show(80) }, 81, 80, 81},
		{"the last row went", func() {}, 80, 40, 80},
		{"that of a row", func() { p.Show(39) }, 80, 0, 40},
		{"of a row that is not there", func() { p.Show(-1) }, 80, 0, 40},
	} {
		c.do()
		if from, to := p.Of(c.n); from != c.from || to != c.to {
			t.Errorf("%s: rows %d to %d, want %d to %d", c.name, from, to, c.from, c.to)
		}
	}
}
