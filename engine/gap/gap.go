package gap

import (
	"math"
	"strings"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/show"
)

// MaxCells bounds agents × jobs.
const MaxCells = 4 << 20

// Instance is a generalized assignment problem. Costs and amounts are by job and
// agent, at [job·Agents + agent]; none is negative.
type Instance struct {
	Agents, Jobs   int
	Costs, Amounts []float64
	Capacities     []float64 // by agent
}

// Detect says whether a text is an instance rather than a graph: it begins with
// two numbers.
func Detect(text []byte) bool {
	head := string(text[:min(len(text), 200)])
	words := strings.Fields(head)
	if len(words) < 2 {
		return false
	}
	for _, word := range words[:2] {
		if _, ok := show.ParseNumber(word); !ok {
			return false
		}
	}
	return true
}

// Read reads one instance. The error is a [*diag.Diagnostic] that says where in
// the file it is.
func Read(name string, text []byte, b *budget.Budget) (*Instance, error) {
	r := reader{name: name, text: text}
	if err := b.Or().Take(budget.Bytes, len(text)); err != nil {
		r.fail(0, "%v", err)
		return nil, r.err
	}
	p := &Instance{Agents: r.size("the number of agents"), Jobs: r.size("the number of jobs")}
	if r.err == nil && p.Agents > MaxCells/p.Jobs {
		r.fail(0, "%d agents × %d jobs are more than the %d that are read", p.Agents, p.Jobs, MaxCells)
	}
	// What an instance says of its size is believed only as far as the file has
	// numbers: each takes two bytes or more.
	if need := 2*p.Agents*p.Jobs + p.Agents; r.err == nil && need > (len(text)+1)/2 {
		r.fail(len(text), "the file has fewer than the %d numbers that %d agents and %d jobs take", need+2, p.Agents, p.Jobs)
	}
	if r.err != nil {
		return nil, r.err
	}
	p.Costs = r.matrix("cost", p)
	p.Amounts = r.matrix("amount", p)
	p.Capacities = make([]float64, p.Agents)
	for agent := range p.Capacities {
		p.Capacities[agent] = r.number("the capacity of agent %d", agent+1)
	}
	if at := r.skip(); r.err == nil && at < len(text) {
		r.fail(at, "found %s after the last capacity, expected the end of the file; one instance is read", show.Quote(r.word()))
	}
	if r.err != nil {
		return nil, r.err
	}
	return p, nil
}

// reader goes through the numbers of a file up to the first error.
type reader struct {
	name string
	text []byte
	at   int
	err  error
}

func (r *reader) fail(at int, format string, args ...any) {
	if r.err == nil {
		r.err = diag.ErrorAt(r.name, r.text, at, format, args...)
	}
}

// matrix reads agents × jobs numbers and returns them by job and agent.
func (r *reader) matrix(what string, p *Instance) []float64 {
	all := make([]float64, p.Agents*p.Jobs)
	for agent := range p.Agents {
		for job := range p.Jobs {
			all[job*p.Agents+agent] = r.number("the "+what+" of job %d on agent %d", job+1, agent+1)
		}
		if r.err != nil {
			break
		}
	}
	return all
}

// skip goes to the next number and returns where it begins.
func (r *reader) skip() int {
	for r.at < len(r.text) && space(r.text[r.at]) {
		r.at++
	}
	return r.at
}

func space(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func (r *reader) word() string {
	from := r.skip()
	for r.at < len(r.text) && !space(r.text[r.at]) {
		r.at++
	}
	return string(r.text[from:r.at])
}

// number reads a number from 0; what it is, is for the error.
func (r *reader) number(what string, args ...any) float64 {
	if r.err != nil {
		return 0
	}
	from := r.skip()
	word := r.word()
	v, ok := show.ParseNumber(word)
	switch {
	case word == "":
		r.fail(len(r.text), "the file ends here, expected "+what, args...)
	case !ok || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 || v > math.MaxFloat64/MaxCells:
		r.fail(from, "found %s, expected "+what+", a number from 0", append([]any{show.Quote(word)}, args...)...)
	}
	return v
}

func (r *reader) size(what string) int {
	from := r.skip()
	v := r.number(what)
	if r.err == nil && (v != math.Trunc(v) || v < 1 || v > MaxCells) {
		r.fail(from, "found %v, expected %s, a whole number from 1 to %d", v, what, MaxCells)
	}
	return int(min(max(v, 1), MaxCells))
}
