package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/study"
)

// folderStore stores results in one file of a folder, for one process at a time. A result is one
// line with its key, a checksum and its JSON. Each line is written in one call, so a process that
// is killed loses no stored result.
type folderStore struct {
	folder string
	lock   io.Closer

	mu   sync.Mutex
	file *os.File
	size int64
	at   map[string]span // by key: the last line with the key
	// earlier has the lines of other engines, by key, unless this engine has repeated the run.
	earlier map[string]span
}

// span is the position of a line in the file.
type span struct{ offset, length int64 }

const storeFile = "results.txt"

// openStore opens the store in a folder, creating the folder if necessary. It removes damaged
// results from the file, with a warning. Results of another engine stay in the file, also with a
// warning.
func openStore(c *call, folder string) (*folderStore, error) {
	err := os.MkdirAll(folder, 0o777)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, pathless(err))
	}
	s := &folderStore{folder: folder}
	s.lock, err = lockFolder(folder)
	if err != nil {
		return nil, err
	}
	damaged, err := s.read()
	said := func(n int, what string) {
		if n > 0 {
			fmt.Fprintf(c.errs, "%s: "+what+" left out: the sweep repeats these runs\n", folder, show.Count(n, "result"), show.Verb(n, "is", "are"))
		}
	}
	said(damaged, "%s %s damaged and")
	said(len(s.earlier), "%s computed by an earlier engine %s")
	if err == nil && damaged > 0 {
		err = s.rewrite()
	}
	if err != nil {
		s.close()
		return nil, fmt.Errorf("%s: the store cannot be opened: %w. Check the space on the disk and your rights to write there", folder, pathless(err))
	}
	return s, nil
}

// read indexes the lines of the file and counts the damaged ones.
func (s *folderStore) read() (damaged int, err error) {
	s.at, s.earlier, s.size = map[string]span{}, map[string]span{}, 0
	s.file, err = os.OpenFile(filepath.Join(s.folder, storeFile), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o666)
	if err != nil {
		return 0, err
	}
	for r := bufio.NewReader(s.file); ; {
		line, err := r.ReadBytes('\n')
		var by struct{ Engine string }
		key, text, ok := study.CutLine(line)
		switch ok = ok && json.Unmarshal(text, &by) == nil; {
		case ok && by.Engine == scenario.Engine:
			s.at[key] = span{s.size, int64(len(line))}
			delete(s.earlier, key)
		case ok:
			s.earlier[key] = span{s.size, int64(len(line))}
		case len(line) > 0:
			damaged++
		}
		s.size += int64(len(line))
		if errors.Is(err, io.EOF) {
			return damaged, nil
		}
		if err != nil {
			return damaged, err
		}
	}
}

// rewrite removes the damaged lines from the file.
func (s *folderStore) rewrite() error {
	name := s.file.Name()
	sound, err := os.CreateTemp(s.folder, storeFile)
	if err != nil {
		return err
	}
	defer os.Remove(sound.Name())
	for _, at := range slices.AppendSeq(slices.Collect(maps.Values(s.earlier)), maps.Values(s.at)) {
		if _, err = io.Copy(sound, io.NewSectionReader(s.file, at.offset, at.length)); err != nil {
			break
		}
	}
	if err = errors.Join(err, sound.Close(), s.file.Close()); err != nil {
		return err
	}
	if err := os.Rename(sound.Name(), name); err != nil {
		return err
	}
	_, err = s.read()
	return err
}

// Get implements [study.Store]. It ignores results of other engines.
func (s *folderStore) Get(_ context.Context, key string) (*study.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.at[key]
	if !ok {
		return nil, nil
	}
	line := make([]byte, at.length)
	if _, err := s.file.ReadAt(line, at.offset); err != nil {
		return nil, fmt.Errorf("%s: %w", s.folder, pathless(err))
	}
	return study.OfLine(key, line), nil
}

// Put implements [study.Store].
func (s *folderStore) Put(_ context.Context, key string, r *study.Result) error {
	line, err := study.Line(key, r)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.file.Write(line); err != nil {
		s.file.Truncate(s.size) // removes a partial line, which would damage the next one
		return fmt.Errorf("%s: %w", s.folder, pathless(err))
	}
	s.at[key] = span{s.size, int64(len(line))}
	s.size += int64(len(line))
	return nil
}

func (s *folderStore) close() {
	s.file.Close()
	s.lock.Close()
}

// mergeStore adds the results of another store and prints their number.
func mergeStore(c *call, keep func(context.Context, string, *study.Result) error, folder string) error {
	if _, err := os.Stat(filepath.Join(folder, storeFile)); err != nil {
		return badInputf("--merge %s: this folder has no store of berth sweep", folder)
	}
	from, err := openStore(c, folder)
	if err != nil {
		return err
	}
	defer from.close()
	n := 0
	for key := range from.at {
		r, err := from.Get(c, key)
		if err == nil && r != nil {
			n++
			err = keep(c, key, r)
		}
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(c.errs, "%s: %s\n", folder, show.Count(n, "result"))
	return nil
}
