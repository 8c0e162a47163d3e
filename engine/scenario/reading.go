package scenario

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// Reading is a reader of a text that tells progress, takes the digest and ends
// with its context.
type Reading struct {
	text *Text
	ctx  context.Context
	env  *Env
	sum  hash.Hash
	read int64
}

// NewReading returns a reading of a text.
func NewReading(ctx context.Context, text *Text, env *Env) *Reading {
	return &Reading{text: text, ctx: ctx, env: env, sum: sha256.New()}
}

// Read implements io.Reader.
func (r *Reading) Read(buffer []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.text.Read(buffer)
	r.sum.Write(buffer[:n])
	r.read += int64(n)
	r.env.TellRead(r.text.Done(), r.text.Size)
	return n, err
}

// Digest returns the SHA-256 of what was read, in hexadecimal, and its length.
func (r *Reading) Digest() (sum string, size int64) {
	return hex.EncodeToString(r.sum.Sum(nil)), r.read
}
