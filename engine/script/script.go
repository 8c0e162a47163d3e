package script

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"berth/engine/diag"
	"berth/engine/plugin"
	"berth/engine/policy"
	"berth/engine/show"
)

// Limits bound a run, in steps.
type Limits struct {
	Call int64 // of each call of a function of the policy
	Run  int64 // of all calls
}

// DefaultLimits bound a run: its steps take about a minute.
var DefaultLimits = Limits{Call: 1_000_000, Run: 2_000_000_000}

// Program is a policy that was compiled. No part of its text has run.
type Program struct {
	text     policy.Text
	file     string
	compiled *starlark.Program
	names    map[string]syntax.Position // what the text defines
	values   map[string]syntax.Expr     // what the top level gives to names
	uses     map[string]map[string]bool // by function: the names in its body
}

// Compile compiles a text. An error is a [*diag.Diagnostic] with its place.
func Compile(t policy.Text) (*Program, error) {
	file, options := t.File(), syntax.FileOptions{}
	parsed, err := options.Parse(file, t.Text, 0)
	if err != nil {
		return nil, located(file, err)
	}
	p := &Program{text: t, file: file, names: map[string]syntax.Position{}, values: map[string]syntax.Expr{}, uses: map[string]map[string]bool{}}
	for _, s := range parsed.Stmts {
		switch s := s.(type) {
		case *syntax.LoadStmt:
			return nil, at(file, s.Load, syntaxError, "load() is not available: a policy is one text")
		case *syntax.DefStmt:
			p.names[s.Name.Name], p.uses[s.Name.Name] = s.Name.NamePos, namesIn(s.Body)
		case *syntax.AssignStmt:
			if name, ok := s.LHS.(*syntax.Ident); ok {
				p.names[name.Name], p.values[name.Name] = name.NamePos, s.RHS
			}
		}
	}
	known := new(Call).predeclared()
	p.compiled, err = starlark.FileProgram(parsed, known.Has)
	if err != nil {
		return nil, located(file, err)
	}
	return p, nil
}

// namesIn are the names that statements mention.
func namesIn(body []syntax.Stmt) map[string]bool {
	all := map[string]bool{}
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if name, ok := n.(*syntax.Ident); ok {
				all[name.Name] = true
			}
			return true
		})
	}
	return all
}

// located puts an error of the parser or the resolver at its place.
func located(file string, err error) error {
	if e, ok := errors.AsType[syntax.Error](err); ok {
		return at(file, e.Pos, syntaxError, e.Msg)
	}
	if list, ok := errors.AsType[resolve.ErrorList](err); ok && len(list) > 0 {
		return at(file, list[0].Pos, syntaxError, list[0].Msg)
	}
	return diag.New(file, 1, 1, diag.Invalid, err)
}

func at(file string, pos syntax.Position, code *diag.Code, args ...any) *diag.Diagnostic {
	return diag.New(file, int(max(pos.Line, 1)), int(max(pos.Col, 1)), code, args...)
}

// Defines says whether the text defines a name.
func (p *Program) Defines(name string) bool { _, ok := p.names[name]; return ok }

// Wrong is an error at a name that the text defines, or at its beginning.
func (p *Program) Wrong(name string, code *diag.Code, args ...any) error {
	return at(p.file, p.names[name], code, args...)
}

// Flag is a setting that is written as True or False, with its default. It holds before a
// run begins.
func (p *Program) Flag(name string, otherwise bool) (bool, error) {
	if !p.Defines(name) {
		return otherwise, nil
	}
	if v, ok := p.values[name].(*syntax.Ident); ok && (v.Name == "True" || v.Name == "False") {
		return v.Name == "True", nil
	}
	return false, p.Wrong(name, notTruth, name)
}

// Call is a run of a program: its state, and the call under way.
type Call struct {
	Own plugin.Own // what the policy notes

	program   *Program
	limits    Limits
	ctx       context.Context
	watch     *policy.Watch
	thread    *starlark.Thread
	globals   starlark.StringDict
	until     uint64 // steps of the thread at which the call under way ends
	pulse     uint64 // steps of the thread at which the watch is asked next
	number    uint64 // of the call under way
	readState bool
	err       error
}

// Start begins a run: it executes the top level of the text. The run must end with ctx,
// and ctx with the run; [policy.WatchOf] ctx looks after it.
func (p *Program) Start(ctx context.Context, limits Limits) (*Call, error) {
	c := &Call{program: p, limits: limits, ctx: ctx, watch: policy.WatchOf(ctx)}
	c.thread = &starlark.Thread{Name: p.file, OnMaxSteps: c.pause}
	context.AfterFunc(ctx, func() { c.thread.Cancel("stopped") })
	if c.watch.Begins != nil {
		c.watch.Begins(ctx, &p.text)
	}
	c.begin()
	c.ask()
	c.watch.Inside.Add(1)
	globals, err := p.compiled.Init(c.thread, c.predeclared())
	c.watch.Inside.Add(-1)
	if err != nil {
		return nil, c.failure("the top level", "", err)
	}
	c.globals = globals
	return c, nil
}

// begin sets the limit of a call.
func (c *Call) begin() {
	c.number++
	c.readState = false
	c.until = c.thread.Steps + uint64(max(0, min(c.limits.Call, c.limits.Run-int64(c.thread.Steps))))
	c.thread.SetMaxExecutionSteps(min(c.until, c.pulse))
}

// pulseSteps is how many steps pass until the watch is asked again: less than a tenth of a
// millisecond, unless single operations take long.
const pulseSteps = 1000

