package written

import (
	"fmt"
	"math"
	"strconv"

	"go.starlark.net/starlark"

	"berth/engine/script"
)

// maxKey limits the length of a key.
const maxKey = 100

// about names the subject of a call in errors.
type about struct{ what, id string }

func (a about) String() string { return a.what + " " + a.id }

// numbered is like about but has a number. It builds its text only when needed.
type numbered struct {
	what string
	n    int
}

func (n numbered) String() string { return n.what + " " + strconv.Itoa(n.n) }

// decision is the value that a function returned: a key, or a refusal.
type decision struct {
	key     []float64
	refused bool
	why     string
}

// decide converts a returned value. A value of another type ends the run with an
// error and counts as a refusal.
func decide(f *script.Function, of fmt.Stringer, v starlark.Value, key []float64) decision {
	switch v := v.(type) {
	case starlark.NoneType:
		return decision{refused: true, why: f.Name() + "() returned None"}
	case script.Refusal:
		return decision{refused: true, why: string(v)}
	case starlark.Tuple, *starlark.List:
		all := v.(starlark.Indexable)
		if all.Len() > maxKey {
			f.Wrong(of, longKey, all.Len(), maxKey)
			return decision{refused: true}
		}
		for i := range all.Len() {
			x, ok := numberOf(all.Index(i))
			if !ok {
				f.Wrong(of, oddKey, all.Index(i).Type())
				return decision{refused: true}
			}
			key = append(key, x)
		}
		return decision{key: key}
	}
	x, ok := numberOf(v)
	if !ok {
		f.Wrong(of, notKey, v.Type())
		return decision{refused: true}
	}
	return decision{key: append(key, x)}
}

// numberOf converts a number other than NaN, or a boolean.
func numberOf(v starlark.Value) (float64, bool) {
	if b, ok := v.(starlark.Bool); ok {
		if b {
			return 1, true
		}
		return 0, true
	}
	x, ok := starlark.AsFloat(v)
	return x, ok && !math.IsNaN(x)
}

// yes converts a returned verdict: True, or False, None or a refusal with its reason.
func yes(f *script.Function, of fmt.Stringer, v starlark.Value) (ok bool, why string) {
	switch v := v.(type) {
	case starlark.Bool:
		return bool(v), ""
	case starlark.NoneType:
		return false, ""
	case script.Refusal:
		return false, string(v)
	}
	f.Wrong(of, notVerdict, v.Type())
	return false, ""
}

func float(x float64) (starlark.Value, error) { return starlark.Float(x), nil }
func whole(x int) (starlark.Value, error)     { return starlark.MakeInt(x), nil }
func text(s string) (starlark.Value, error)   { return starlark.String(s), nil }
func boolean(b bool) (starlark.Value, error)  { return starlark.Bool(b), nil }
