package body

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
)

// Reading is a reader of an input that tells progress, takes the digest and
// ends with its context.
type Reading struct {
	r    io.Reader
	ctx  context.Context
	env  *Env
	sum  hash.Hash
	read int64
	size int64
}

// NewReading returns a reading of r, which has size bytes.
func NewReading(ctx context.Context, r io.Reader, size int64, env *Env) *Reading {
	return &Reading{r: r, ctx: ctx, env: env, sum: sha256.New(), size: size}
}

// Read implements [io.Reader].
func (r *Reading) Read(buffer []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.r.Read(buffer)
	r.sum.Write(buffer[:n])
	r.read += int64(n)
	r.env.TellRead(r.read, r.size)
	return n, err
}

// Digest returns the SHA-256 of what was read, in hexadecimal, and its length.
func (r *Reading) Digest() (sum string, size int64) {
	return hex.EncodeToString(r.sum.Sum(nil)), r.read
}
