package script

import (
	"errors"
	"fmt"
	"math"

	"berth/engine/show"
	"berth/engine/stats"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Bounds on single values.
const (
	maxBits    = 4096 // of a whole number
	maxNumeral = 400  // characters of a text that becomes a number
	maxWords   = 300  // characters of what refuse, note and fail say
	maxDepth   = 4    // of lists, tuples and dictionaries that are compared, made into tuples or gone through
)

type builtin = func(c *Call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

// builtins are the functions that every policy has, beside those of the language that
// pass through [sized].
var builtins = map[string]builtin{
	"refuse": func(_ *Call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		text, err := words("refuse", args, kwargs)
		return Refusal(text), err
	},
	"note": func(c *Call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		text, err := words("note", args, kwargs)
		if err == nil {
			c.readState = true // a call whose answer is known already would say nothing
			c.Own.Note(text)
		}
		return starlark.None, err
	},
	"fail": func(_ *Call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		text, err := words("fail", args, kwargs)
		if err == nil {
			err = errors.New(text)
		}
		return nil, err
	},
	"log":  ofNumber("log", stats.Log),
	"exp":  ofNumber("exp", stats.Exp),
	"sqrt": ofNumber("sqrt", math.Sqrt),
	"str": func(_ *Call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) != 1 || len(kwargs) > 0 || !simple(args[0]) {
			return nil, errors.New("str: expected one number, text, True, False or None")
		}
		if s, ok := args[0].(starlark.String); ok {
			return s, nil
		}
		return starlark.String(args[0].String()), nil
	},
	addGuard:    guardOf(syntax.PLUS, func(x, y starlark.Value) int { return size(x) + size(y) }),
	timesGuard:  times,
	formatGuard: format,
	uniteGuard:  guardOf(syntax.PIPE, func(x, y starlark.Value) int { return size(x) + size(y) }),
	shiftGuard: func(_ *Call, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return bounded(starlark.Binary(syntax.LTLT, args[0], args[1]))
	},
	sizeGuard: func(c *Call, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return args[0], c.weigh(args[0], maxDepth)
	},
	copyGuard: func(c *Call, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return args[0], c.Charge(size(args[0]))
	},
	tupleGuard: func(c *Call, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return args[0], c.weigh(args[0], maxDepth)
	},
	methodGuard: method,
}

func init() {
	for _, op := range comparing {
		builtins[op.String()] = func(c *Call, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			for _, x := range args {
				if err := c.weigh(x, maxDepth); err != nil {
					return nil, err
				}
			}
			same, err := starlark.Compare(op, args[0], args[1])
			return starlark.Bool(same), err
		}
	}
}

// sized are functions of the language that take a time in the order of their arguments.
var sized = []string{"all", "any", "dict", "enumerate", "list", "max", "min", "reversed", "sorted", "tuple", "zip"}

// free are those that do not.
var free = []string{"abs", "bool", "len", "range", "type"}

// numerals turn text, which is bounded, into numbers.
var numerals = []string{"float", "int"}

// withheldFunctions are of the language, and policies do without them.
func withheldFunction(name string) builtin {
	return func(*Call, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		if name == "print" {
			return nil, errors.New("print is not available: use note(…), which the result shows")
		}
		return nil, fmt.Errorf("%s is not available", name)
	}
}

// predeclared are the names that a text can use in a run.
func (c *Call) predeclared() starlark.StringDict {
	all := starlark.StringDict{}
	add := func(name string, f builtin) {
		all[name] = starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return f(c, args, kwargs)
		})
	}
	for name, v := range starlark.Universe {
		if _, ok := v.(*starlark.Builtin); ok {
			add(name, withheldFunction(name))
		}
	}
	for _, name := range free {
		all[name] = starlark.Universe[name]
	}
	for _, name := range sized {
		of := starlark.Universe[name].(*starlark.Builtin)
		add(name, func(c *Call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			for _, x := range args {
				if err := c.weigh(x, maxDepth); err != nil {
					return nil, err
				}
			}
			return of.CallInternal(c.thread, args, kwargs)
		})
	}
	for _, name := range numerals {
		of := starlark.Universe[name].(*starlark.Builtin)
		add(name, func(c *Call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			for _, x := range args {
				if s, ok := x.(starlark.String); ok && len(s) > maxNumeral {
					return nil, fmt.Errorf("%s: a text of %d characters is no number", of.Name(), len(s))
				}
			}
			return of.CallInternal(c.thread, args, kwargs)
		})
	}
	for name, f := range builtins {
		add(name, f)
	}
	return all
}

// size is how many values, or characters, a value has.
func size(x starlark.Value) int { return max(1, starlark.Len(x)) }