// pause is called by the thread when it has come to the next limit.
func (c *Call) pause(*starlark.Thread) {
	if c.thread.Steps >= c.until {
		c.thread.Cancel("steps")
		return
	}
	c.ask()
}

// ask asks whether the run may go on.
func (c *Call) ask() {
	if c.watch.Pulse != nil {
		c.watch.Pulse()
	}
	if c.ctx.Err() != nil {
		c.thread.Cancel("stopped")
	}
	c.pulse = c.thread.Steps + pulseSteps
	c.thread.SetMaxExecutionSteps(min(c.until, c.pulse))
}

// Charge counts steps of an operation that does as much as so many.
func (c *Call) Charge(steps int) { c.thread.Steps += uint64(steps) }

// Err is why the run cannot go on, nil if it can. A run that was stopped has the error of
// its context.
func (c *Call) Err() error { return c.err }

// Fail ends the run with an error at the line that is being executed, or at a function.
func (c *Call) Fail(function string, code *diag.Code, args ...any) {
	if c.err == nil {
		c.err = c.program.Wrong(function, code, args...)
	}
}

// Function is a function of the policy.
type Function struct {
	call *Call
	name string
	fn   *starlark.Function
	pure bool // apart from what it reads of its arguments, it knows nothing that changes
	args starlark.Tuple
}

// Function returns a function of the text with some parameters, nil if it has none of the
// name.
func (c *Call) Function(name string, parameters ...string) (*Function, error) {
	v, ok := c.globals[name]
	if !ok {
		return nil, nil
	}
	fn, ok := v.(*starlark.Function)
	if !ok {
		return nil, c.program.Wrong(name, notFunction, name, v.Type(), name, strings.Join(parameters, ", "))
	}
	required := 0
	for i := range fn.NumParams() {
		if fn.ParamDefault(i) == nil {
			required++
		}
	}
	if len(parameters) < required || len(parameters) > fn.NumParams() {
		return nil, c.program.Wrong(name, otherParameters, name, show.Count(fn.NumParams(), "parameter"), name, strings.Join(parameters, ", "))
	}
	return &Function{call: c, name: name, fn: fn, pure: c.pure(), args: make(starlark.Tuple, 0, len(parameters))}, nil
}

// pure says whether nothing at the top level of the text can change.
func (c *Call) pure() bool {
	for _, v := range c.globals {
		if !constant(v) {
			return false
		}
	}
	return true
}

func constant(v starlark.Value) bool {
	switch v := v.(type) {
	case *starlark.Function:
		if v.NumFreeVars() > 0 {
			return false
		}
		for i := range v.NumParams() {
			if d := v.ParamDefault(i); d != nil && !constant(d) {
				return false
			}
		}
		return true
	case *starlark.Builtin:
		return v.Receiver() == nil
	case starlark.Tuple:
		return !slices.ContainsFunc(v, func(e starlark.Value) bool { return !constant(e) })
	}
	return simple(v)
}

// Begin begins a call: objects for it are made between this and [Function.Call].
func (f *Function) Begin() *Call {
	f.call.begin()
	return f.call
}

// Call calls the function; of is what it decides about, for errors. After an error of the
// run it does nothing. Reusable says that the answer will be the same for arguments of the
// same kinds.
func (f *Function) Call(of fmt.Stringer, args ...starlark.Value) (result starlark.Value, reusable bool) {
	c := f.call
	if c.err != nil {
		return starlark.None, false
	}
	f.args = append(f.args[:0], args...)
	c.watch.Inside.Add(1)
	result, err := starlark.Call(c.thread, f.fn, f.args, nil)
	c.watch.Inside.Add(-1)
	if err != nil {
		c.err = c.failure(f.name+"()", of.String(), err)
		return starlark.None, false
	}
	return result, f.pure && !c.readState
}

// Wrong ends the run: the function returned what it must not.
func (f *Function) Wrong(of fmt.Stringer, code *diag.Code, args ...any) {
	if f.call.err == nil {
		f.call.err = f.call.program.Wrong(f.name, wrongAnswer, f.name, of.String(), code.New(args...))
	}
}

// failure is an error of a call, at the place in the text; of a run that was stopped, that of
// its context.
func (c *Call) failure(name, of string, err error) error {
	if c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	pos, message := c.place(err), err.Error()
	if of != "" {
		of = " for " + of
	}
	if c.thread.Steps < c.until {
		return at(c.program.file, pos, callFails, name, of, message)
	}
	return c.usedUp(name, of, pos)
}

// usedUp says which limit a call has reached.
func (c *Call) usedUp(name, of string, pos syntax.Position) *diag.Diagnostic {
	if int64(c.thread.Steps) >= c.limits.Run {
		return at(c.program.file, pos, runSteps, show.Number(float64(c.limits.Run)), name, of)
	}
	return at(c.program.file, pos, callSteps, name, show.Number(float64(c.limits.Call)), of)
}

// place is where in the text an error happened.
func (c *Call) place(err error) syntax.Position {
	e, ok := errors.AsType[*starlark.EvalError](err)
	if !ok {
		return syntax.Position{}
	}
	for i := range e.CallStack {
		if f := e.CallStack.At(i); f.Pos.Filename() == c.program.file && f.Pos.Line > 0 {
			return f.Pos
		}
	}
	return syntax.Position{}
}

// Uses says whether the function may use its parameter i: whether its body mentions it.
func (f *Function) Uses(i int) bool {
	name, _ := f.fn.Param(i)
	body, ok := f.call.program.uses[f.name]
	return !ok || body[name]
}

// Name is what the text calls the function.
func (f *Function) Name() string { return f.name }
