package javascript

import (
	"context"
	"syscall/js"
)

// Await blocks until a promise is settled or ctx ends. The error is the reason of the
// rejection, a [js.Error], or the cause that ended ctx.
func Await(ctx context.Context, promise js.Value) (js.Value, error) {
	type outcome struct {
		value js.Value
		err   error
	}
	settled := make(chan outcome, 1)
	var keep, reject js.Func
	settle := func(o outcome) any {
		settled <- o
		// Release the functions only now, even if ctx has ended, because the browser reports a call
		// of a released function as an error.
		keep.Release()
		reject.Release()
		return nil
	}
	keep = js.FuncOf(func(_ js.Value, args []js.Value) any { return settle(outcome{value: args[0]}) })
	reject = js.FuncOf(func(_ js.Value, args []js.Value) any { return settle(outcome{err: js.Error{Value: args[0]}}) })
	promise.Call("then", keep, reject)
	select {
	case o := <-settled:
		return o.value, o.err
	case <-ctx.Done():
		return js.Undefined(), context.Cause(ctx)
	}
}

// Array returns a Uint8Array with a copy of data.
func Array(data []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(array, data)
	return array
}

// IsArray reports whether a value is a Uint8Array.
func IsArray(value js.Value) bool { return value.InstanceOf(js.Global().Get("Uint8Array")) }

// Bytes returns a copy of the bytes of a Uint8Array.
func Bytes(array js.Value) []byte {
	data := make([]byte, array.Length())
	js.CopyBytesToGo(data, array)
	return data
}
