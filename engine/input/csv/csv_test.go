package csv_test

import (
	standard "encoding/csv"
	"errors"
	"math"
	"strings"
	"testing"

	"berth/engine/input/csv"
)

func TestTable(t *testing.T) {
	half, infinite := -0.5, math.Inf(1)
	got := string(csv.Table([][]string{
		{"job", "why"}, {"a,b", `say "no"`}, {"x\ny", ""}, {"a;b", csv.Number(infinite)}, {" c ", ""}, {csv.Number(half), csv.Number(math.NaN())}, {""},
	}))
	if want := "job,why\n\"a,b\",\"say \"\"no\"\"\"\n\"x\ny\",\n\"a;b\",Inf\n\" c \",\n-0.5,\n\"\"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// guarded maps cells to their form in a file that is safe for a spreadsheet.
var guarded = map[string]string{
	"=1+1": "'=1+1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\r=1": "'\r=1", "\n=1": "'\n=1", "＝1": "'＝1", "＠a": "'＠a", "＋a": "'＋a", "－a": "'－a",
	"+a": "'+a", "-a": "'-a", "-": "'-", "+": "'+", "--1": "'--1", "-1+cmd|' /C calc'!A0": "'-1+cmd|' /C calc'!A0", "-Inf": "'-Inf", "+nan": "'+nan",
	"-0x1": "'-0x1", "-1_0": "'-1_0", "+49 30": "'+49 30",
	"-1.5": "-1.5", "+3": "+3", "-1e5": "-1e5", "-.5": "-.5", "-1E-07": "-1E-07", "1": "1", "": "", "a=b": "a=b", "é": "é", " =1": " =1",
	"'": "'", "'a": "'a", "'-5": "'-5", "'=1": "''=1", "''=1": "'''=1", "'-a": "''-a",
}

func TestFormulasAreGuarded(t *testing.T) {
	for cell, want := range guarded {
		text := csv.Table([][]string{{cell, "b"}})
		rows, err := standard.NewReader(strings.NewReader(string(text))).ReadAll()
		if err != nil || len(rows) != 1 || len(rows[0]) != 2 {
			t.Fatalf("%q is written as %q: %v", cell, text, err)
		}
		if got := rows[0][0]; got != want {
			t.Errorf("%q is written as %q, want %q", cell, got, want)
		}
		if got := csv.Unguard(want); got != cell {
			t.Errorf("%q is read as %q, want %q", want, got, cell)
		}
	}
}

func FuzzRoundTrip(f *testing.F) {
	for cell := range guarded {
		f.Add(cell)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		rows, err := standard.NewReader(strings.NewReader(string(csv.Table([][]string{{cell}})))).ReadAll()
		if err != nil || len(rows) != 1 {
			t.Fatalf("%q: %v, %v", cell, rows, err)
		}
		// A reader of CSV takes any end of a line within quotes as "\n".
		if got, want := csv.Unguard(rows[0][0]), strings.ReplaceAll(cell, "\r\n", "\n"); got != want {
			t.Errorf("%q is read as %q", cell, got)
		}
	})
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestErrorsOfWriting(t *testing.T) {
	w := csv.NewWriter(full{})
	if err := w.Write([]string{"a"}); err != nil {
		t.Error(err)
	}
	if err := w.Flush(); err == nil || w.Write([]string{"b"}) == nil {
		t.Errorf("a full disk is not told: %v", err)
	}
}
