//go:build !unix

package main

import "io"

// lockFolder does nothing on systems without a lock that ends with its process.
func lockFolder(string) (io.Closer, error) { return io.NopCloser(nil), nil }

// limitMemory does nothing on systems without such a limit.
func limitMemory(uint64) {}
