package scenario

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/input/packed"
)

// SourceReader reads a text, reports progress, computes the digest, and stops with its
// context.
type SourceReader struct {
	text *packed.Text
	ctx  context.Context
	env  *Env
	sum  hash.Hash
	read int64

	whole bool // the caller keeps the text
}

// Reading opens the text of a source for its first reading. whole means that the caller keeps the
// text in memory. If the text is missing, or too large for that, the error is an [*InputError].
func (e *Env) Reading(ctx context.Context, slot string, s *Source, whole bool) (*SourceReader, error) {
	text, err := e.Open(slot, s)
	if err == nil && whole {
		err = text.Bound()
	}
	if err != nil {
		return nil, Unread(slot, s, err)
	}
	reading := newReading(ctx, text, e)
	reading.whole = whole
	return reading, nil
}

func newReading(ctx context.Context, text *packed.Text, env *Env) *SourceReader {
	return &SourceReader{text: text, ctx: ctx, env: env, sum: sha256.New()}
}

// Unread adds the name of a source to the error of opening it, if its text is missing or too large.
// It returns any other error unchanged.
func Unread(slot string, s *Source, err error) error {
	if !errors.Is(err, ErrNoText) && !errors.Is(err, packed.ErrTooLarge) {
		return err
	}
	d := diag.New(s.Name, 0, 0, diag.Invalid, err)
	d.Field = slot
	return &InputError{Diagnostics: diag.List{*d}}
}

// Read implements [io.Reader].
func (r *SourceReader) Read(buffer []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.text.Read(buffer)
	r.sum.Write(buffer[:n])
	r.read += int64(n)
	r.env.TellRead(r.text.Done(), r.text.Size)
	if r.whole && (err == nil || err == io.EOF) {
		if beyond := r.env.Load().Take(budget.Bytes, n); beyond != nil {
			return 0, beyond
		}
	}
	return n, err
}

// Digest returns the SHA-256 of the text read so far, in hexadecimal, and its length.
func (r *SourceReader) Digest() (sum string, size int64) {
	return hex.EncodeToString(r.sum.Sum(nil)), r.read
}
