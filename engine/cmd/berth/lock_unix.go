//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// lock keeps a folder to one process; it ends with the process.
type lock struct{ file *os.File }

func lockFolder(folder string) (*lock, error) {
	file, err := os.OpenFile(filepath.Join(folder, "lock"), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: another berth uses this store: wait until it ends, or let both use one NATS server with --nats", folder)
	}
	return &lock{file}, nil
}

func (l *lock) release() { l.file.Close() }

// limitData has the system refuse more than so many bytes of memory that can be written.
func limitData(bytes uint64) {
	limit := syscall.Rlimit{}
	if syscall.Getrlimit(syscall.RLIMIT_DATA, &limit) == nil {
		limit.Cur = min(limit.Max, bytes)
		_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &limit)
	}
}