// weigh charges for all that an operation may look at that goes down into values.
func (c *Call) weigh(x starlark.Value, depth int) error {
	switch x := x.(type) {
	case starlark.Int, starlark.Float, starlark.Bool, starlark.NoneType:
		return nil
	case starlark.Tuple:
		return c.weighAll(len(x), func(i int) starlark.Value { return x[i] }, depth)
	case *starlark.List:
		return c.weighAll(x.Len(), x.Index, depth)
	case *starlark.Dict:
		entries := x.Entries
		if err := c.Charge(2 * x.Len()); err != nil {
			return err
		}
		for key, value := range entries() {
			if err := c.weighAll(2, func(i int) starlark.Value { return [2]starlark.Value{key, value}[i] }, depth); err != nil {
				return err
			}
		}
		return nil
	}
	return c.Charge(size(x))
}

func (c *Call) weighAll(n int, at func(int) starlark.Value, depth int) error {
	if depth == 0 {
		return fmt.Errorf("lists, tuples and dictionaries are nested more than %d deep", maxDepth)
	}
	if err := c.Charge(n); err != nil {
		return err
	}
	for i := range n {
		if err := c.weigh(at(i), depth-1); err != nil {
			return err
		}
	}
	return nil
}

// simple values take no more memory as text than a few words.
func simple(x starlark.Value) bool {
	switch x.(type) {
	case starlark.String, starlark.Int, starlark.Float, starlark.Bool, starlark.NoneType, Refusal:
		return true
	}
	return false
}

func isNumeric(x starlark.Value) bool {
	switch x.(type) {
	case starlark.Int, starlark.Float:
		return true
	}
	return false
}

func guardOf(op syntax.Token, size func(x, y starlark.Value) int) builtin {
	return func(c *Call, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if x, y := args[0], args[1]; !isNumeric(x) || !isNumeric(y) {
			if err := c.Charge(size(x, y)); err != nil {
				return nil, err
			}
		}
		return starlark.Binary(op, args[0], args[1])
	}
}

// times charges for text and lists that are repeated, and bounds whole numbers.
func times(c *Call, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	x, y := args[0], args[1]
	if isNumeric(x) && isNumeric(y) {
		return bounded(starlark.Binary(syntax.STAR, x, y))
	}
	if isNumeric(x) {
		x, y = y, x
	}
	if n, ok := y.(starlark.Int); ok {
		many, small := n.Int64()
		if !small || many > math.MaxInt32 {
			many = math.MaxInt32
		}
		if err := c.Charge(size(x) * int(max(many, 0))); err != nil {
			return nil, err
		}
	}
	return starlark.Binary(syntax.STAR, args[0], args[1])
}

func bounded(v starlark.Value, err error) (starlark.Value, error) {
	if n, ok := v.(starlark.Int); ok {
		if _, small := n.Int64(); !small && n.BigInt().BitLen() > maxBits {
			return nil, fmt.Errorf("a whole number has more than %d bits", maxBits)
		}
	}
	return v, err
}

// format is % of numbers, and of text with simple values.
func format(c *Call, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if text, ok := args[0].(starlark.String); ok {
		sum := len(text)
		values, many := args[1].(starlark.Tuple)
		if !many {
			values = starlark.Tuple{args[1]}
		}
		for _, v := range values {
			if !simple(v) {
				return nil, fmt.Errorf("text %% value: expected numbers, text, True, False or None, not %s", v.Type())
			}
			sum += size(v)
		}
		if err := c.Charge(sum); err != nil {
			return nil, err
		}
	}
	return starlark.Binary(syntax.PERCENT, args[0], args[1])
}

// method calls a method of the language's own values: x, its name, and arguments.
func method(c *Call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	for _, x := range args {
		if err := c.weigh(x, maxDepth); err != nil {
			return nil, err
		}
	}
	name := string(args[1].(starlark.String))
	x, ok := args[0].(starlark.HasAttrs)
	if !ok {
		return nil, fmt.Errorf("%s has no .%s", args[0].Type(), name)
	}
	of, err := x.Attr(name)
	switch {
	case err != nil:
		return nil, err
	case of == nil:
		return nil, fmt.Errorf("%s has no .%s", args[0].Type(), name)
	}
	return starlark.Call(c.thread, of, args[2:], kwargs)
}

// words are what a policy says to a person.
func words(name string, args starlark.Tuple, kwargs []starlark.Tuple) (string, error) {
	var text string
	if err := starlark.UnpackPositionalArgs(name, args, kwargs, 1, &text); err != nil {
		return "", err
	}
	return show.Cut(text, maxWords), nil
}

// ofNumber is a function of one number.
func ofNumber(name string, f func(float64) float64) builtin {
	return func(_ *Call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var v starlark.Value
		if err := starlark.UnpackPositionalArgs(name, args, kwargs, 1, &v); err != nil {
			return nil, err
		}
		x, ok := starlark.AsFloat(v)
		if !ok {
			return nil, fmt.Errorf("%s: expected a number, not %s", name, v.Type())
		}
		return starlark.Float(f(x)), nil
	}
}
