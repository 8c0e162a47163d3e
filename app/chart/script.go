package chart

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/show"
)

// script converts the parts of a spec to a JavaScript value. Slices of figures become typed arrays,
// each copied in one call, because one call per figure would take seconds for a large matrix.
func script(v any) any {
	switch v := v.(type) {
	case []float64:
		data := make([]byte, 0, 8*len(v))
		for _, x := range v {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		}
		return typedArray("Float64Array", data)
	case []int32:
		data := make([]byte, 0, 4*len(v))
		for _, x := range v {
			data = binary.LittleEndian.AppendUint32(data, uint32(x))
		}
		return typedArray("Int32Array", data)
	case []uint8:
		return typedArray("Uint8Array", v)
	case string:
		return show.Words(v)
	case []string:
		return list(column(v, show.Words))
	case []any:
		return column(v, script)
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, part := range v {
			object[name] = script(part)
		}
		return object
	default:
		return v
	}
}

// list converts texts to a JavaScript array in a single call. One call per text would take most of
// the time of a drawing with thousands of texts.
func list(texts []string) any {
	const between = "\x00"
	if len(texts) == 0 {
		return []any{}
	}
	return app.Window().Get("String").Get("prototype").Get("split").Call("call", strings.Join(texts, between), between)
}

func typedArray(kind string, data []byte) app.Value {
	bytes := app.Window().Get("Uint8Array").New(len(data))
	app.CopyBytesToJS(bytes, data)
	return app.Window().Get(kind).New(bytes.Get("buffer"))
}

// column applies of to each element of a list.
func column[D, V any](list []D, of func(D) V) []V {
	values := make([]V, len(list))
	for i, d := range list {
		values[i] = of(d)
	}
	return values
}
