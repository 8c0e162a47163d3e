package script

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"berth/engine/diag"
	"berth/engine/policy"
)

type thing string

func (t thing) String() string { return string(t) }

// eval runs f() of a text.
func eval(ctx context.Context, text string, limits Limits) (starlark.Value, error) {
	p, err := Compile(policy.Text{Name: "p", Text: text})
	if err != nil {
		return nil, err
	}
	c, err := p.Start(ctx, limits)
	if err != nil {
		return nil, err
	}
	f, err := c.Function("f")
	if err != nil || f == nil {
		return nil, err
	}
	f.Begin()
	v, _ := f.Call(thing("it"))
	return v, c.Err()
}

func TestValues(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"def f(): return 1 + 2 * 3", "7"},
		{"def f(): return [1] + [2] * 2", "[1, 2, 2]"},
		{"def f():\n  x = 'a'\n  x += 'b'\n  x *= 2\n  return x", `"abab"`},
		{"def f(): return 'a%s' % 3", `"a3"`},
		{"def f(): return [x for x, y in enumerate([5, 6]) if y in (6,)]", "[1]"},
		{"def f(): return sorted({'b': 1, 'a': 2}.items())", `[("a", 2), ("b", 1)]`},
		{"s = {}\ndef f():\n  s['n'] = s.get('n', 0) + 1\n  return s['n']", "1"},
		{"def f():\n  l = [3, 1]\n  l.extend([2])\n  a, b = l[0], l[1:]\n  return (a, b, max(l))", "(3, [1, 2], 3)"},
		{"def f(): return (log(1), sqrt(4), exp(0), str(1.5))", `(0.0, 2.0, 1.0, "1.5")`},
		{"def f(x=2, y=[1][0]): return x - y", "1"},
		{"def f(): return refuse('no') or 3", "3"},
		{"def f(): return {k: v for k, v in {'a': 1}.items()} == {'a': 1}", "True"},
		{"def f(): return sorted([1, 2], key=lambda x: -x)", "[2, 1]"},
		{"def f():\n  def g(*x): return ','.join(['a%s' % y for y in x] + ['b'])\n  return g(1, 2)", `"a1,a2,b"`},
	} {
		v, err := eval(t.Context(), c.text, DefaultLimits)
		if err != nil || v.String() != c.want {
			t.Errorf("%s: %v, %v, want %s", c.text, v, err, c.want)
		}
	}
}

func TestErrorsHavePlaces(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"def f(", "p.star:1:7: got end of file, want ')'"},
		{"def f():\n  return x", "p.star:2:10: undefined: x"},
		{"def f():\n  return 1 + 'a'", "p.star:2:12: f() for it: unknown binary op: int + string"},
		{"def f():\n  y = 'a'\n  return 1 < y", "p.star:3:12: f() for it: int < string not implemented"},
		{"load('a', 'b')", "p.star:1:1: load() is not available: a policy is one text"},
		{"def f():\n  while True: pass", "p.star:2:3: this Starlark dialect does not support while loops"},
		{"def f(): print(1)", "p.star:1:15: f() for it: print is not available: use note(…), which the result shows"},
		{"def f(a): return 1", "p.star:1:5: f has 1 parameter: expected f()"},
		{"f = 1", "p.star:1:1: f is int: expected a function f()"},
		{"def f(): return f()", "p.star:1:17: f() for it: function f called recursively"},
		{"def f(): fail('never')", "p.star:1:14: f() for it: never"},
		{"x = 1 // 0", "p.star:1:7: the top level: floored division by zero"},
	} {
		_, err := eval(t.Context(), c.text, DefaultLimits)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: %v\nwant %s", c.text, err, c.want)
		}
		if _, ok := errors.AsType[*diag.Diagnostic](err); !ok {
			t.Errorf("%q: the error has no place", c.text)
		}
	}
}

// A call ends when it has used its steps, and so does a run.
func TestStepsEnd(t *testing.T) {
	const loop = "def f():\n  for i in range(1000000000): pass"
	if _, err := eval(t.Context(), loop, Limits{1000, 1 << 40}); fmt.Sprint(err) != "p.star:2:3: f() used 1000 steps for it, which is all that one call may: make it simpler" {
		t.Errorf("%v", err)
	}
	for _, text := range []string{loop, "x = [i for i in range(1000000000)]\ndef f(): pass", "def f():\n  for i in range(100): pass"} {
		if _, err := eval(t.Context(), text, Limits{1 << 40, 50}); !strings.Contains(fmt.Sprint(err), "the run used all of its 50 steps") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A text can be stopped anywhere, also at its top level. The watch is called at its beginning and
// then every thousand steps.
func TestARunIsStopped(t *testing.T) {
	const loop = "\n  for i in range(1000000000): pass"
	for where, text := range map[string]string{"call": "def f():" + loop, "top level": "def g():" + loop + "\nx = g()\ndef f(): pass"} {
		ctx, stop := context.WithCancel(t.Context())
		pulses, begun := 0, 0
		w := &policy.Watch{Begins: func(_ context.Context, t *policy.Text) { begun++ }, Pulse: func() {
			if pulses++; pulses == 100 {
				stop()
			}
		}}
		_, err := eval(policy.Watched(ctx, w), text, Limits{1 << 40, 1 << 40})
		if err != context.Canceled || pulses != 100 || begun != 1 || w.Inside.Load() != 0 {
			t.Errorf("%s: %v after %d pulses and %d beginnings, %d inside", where, err, pulses, begun, w.Inside.Load())
		}
	}
}

// Ending the context stops a run that has no limit of steps.
func TestARunIsCancelledFromOutside(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	w := &policy.Watch{}
	go func() {
		for w.Inside.Load() == 0 {
			runtime.Gosched()
		}
		stop()
	}()
	if _, err := eval(policy.Watched(ctx, w), "def f():\n  for i in range(1000000000): pass", Limits{1 << 40, 1 << 40}); err != context.Canceled {
		t.Error(err)
	}
}

func FuzzCompile(f *testing.F) {
	for _, text := range []string{"def f(): return 1 + 2", "s = {}\ndef f():\n  s['a'] = [x for x in range(3)]\n  return s", "def f():\n  x = (1, (2, 3))\n  return {x: 1}[x]", "f = lambda: 'a%d' % 3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		v, err := eval(t.Context(), text, Limits{10_000, 20_000})
		if err != nil {
			if _, ok := errors.AsType[*diag.Diagnostic](err); !ok {
				t.Errorf("%q: %v has no place", text, err)
			}
			return
		}
		again, err := eval(t.Context(), text, Limits{10_000, 20_000})
		if err != nil || (v == nil) != (again == nil) || v != nil && simple(v) && v.String() != again.String() {
			t.Errorf("%q: %v, then %v, %v", text, v, again, err)
		}
	})
}
