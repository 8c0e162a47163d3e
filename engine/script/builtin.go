package script

import (
	"errors"
	"fmt"
	"math"

	"berth/engine/show"
	"berth/engine/stats"

	"go.starlark.net/starlark"
)

// maxWords is the largest number of characters in a text for refuse, note and fail.
const maxWords = 300

type builtin = func(c *Call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

// builtins are the functions that policies can call in addition to Starlark's own.
var builtins = map[string]builtin{
	"refuse": func(_ *Call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		text, err := words("refuse", args, kwargs)
		return Refusal(text), err
	},
	"note": func(c *Call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		text, err := words("note", args, kwargs)
		if err == nil {
			c.readState = true // a cached result would lose the note
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
	"print": func(*Call, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		return nil, errors.New("print is not available: use note(…), which the result shows")
	},
	"log":  ofNumber("log", stats.Log),
	"exp":  ofNumber("exp", stats.Exp),
	"sqrt": ofNumber("sqrt", math.Sqrt),
}

// predeclared returns the builtins bound to a run.
func (c *Call) predeclared() starlark.StringDict {
	all := starlark.StringDict{}
	for name, f := range builtins {
		all[name] = starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return f(c, args, kwargs)
		})
	}
	return all
}

// simple reports whether a value is immutable and not a collection.
func simple(x starlark.Value) bool {
	switch x.(type) {
	case starlark.String, starlark.Int, starlark.Float, starlark.Bool, starlark.NoneType, Refusal:
		return true
	}
	return false
}

// words returns the single text argument of a function, cut to maxWords.
func words(name string, args starlark.Tuple, kwargs []starlark.Tuple) (string, error) {
	var text string
	if err := starlark.UnpackPositionalArgs(name, args, kwargs, 1, &text); err != nil {
		return "", err
	}
	return show.Cut(text, maxWords), nil
}

// ofNumber returns a builtin function of one number.
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
