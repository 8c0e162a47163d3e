//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// lockFolder reserves a folder for this process until the lock is closed or the process ends.
func lockFolder(folder string) (io.Closer, error) {
	file, err := os.OpenFile(filepath.Join(folder, "lock"), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: another berth uses this store: wait until it ends, or let both use one NATS server with --nats", folder)
	}
	return file, nil
}

// limitMemory limits the address space to its current size plus more bytes, on systems such as
// Linux that report the current size. A limit on writable memory would be ineffective: Go makes
// reserved addresses writable, and the system does not count those.
func limitMemory(more uint64) {
	var pages uint64
	limit := syscall.Rlimit{}
	statm, _ := os.ReadFile("/proc/self/statm")
	if _, err := fmt.Sscan(string(statm), &pages); err == nil && syscall.Getrlimit(syscall.RLIMIT_AS, &limit) == nil {
		limit.Cur = min(limit.Max, pages*uint64(os.Getpagesize())+more)
		_ = syscall.Setrlimit(syscall.RLIMIT_AS, &limit)
	}
}
