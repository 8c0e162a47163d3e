package bridge

import (
	"context"
	"fmt"
	"io"
	"syscall/js"

	"berth/wasm/javascript"
)

// Blob is a sequence of bytes that the page passes on without reading them: a File or Blob of the
// browser, which is sent by reference, or a Uint8Array.
type Blob struct {
	value js.Value
	moves bool // made for one message: its buffer is transferred
}

// NewBlob returns a blob with a copy of data.
func NewBlob(data []byte) Blob {
	return Blob{value: javascript.Array(data)}
}

// Moved is NewBlob for bytes that are sent once; sending transfers the buffer instead
// of copying it.
func Moved(data []byte) Blob {
	b := NewBlob(data)
	b.moves = true
	return b
}

// BlobOf returns the blob of a File, a Blob or a Uint8Array.
func BlobOf(v js.Value) Blob { return Blob{value: v} }

// Joined concatenates blobs.
func Joined(all []Blob) Blob {
	parts := make([]any, len(all))
	for i, b := range all {
		parts[i] = b.value
	}
	return BlobOf(js.Global().Get("Blob").New(parts))
}

// Size returns the number of bytes.
func (b Blob) Size() int {
	switch {
	case b.value.IsUndefined():
		return 0
	case javascript.IsArray(b.value):
		return b.value.Length()
	}
	return b.value.Get("size").Int()
}

// Bytes returns a copy of the bytes. It blocks until the browser has read the file. Its error comes
// from the browser, for example because the file was changed or removed.
func (b Blob) Bytes(ctx context.Context) ([]byte, error) {
	array := b.value
	switch {
	case array.IsUndefined():
		return nil, nil
	case !javascript.IsArray(b.value):
		buffer, err := javascript.Await(ctx, b.value.Call("arrayBuffer"))
		if err != nil {
			return nil, fmt.Errorf("the file cannot be read: %w", err)
		}
		array = js.Global().Get("Uint8Array").New(buffer)
	}
	return javascript.Bytes(array), nil
}

// Reader returns a reader that holds one piece of the bytes at a time, so a file need
// not fit into memory. Reading a File or Blob works only in a worker, where it blocks
// until the browser has read the piece.
func (b Blob) Reader() io.Reader { return &blobReader{blob: b, size: b.Size()} }

// piece is the number of bytes that a reader requests from the browser at once.
const piece = 1 << 20

type blobReader struct {
	blob     Blob
	next     int // offset of the next piece
	size     int
	buffer   [piece]byte
	unread   []byte // rest of the buffer
	fromFile js.Value
}

// Read implements [io.Reader].
func (r *blobReader) Read(to []byte) (int, error) {
	if len(r.unread) == 0 {
		if r.next >= r.size {
			return 0, io.EOF
		}
		if err := r.fill(); err != nil {
			return 0, fmt.Errorf("the file cannot be read: %w", err)
		}
	}
	n := copy(to, r.unread)
	r.unread = r.unread[n:]
	return n, nil
}

// fill reads the next piece. The browser throws if the file has changed or is gone.
func (r *blobReader) fill() (err error) {
	defer func() {
		if thrown, ok := recover().(js.Error); ok {
			err = thrown
		}
	}()
	end := min(r.next+piece, r.size)
	var array js.Value
	if javascript.IsArray(r.blob.value) {
		array = r.blob.value.Call("subarray", r.next, end)
	} else {
		if r.fromFile.IsUndefined() {
			r.fromFile = js.Global().Get("FileReaderSync").New()
		}
		part := r.blob.value.Call("slice", r.next, end)
		array = js.Global().Get("Uint8Array").New(r.fromFile.Call("readAsArrayBuffer", part))
	}
	r.unread = r.buffer[:js.CopyBytesToGo(r.buffer[:], array)]
	r.next = end
	return nil
}
