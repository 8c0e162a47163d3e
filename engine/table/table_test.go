package table

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

func Example() {
	t := New("scheduler", "tasks", "waiting p50, s", "preemptions")
	t.Add("megha", "373", "0.001651")
	t.Add("sparrow", "373", "0.0015")
	t.Write(os.Stdout)
	// Output:
	// scheduler          megha  sparrow
	// tasks                373      373
	// waiting p50, s  0.001651   0.0015
}

func TestTablesFitATerminal(t *testing.T) {
	table := New("deployment", "jobs", "total, €")
	for i := range 30 {
		table.Add(fmt.Sprintf("deployment-%d.dot", i), fmt.Sprint(i), "1234.5")
	}
	var b strings.Builder
	table.Write(&b)
	for _, line := range strings.Split(b.String(), "\n") {
		if n := utf8.RuneCountInString(line); n > Width {
			t.Errorf("%d characters: %s", n, line)
		}
	}
	for i := range 30 {
		if !strings.Contains(b.String(), fmt.Sprintf(" deployment-%d.dot", i)) {
			t.Errorf("deployment %d is missing in\n%s", i, &b)
		}
	}
}

func TestASubjectWithALongNameIsShown(t *testing.T) {
	table := New("", "figure")
	name := strings.Repeat("x", 2*Width)
	table.Add(name, "1")
	table.Add("y", "2")
	var b strings.Builder
	table.Write(&b)
	if got := strings.Count(b.String(), "\n"); got != 5 || !strings.Contains(b.String(), name) {
		t.Errorf("%d lines:\n%s", got, &b)
	}
}
