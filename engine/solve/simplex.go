package solve

import "math"

// simplex maximizes the total gain of columns. Each column is used a number of times ≥ 0, and the
// entries must sum to at most 1 in each row. Columns can be added between solutions. It is the
// revised primal method with an explicit inverse.
type simplex struct {
	columns []column
	inverse [][]float64 // inverse of the basis, by row
	amount  []float64   // by row: the value of its basic variable
	price   []float64   // by row: the dual solution
	basis   []int32     // by row: a column, -1 for a slack
	next    int         // where pricing continues
	nonzero []int32     // scratch: nonzero entries of the pivot row
	entry   []float64   // by row: scratch, the entering column
}

// column is a variable of the program: its entries and its gain. A column without a positive entry
// must have gain ≤ 0; otherwise the program is unbounded.
type column struct {
	rows    []int32
	entries []float64
	gain    float64
}

func newSimplex(rows int) simplex {
	x := simplex{inverse: make([][]float64, rows), amount: make([]float64, rows), price: make([]float64, rows), entry: make([]float64, rows)}
	for row := range x.inverse {
		x.basis = append(x.basis, -1)
		x.inverse[row] = make([]float64, rows)
		x.inverse[row][row] = 1
		// Perturb the right-hand sides slightly, so that ratio tests have no ties.
		x.amount[row] = 1 + float64(1e-2*float64(1+row*7919%rows)/float64(rows))
	}
	return x
}

// pivot brings a column with a reduced gain above enough, or the slack of a row with a price below
// −enough, into the basis. It scans the columns in parts and takes the best of the first part that
// has one. It returns false if no column gains.
func (x *simplex) pivot(enough float64) bool {
	column, most := -1, enough
	part := 256 + len(x.columns)/16
	for tried := 0; tried < len(x.columns) && column < 0; tried += part {
		for range min(part, len(x.columns)-tried) {
			x.next++
			if x.next >= len(x.columns) {
				x.next = 0
			}
			c := &x.columns[x.next]
			v := c.gain
			for e, row := range c.rows {
				v -= float64(c.entries[e] * x.price[row])
			}
			if v > most {
				column, most = x.next, v
			}
		}
	}
	slack := -1
	for row, v := range x.price {
		if -v > most {
			slack, most = row, -v
		}
	}
	if column < 0 && slack < 0 {
		return false
	}
	for row, inverse := range x.inverse {
		if slack >= 0 {
			x.entry[row] = inverse[slack]
			continue
		}
		var v float64
		for e, other := range x.columns[column].rows {
			v += float64(x.columns[column].entries[e] * inverse[other])
		}
		x.entry[row] = v
	}
	leaving, step := -1, math.Inf(1)
	for row, v := range x.entry {
		if v > 1e-9 && x.amount[row] < step*v {
			leaving, step = row, x.amount[row]/v
		}
	}
	if leaving < 0 {
		return false
	}
	x.exchange(leaving, most)
	x.basis[leaving] = int32(column)
	if slack >= 0 {
		x.basis[leaving] = -1
	}
	return true
}

// exchange replaces the basic variable of a row by the entering column, whose reduced gain is gain.
func (x *simplex) exchange(row int, gain float64) {
	chosen, pivot := x.inverse[row], x.entry[row]
	x.nonzero = x.nonzero[:0]
	for i, v := range chosen {
		if v != 0 {
			chosen[i] = v / pivot
			x.nonzero = append(x.nonzero, int32(i))
		}
	}
	x.amount[row] /= pivot
	for other, factor := range x.entry {
		if other != row && factor != 0 {
			addSparse(x.inverse[other], chosen, x.nonzero, -factor)
			x.amount[other] = max(0, x.amount[other]-float64(factor*x.amount[row]))
		}
	}
	addSparse(x.price, chosen, x.nonzero, gain)
}

func addSparse(to, from []float64, at []int32, factor float64) {
	for _, i := range at {
		to[i] += float64(factor * from[i])
	}
}

// reprice recomputes the prices after gains have changed.
func (x *simplex) reprice() {
	clear(x.price)
	for row, column := range x.basis {
		if column >= 0 {
			AddProducts(x.price, x.inverse[row], x.columns[column].gain)
		}
	}
}
