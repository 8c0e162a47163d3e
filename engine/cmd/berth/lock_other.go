//go:build !unix

package main

import "io"

// lockFolder does nothing: these systems lack a lock that ends with the process.
func lockFolder(string) (io.Closer, error) { return io.NopCloser(nil), nil }

// limitMemory does nothing: these systems lack a limit on the address space.
func limitMemory(uint64) {}
