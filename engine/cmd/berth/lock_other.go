//go:build !unix

package main

// lock does nothing on systems without a lock that ends with its process.
type lock struct{}

func lockFolder(string) (*lock, error) { return &lock{}, nil }

func (l *lock) release() {}

// limitMemory does nothing on systems without such a limit.
func limitMemory(uint64) {}
