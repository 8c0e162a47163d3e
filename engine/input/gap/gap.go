package gap

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/show"
)

// Limits on the size of an instance.
const (
	MaxCells     = 4 << 20 // agents × jobs
	MaxResources = 50
)

// Instance is an instance in any of the formats. The cost of a job on an agent is at [job·Agents +
// agent]; no figure is negative.
type Instance struct {
	Agents, Jobs int
	Costs        []float64
	Resources    []Resource
	Flows        []Flow
	Distances    []float64 // distance of agents a and b at [a·Agents + b], symmetric; nil without flows
}

// Resource is a resource of the agents. Amounts are indexed like costs.
type Resource struct {
	Amounts    []float64
	Capacities []float64 // by agent
}

// Flow is the traffic between two jobs: it costs Weight times the distance of their agents.
type Flow struct {
	A, B   int
	Weight float64
}

// Detect reports whether a text is an instance rather than a graph, because it begins with two
// numbers.
func Detect(text []byte) bool {
	head := string(text[:min(len(text), 200)])
	words := strings.Fields(head)
	return len(words) >= 2 && !slices.ContainsFunc(words[:2], func(word string) bool { _, ok := show.ParseNumber(word); return !ok })
}

// Read reads one instance. Its error is a [*diag.Diagnostic] with the position in the file.
func Read(name string, text []byte, b *budget.Budget) (*Instance, error) {
	r := reader{name: name, text: text}
	if err := b.Or().Take(budget.Bytes, len(text)); err != nil {
		r.fail(0, diag.Invalid, err)
		return nil, r.err
	}
	p := &Instance{Agents: r.size("the number of agents"), Jobs: r.size("the number of jobs")}
	read, says := sortOf(text, p.Agents, p.Jobs)
	if says == nil {
		read, says = (*reader).gap, p
	}
	if r.err == nil && says.Agents > MaxCells/says.Jobs {
		r.fail(0, tooManyCells, says.Agents, says.Jobs, MaxCells)
	}
	if r.err == nil {
		read(&r, says)
	}
	if r.err != nil {
		return nil, r.err
	}
	return says, nil
}

// sortOf returns the reader of an instance's format, and an instance with its sizes, by the first
// two numbers and the count of all numbers; nil for a plain GAP.
func sortOf(text []byte, first, second int) (func(*reader, *Instance), *Instance) {
	a, b := int64(first), int64(second)
	price, count, words := numbers(text)
	third := int64(min(max(0, price), MaxResources+1))
	switch count {
	case 2 + 2*a*b + a:
		return nil, nil
	case 3 + a*a + b*b + a*b + a + b:
		if !words {
			return (*reader).quadratic, &Instance{Jobs: first, Agents: second}
		}
	case 2 + a*b + a*(a-1)/2 + a + b:
		return (*reader).tasks, &Instance{Jobs: first, Agents: second}
	case 3 + a*b + a*b*third + a*third:
		if !words && third >= 1 && third <= MaxResources && float64(third) == price {
			return (*reader).multiple, &Instance{Agents: first, Jobs: second, Resources: make([]Resource, third)}
		}
	}
	return nil, nil
}

// numbers returns the third number of a text, the count of numbers up to the first word that is not
// a number, and whether there is such a word.
func numbers(text []byte) (third float64, count int64, words bool) {
	r := reader{text: text}
	for {
		word := r.word()
		if word == "" {
			return third, count, false
		}
		if c := word[0]; c != '.' && c != '+' && c != '-' && (c < '0' || c > '9') {
			return third, count, true
		}
		if count++; count == 3 {
			third, _ = show.ParseNumber(word)
		}
	}
}

func (r *reader) gap(p *Instance) {
	// A file cannot claim a larger instance than it has room for, because each number takes at
	// least two bytes. This limits the allocation.
	if need := 2*p.Agents*p.Jobs + p.Agents; need > (len(r.text)+1)/2 {
		r.fail(len(r.text), tooFewNumbers, need+2, p.Agents, p.Jobs)
		return
	}
	p.Costs = r.byAgent("cost", p)
	p.Resources = []Resource{{Amounts: r.byAgent("amount", p), Capacities: r.capacities(p)}}
	r.end()
}

func (r *reader) multiple(p *Instance) {
	r.number("the number of resources")
	p.Costs = r.byAgent("cost", p)
	for k := range p.Resources {
		p.Resources[k] = Resource{make([]float64, p.Agents*p.Jobs), make([]float64, p.Agents)}
	}
	for agent := range p.Agents {
		for k := range p.Resources {
			r.ofAgent("amount", p, agent, p.Resources[k].Amounts)
		}
	}
	for agent := range p.Agents {
		for k := range p.Resources {
			p.Resources[k].Capacities[agent] = r.number("the capacity of agent %d", agent+1)
		}
	}
	r.end()
}

