package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// program is a simulator by other authors, as published or with a defect fixed.
type program struct {
	id, name, source string // id: name of its flag; name: for sentences; source: repository and commit
	mended           bool
	most             int // maximum number of jobs in its traces; 0: all
	modes            []mode
}

func (p *program) about() string {
	if p.mended {
		return "the simulator of " + p.name + " with the defect mended"
	}
	return "the simulator of " + p.name + " as published"
}

// mode is one of a simulator's schedulers.
type mode struct {
	scheduler string // name in Berth
	// arguments prepares the folder for a run on a trace and returns the arguments of the command.
	arguments func(dir, trace string) ([]string, error)
	// read returns the response times that a run wrote to its folder.
	read func(dir string, t *trace) (responses, error)
}

const (
	eagleSource  = "epfl-labos/eagle, 371b51f"
	pigeonSource = "ruby-/pigeon, 505f48e6"
	meghaSource  = "meghanat/megha_simulator, f4fdaf42"
)

var (
	// The parameters are from Eagle's documentation for the Yahoo trace.
	eagleModes = []mode{
		eagleMode("sparrow", "no", "no", "100", "no", "0", "Hawk"),
		eagleMode("hawk", "yes", "yes", "98", "no", "0", "Hawk"),
		eagleMode("eagle", "no", "yes", "98", "yes", "20", "Eagle"),
	}
	// In the output of Pigeon, the second word is 1 for short jobs, and the fourth is the response
	// time in seconds.
	pigeonModes = []mode{{"pigeon", pigeonArguments, columns("output_file_name", 1, "1", 3)}}

	programs = []program{
		{id: "eagle", name: "Eagle", source: eagleSource, modes: eagleModes},
		{id: "eagle-mended", name: "Eagle", source: eagleSource, mended: true, modes: eagleModes},
		{id: "pigeon", name: "Pigeon", source: pigeonSource, modes: pigeonModes},
		{id: "pigeon-mended", name: "Pigeon", source: pigeonSource, mended: true, modes: pigeonModes},
		{id: "megha", name: "Megha", source: meghaSource, most: 300, modes: []mode{{"megha", meghaArguments, readMegha}}},
	}
)

// eagleMode returns a mode of Eagle's simulator. In its output the fifth word is 1 for long jobs,
// and the seventh is the response time in seconds.
func eagleMode(scheduler, steal, central, long, order, least, name string) mode {
	cut := fmt.Sprint(cutoff)
	return mode{scheduler, func(_, trace string) ([]string, error) {
		return []string{trace, steal, central, cut, cut, "100", long, "1", "2", "100", "MEAN", "0", "0", "ATC", "10000", "10", fmt.Sprint(workers), order, "0", least, order, name}, nil
	}, columns("finished_file", 4, "0", 6)}
}

// columns returns a reader of a file with one line per job. sort is the index of the word that
// classifies the job, and short is that word for short jobs. seconds is the index of the response
// time.
func columns(file string, sort int, short string, seconds int) func(dir string, _ *trace) (responses, error) {
	return func(dir string, _ *trace) (r responses, err error) {
		return r, lines(filepath.Join(dir, file), func(words []string) error {
			if len(words) <= max(sort, seconds) {
				return fmt.Errorf("%d words: expected more than %d", len(words), max(sort, seconds))
			}
			t, err := strconv.ParseFloat(words[seconds], 64)
			r.put(words[sort] == short, t)
			return err
		})
	}
}

// pigeonArguments puts the trace where Pigeon's simulator expects it.
func pigeonArguments(dir, trace string) ([]string, error) {
	if err := os.Mkdir(filepath.Join(dir, "path"), 0o777); err != nil {
		return nil, err
	}
	return nil, os.Symlink(trace, filepath.Join(dir, "path", "input_file_name"))
}

// meghaMasters is the number of Megha's global masters (GM), and also of its local masters (LM).
const meghaMasters = 10

// meghaArguments writes the file that describes the workers.
func meghaArguments(dir, trace string) ([]string, error) {
	const part = workers / (meghaMasters * meghaMasters)
	type object = map[string]any
	masters := object{}
	for lm := range meghaMasters {
		parts := object{}
		for gm := range meghaMasters {
			nodes := object{}
			for n := range part {
				nodes[fmt.Sprint((lm*meghaMasters+gm)*part+n+1)] = object{"CPU": 1, "RAM": 1, "Disk": 1, "constraints": []any{}}
			}
			parts[fmt.Sprint(gm+1)] = object{"partition_id": fmt.Sprint(gm + 1), "nodes": nodes}
		}
		masters[fmt.Sprint(lm+1)] = object{"LM_id": fmt.Sprint(lm + 1), "partitions": parts}
	}
	data, err := json.Marshal(object{"LMs": masters})
	if err != nil {
		return nil, err
	}
	config := filepath.Join(dir, "config.json")
	if err := os.Mkdir(filepath.Join(dir, "logs"), 0o777); err != nil {
		return nil, err
	}
	return []string{trace, config, fmt.Sprint(meghaMasters), fmt.Sprint(meghaMasters), fmt.Sprint(part), "1", "1", "1"}, os.WriteFile(config, data, 0o666)
}

// readMegha reads the number of each job, from 1, and its delay: its completion time minus its
// longest task, in seconds.
func readMegha(dir string, t *trace) (r responses, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "logs", "*_job_completion_time.csv"))
	if err != nil || len(files) != 1 {
		return r, fmt.Errorf("%d files of completion times: expected 1: %w", len(files), err)
	}
	first := true
	return r, lines(files[0], func(words []string) error {
		if first { // skip the header
			first = false
			return nil
		}
		job, delay, _ := strings.Cut(words[0], ",")
		number, err := strconv.Atoi(job)
		if err != nil || number < 1 || number > len(t.tasks.Jobs) {
			return fmt.Errorf("%q is no job of the trace", job)
		}
		seconds, err := strconv.ParseFloat(delay, 64)
		if err != nil {
			return err
		}
		r.put(t.short(number-1), seconds+t.longest(number-1))
		return nil
	})
}

// lines calls each with the words of every line of a file.
func lines(file string, each func(words []string) error) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	scanner := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; scanner.Scan(); n++ {
		if err := each(strings.Fields(scanner.Text())); err != nil {
			return fmt.Errorf("%s:%d: %w", filepath.Base(file), n, err)
		}
	}
	return scanner.Err()
}
