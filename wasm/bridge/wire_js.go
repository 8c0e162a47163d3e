package bridge

import (
	"fmt"
	"syscall/js"

	"berth/wasm/javascript"
)

// postMessage transfers a message as {head, body, files}: a string, a Uint8Array and an object of
// Uint8Array, Blob or File by name.

// ToJS returns the arguments of postMessage: the message and the buffers to transfer.
func (m Message) ToJS() (data, transfer js.Value) {
	object := js.Global().Get("Object")
	transfer = js.Global().Get("Array").New()
	body := javascript.Array(m.Body)
	transfer.Call("push", body.Get("buffer"))
	files := object.New()
	for name, b := range m.Files {
		files.Set(name, b.value)
		if b.moves {
			transfer.Call("push", b.value.Get("buffer"))
		}
	}
	data = object.New()
	data.Set("head", string(m.Head.Encode()))
	data.Set("body", body)
	data.Set("files", files)
	return data, transfer
}

// FromJS reads the data of a message event. The boot script's note that the worker is
// alive or dead becomes a message of kind KindAlive or KindCrash.
func FromJS(data js.Value) (Message, error) {
	if data.Type() != js.TypeObject {
		return Message{}, fmt.Errorf("bridge: a message that is no object but of type %s", data.Type())
	}
	if kind := data.Get("kind"); kind.Type() == js.TypeString {
		switch MessageKind(kind.String()) {
		case KindAlive:
			return Message{Head: Head{Kind: KindAlive}}, nil
		case KindCrash:
			if data.Get("memory").Truthy() {
				return lost(TooMuch, ""), nil
			}
			return crash(data.Get("error").String()), nil
		}
	}
	head, body, files := data.Get("head"), data.Get("body"), data.Get("files")
	if head.Type() != js.TypeString || !javascript.IsArray(body) || files.Type() != js.TypeObject {
		return Message{}, fmt.Errorf("bridge: a message without head, body or files")
	}
	h, err := DecodeHead([]byte(head.String()))
	if err != nil {
		return Message{}, err
	}
	m := Message{Head: h, Body: javascript.Bytes(body), Files: map[string]Blob{}}
	names := js.Global().Get("Object").Call("keys", files)
	for i := range names.Length() {
		name := names.Index(i).String()
		m.Files[name] = BlobOf(files.Get(name))
	}
	return m, nil
}