func (r *reader) quadratic(p *Instance) {
	price := r.number("the price of traffic")
	traffic := r.matrix(p.Jobs, p.Jobs, "the traffic of job %d to job %d")
	start := r.skip()
	distance := r.matrix(p.Agents, p.Agents, "the distance of agent %d to agent %d")
	even := symmetric(traffic, p.Jobs)
	p.Distances = make([]float64, len(distance))
	for a := range p.Agents {
		for b := range p.Agents {
			there, back := distance[a*p.Agents+b], distance[b*p.Agents+a]
			switch {
			case a == b && there != 0:
				r.fail(start, distanceToItself, a+1, there)
			case !even && there != back:
				r.fail(start, asymmetric)
			}
			p.Distances[a*p.Agents+b] = (there + back) / 2
		}
	}
	for a := range p.Jobs {
		for b := range a {
			if weight := traffic[a*p.Jobs+b] + traffic[b*p.Jobs+a]; weight > 0 {
				p.Flows = append(p.Flows, Flow{b, a, float64(price * weight)})
			}
		}
	}
	p.Costs = r.matrix(p.Jobs, p.Agents, "the cost of job %d on agent %d")
	r.amounts(p)
	r.end()
}

func (r *reader) tasks(p *Instance) {
	p.Costs = r.byAgent("cost", p)
	p.Distances = make([]float64, p.Agents*p.Agents)
	for at := range p.Distances {
		if at/p.Agents != at%p.Agents {
			p.Distances[at] = 1
		}
	}
	for a := range p.Jobs {
		for b := a + 1; b < p.Jobs; b++ {
			if weight := r.number("what jobs %d and %d pay for each other", a+1, b+1); weight > 0 {
				p.Flows = append(p.Flows, Flow{a, b, weight})
			}
		}
	}
	r.amounts(p)
}

// amounts reads one resource: an amount for each job, equal on all agents, and the capacity of each
// agent.
func (r *reader) amounts(p *Instance) {
	x := Resource{Amounts: make([]float64, p.Jobs*p.Agents)}
	for job := range p.Jobs {
		amount := r.number("the amount of job %d", job+1)
		for agent := range p.Agents {
			x.Amounts[job*p.Agents+agent] = amount
		}
	}
	x.Capacities = r.capacities(p)
	p.Resources = []Resource{x}
}

func (r *reader) capacities(p *Instance) []float64 {
	all := make([]float64, p.Agents)
	for agent := range all {
		all[agent] = r.number("the capacity of agent %d", agent+1)
	}
	return all
}

func (r *reader) matrix(rows, columns int, what string) []float64 {
	all := make([]float64, rows*columns)
	for at := range all {
		all[at] = r.number(what, at/columns+1, at%columns+1)
	}
	return all
}

func symmetric(all []float64, n int) bool {
	for at, v := range all {
		if v != all[at%n*n+at/n] {
			return false
		}
	}
	return true
}

// end reports an error if text follows the last number.
func (r *reader) end() {
	if at := r.skip(); r.err == nil && at < len(r.text) {
		r.fail(at, textBehind, show.Quote(r.word()))
	}
}

// reader reads the numbers of a file. It keeps the first error; later reads return 0.
type reader struct {
	name string
	text []byte
	at   int
	err  error
}

func (r *reader) fail(at int, code *diag.Code, args ...any) {
	if r.err == nil {
		r.err = diag.ErrorAt(r.name, r.text, at, code, args...)
	}
}

// byAgent reads a number for each job, agent by agent, and returns them indexed by job and agent.
func (r *reader) byAgent(what string, p *Instance) []float64 {
	all := make([]float64, p.Agents*p.Jobs)
	for agent := range p.Agents {
		r.ofAgent(what, p, agent, all)
	}
	return all
}

// ofAgent reads a number for each job on an agent.
func (r *reader) ofAgent(what string, p *Instance, agent int, into []float64) {
	for job := 0; job < p.Jobs && r.err == nil; job++ {
		into[job*p.Agents+agent] = r.number("the "+what+" of job %d on agent %d", job+1, agent+1)
	}
}

// skip advances to the next word and returns its position.
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

// number reads a number that is at least 0; what describes it in errors.
func (r *reader) number(what string, args ...any) float64 {
	if r.err != nil {
		return 0
	}
	from := r.skip()
	word := r.word()
	v, ok := show.ParseNumber(word)
	switch {
	case word == "":
		r.fail(len(r.text), fileEnds, fmt.Sprintf(what, args...))
	case !ok || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 || v > math.MaxFloat64/MaxCells:
		r.fail(from, notNumber, show.Quote(word), fmt.Sprintf(what, args...))
	}
	return v
}

func (r *reader) size(what string) int {
	from := r.skip()
	v := r.number("%s", what)
	if r.err == nil && (v != math.Trunc(v) || v < 1 || v > MaxCells) {
		r.fail(from, badSize, v, what, MaxCells)
	}
	return int(min(max(v, 1), MaxCells))
}
