//go:build !unix

package main

// lock does nothing where there is none that ends with its process.
type lock struct{}

func lockFolder(string) (*lock, error) { return &lock{}, nil }

func (l *lock) release() {}

// limitMemory does nothing: the system has no such limit.
func limitMemory(uint64) {}
