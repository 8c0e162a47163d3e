//go:build !js

package bridge

import (
	"bytes"
	"context"
	"io"
)

// Blob is a sequence of bytes that the page passes on without reading them. The bytes must not
// change.
type Blob struct{ data []byte }

// NewBlob returns a blob of the bytes, which the caller may still read.
func NewBlob(data []byte) Blob { return Blob{data: data} }

// Joined returns a blob with the bytes of all blobs in order.
func Joined(all []Blob) Blob {
	var b Blob
	for _, one := range all {
		b.data = append(b.data, one.data...)
	}
	return b
}

func (b Blob) Size() int { return len(b.data) }

func (b Blob) Bytes(context.Context) ([]byte, error) { return b.data, nil }

// Reader returns a reader of the bytes from the beginning.
func (b Blob) Reader() io.Reader { return bytes.NewReader(b.data) }

// Moved is NewBlob for bytes that are sent once.
func Moved(data []byte) Blob { return NewBlob(data) }
