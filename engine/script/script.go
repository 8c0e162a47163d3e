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

// Limits are the largest numbers of steps in a run.
type Limits struct {
	Call int64 // for each call of a function of the policy
	Run  int64 // for all calls together
}

// DefaultLimits allow a run of about one minute.
var DefaultLimits = Limits{Call: 1_000_000, Run: 2_000_000_000}

// Program is a compiled policy. Compiling executes no part of its text.
type Program struct {
	text     policy.Text
	file     string
	compiled *starlark.Program
	names    map[string]syntax.Position // positions of the top-level definitions
	values   map[string]syntax.Expr     // expressions assigned at the top level
	uses     map[string]map[string]bool // by function: the names that its body mentions
}

// Compile compiles a text. Its error is a [*diag.Diagnostic] with a position.
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

// namesIn returns the names that occur in statements.
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

// located converts an error of the parser or the resolver to a diagnostic with a position.
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

// Defines reports whether the text defines a name.
func (p *Program) Defines(name string) bool { _, ok := p.names[name]; return ok }

// Wrong returns an error at the definition of a name, or at the beginning of the text if it is not
// defined.
func (p *Program) Wrong(name string, code *diag.Code, args ...any) error {
	return at(p.file, p.names[name], code, args...)
}

// Flag returns the value of a setting, or otherwise if the text does not set it. The value must be
// the literal True or False, so that it can be read without a run.
func (p *Program) Flag(name string, otherwise bool) (bool, error) {
	if !p.Defines(name) {
		return otherwise, nil
	}
	if v, ok := p.values[name].(*syntax.Ident); ok && (v.Name == "True" || v.Name == "False") {
		return v.Name == "True", nil
	}
	return false, p.Wrong(name, notTruth, name)
}

// Call is a run of a program, in which the policy's functions are called one at a time.
type Call struct {
	Own plugin.Own // counts and notes of the policy

	program   *Program
	limits    Limits
	ctx       context.Context
	watch     *policy.Watch
	thread    *starlark.Thread
	globals   starlark.StringDict
	until     uint64 // number of steps at which the current call is aborted
	pulse     uint64 // number of steps at the next check of the watch
	number    uint64 // number of the current call; objects of earlier calls are invalid
	readState bool   // the current call has read state of the run, so its result is not reusable
	err       error
}

// Start begins a run and executes the top level of the text. The run stops when ctx is cancelled;
// the caller must cancel ctx at the end of the run. The watch of ctx (see [policy.WatchOf])
// supervises the run.
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

// begin starts a call and sets its limit of steps.
func (c *Call) begin() {
	c.number++
	c.readState = false
	c.until = c.thread.Steps + uint64(max(0, min(c.limits.Call, c.limits.Run-int64(c.thread.Steps))))
	c.thread.SetMaxExecutionSteps(min(c.until, c.pulse))
}

// pulseSteps is the number of steps between checks of the watch. They take less than a tenth of a
// millisecond, unless single operations are long.
const pulseSteps = 1000

// pause is called by the interpreter when a run reaches a limit of steps.
func (c *Call) pause(*starlark.Thread) {
	if c.thread.Steps >= c.until {
		c.thread.Cancel("steps")
		return
	}
	c.ask()
}

// ask checks whether the run may continue, and schedules the next check.
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

// Charge adds steps for a builtin operation that does much work.
func (c *Call) Charge(steps int) { c.thread.Steps += uint64(steps) }

// Err returns the error that ended the run, or nil. If the run was stopped, it is the error of its
// context.
func (c *Call) Err() error { return c.err }

// Fail ends the run with an error at the definition of a function.
func (c *Call) Fail(function string, code *diag.Code, args ...any) {
	if c.err == nil {
		c.err = c.program.Wrong(function, code, args...)
	}
}

// Function is a function that the policy defines, bound to a run.
type Function struct {
	call *Call
	name string
	fn   *starlark.Function
	pure bool // its result depends only on its arguments and what they read
	args starlark.Tuple
}

// Function returns the function with a name, nil if the text does not define it. It is an error if
// the function does not accept the given parameters.
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

// pure reports whether all top-level values of the text are immutable, so that no call can pass
// state to the next one.
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

// Begin starts a call. Create the objects of its arguments between Begin and [Function.Call].
func (f *Function) Begin() *Call {
	f.call.begin()
	return f.call
}

// Call calls the function. Error messages name the subject of the call by of. After an error of the
// run, Call does nothing and returns None. reusable is true if any arguments of the same kinds give
// the same result; see [ReadsKind].
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

// Wrong ends the run with an error about the result of the function.
func (f *Function) Wrong(of fmt.Stringer, code *diag.Code, args ...any) {
	if f.call.err == nil {
		f.call.err = f.call.program.Wrong(f.name, wrongAnswer, f.name, of.String(), code.New(args...))
	}
}

// failure converts an error of a call to a diagnostic with a position. If the run was stopped, it
// returns the error of the context.
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

// usedUp returns the error for the limit of steps that a call has reached.
func (c *Call) usedUp(name, of string, pos syntax.Position) *diag.Diagnostic {
	if int64(c.thread.Steps) >= c.limits.Run {
		return at(c.program.file, pos, runSteps, show.Number(float64(c.limits.Run)), name, of)
	}
	return at(c.program.file, pos, callSteps, name, show.Number(float64(c.limits.Call)), of)
}

// place returns the innermost position in the text at which an error occurred.
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

// Uses reports whether the body of the function mentions parameter i.
func (f *Function) Uses(i int) bool {
	name, _ := f.fn.Param(i)
	body, ok := f.call.program.uses[f.name]
	return !ok || body[name]
}

// Name returns the name of the function.
func (f *Function) Name() string { return f.name }
