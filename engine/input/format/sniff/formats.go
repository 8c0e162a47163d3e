package sniff

import (
	"slices"
	"strconv"
	"strings"

	"berth/engine/show"
)

// OverheadColumn is the only column of a table of overheads, which has no separator.
const OverheadColumn = "overhead_s"

const (
	unpack    = "unpack it, and choose a file in it"
	withTimes = "print those of a day with sacct -P -S now-1day -o JobID,User,Submit,Eligible,Start,End,Elapsed,NCPUS,Timelimit,State"
	toCSV     = "export its table as CSV with commas and decimal points"
)

// own are formats that no reader package adds, and formats that Berth recognises but cannot read.
var own = []*Format{

	{Name: "controllers", What: "a list of controllers", For: Controllers, Syntax: JSON, Fit: rowsOf("controllers", "kind", "class,replicas,completions,parallelism")},
	{Name: "classes", What: "a table of classes", For: Classes, Syntax: JSON, Fit: rowsOf("classes", "slo", "importance,margin,limit,priorities,bonus")},

	{Name: "gap", What: "an instance of generalised assignment", For: Assignments, Syntax: Numbers, Fit: assignment},

	{Name: "scenario", What: "a scenario or an experiment", For: Documents, Syntax: JSON, Fields: documentKeys, Fit: document},
	{Name: "report", What: "a report of Berth", Do: "a report holds results; open its scenario", Syntax: JSON, Must: "version,engine,results", Fields: documentKeys},
	{Name: "bundle", What: "a bundle of Berth", Do: "run it with berth run, or unpack it and open its scenario.json", Syntax: Binary, Fit: archive(`scenario.json`, 95)},

	// Git LFS stores such a pointer instead of a large file. Its keys and values look like prose or
	// like YAML.
	{Name: "lfs", What: "a Git LFS pointer", Do: "it names a file that Git stores elsewhere; fetch that with git lfs pull", Syntax: Prose | YAML, Fit: begins("version https://git-lfs.github.com/spec/")},
	{Name: "html", What: "a page of the web in HTML", Do: "download the file itself; on GitHub that is the button Raw", Syntax: XML, Fit: html},
	{Name: "svg", What: "a picture in SVG", Do: "choose the graph of the picture", Syntax: XML, Fit: Tag("<svg", 90)},
	{Name: "markdown", What: "a text in Markdown", Do: "it describes data; choose the data", Syntax: Prose, Fit: markdown},
	{Name: "kubernetes-part", What: "YAML of Kubernetes without apiVersion", Do: "add the line apiVersion: apps/v1 for a Deployment, v1 for a Node or Pod", Syntax: YAML, Must: "kind", Fields: "metadata,spec,status,data,items"},
	{Name: "kubernetes-part", What: "YAML of Kubernetes without kind", Do: "add a line such as kind: Deployment", Syntax: YAML, Must: "apiVersion", Fields: "metadata,spec,status,data,items"},
	{Name: "compose", What: "a file of Docker Compose", Do: "make manifests of it with kompose convert", Syntax: YAML, Must: "services", Fields: "version,networks,volumes,name,configs,secrets"},

	{Name: "sacct", What: "a list of jobs that Slurm's sacct prints without times", Do: withTimes, Syntax: Table, Must: "JobID"},
	{Name: "squeue", What: "a list of jobs that Slurm's squeue prints, which does not say how long they run", Do: withTimes, Syntax: Prose, Fit: Tag("NODELIST(REASON)", 90)},
	{Name: "task-usage", What: "task_usage of the Google trace of 2011, which says what tasks used, not when they came", Do: "choose task_events", Syntax: Table, Fit: Either(Row(95, "#,#,#,#"+strings.Repeat(",*", 15)), Row(95, "#,#,#,#"+strings.Repeat(",*", 16)))},
	{Name: "job-events", What: "job_events of the Google trace of 2011, which does not say what jobs need", Do: "choose task_events", Syntax: Table, Fit: Numbered("#,*,#,8,+,*,*,*")},
	{Name: "genai", What: "a table of pods of Alibaba's GenAI trace", Do: "it does not say when pods are submitted; write requests with the columns id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints,user,gpus", Syntax: Table, Must: "pod_id,gpu_spec_public"},
	{Name: "genai", What: "a table of servers of Alibaba's GenAI trace", Do: "it has a row for each hour; write a list of hosts with the columns name, cpu, memory and gpus", Syntax: Table, Must: "server_id,gpu_spec_public"},
	{Name: "opendc-fragments", What: "a table of fragments of OpenDC", Do: "choose the table of tasks, which has when they come and how long they run", Syntax: Table, Must: "id,duration,cpu_usage"},
	{Name: "opendc-fragments", What: "a table of fragments of OpenDC", Do: "choose the table of tasks, which has when they come and how long they run", Syntax: Table, Must: "id,duration,cpuUsage"},
	{Name: "separated", What: "a table with semicolons or tabs", Do: "write commas between columns and points in decimals", Syntax: Table, Fit: separated},

	{Name: "parquet", What: "a table in Parquet", Do: toCSV, Syntax: Binary, Fit: begins("PAR1")},
	{Name: "sqlite", What: "a database of SQLite", Do: toCSV, Syntax: Binary, Fit: begins("SQLite format 3\x00")},
	{Name: "excel", What: "a workbook of Excel", Do: "save its sheet as CSV with commas and decimal points", Syntax: Binary, Fit: Either(archive("xl/", 95), begins("\xd0\xcf\x11\xe0"))},
	{Name: "zip", What: "an archive in zip", Do: unpack, Syntax: Binary, Fit: archive("", 50)},
	{Name: "gzip", What: "a file packed with gzip", Do: unpack, Syntax: Binary, Fit: begins("\x1f\x8b")},
	{Name: "xz", What: "a file packed with xz", Do: unpack, Syntax: Binary, Fit: begins("\xfd7zXZ\x00")},
	{Name: "zst", What: "a file packed with Zstandard", Do: unpack, Syntax: Binary, Fit: begins("\x28\xb5\x2f\xfd")},
	{Name: "bz2", What: "a file packed with bzip2", Do: unpack, Syntax: Binary, Fit: begins("BZh")},
	{Name: "7z", What: "an archive in 7z", Do: unpack, Syntax: Binary, Fit: begins("7z\xbc\xaf\x27\x1c")},
	{Name: "rar", What: "an archive in RAR", Do: unpack, Syntax: Binary, Fit: begins("Rar!\x1a\x07")},
	{Name: "pdf", What: "a document in PDF", Do: "it describes data; choose the data", Syntax: Binary, Fit: begins("%PDF-")},
	{Name: "png", What: "a picture in PNG", Do: "choose the graph of the picture", Syntax: Binary, Fit: begins("\x89PNG")},
	{Name: "utf16", What: "text in UTF-16", Do: "save it in UTF-8", Syntax: Binary, Fit: Either(begins("\xff\xfe"), begins("\xfe\xff"))},
	{Name: "binary", What: "a file that is not text", Do: "choose a text", Syntax: Binary, Fit: Always(30)},
}

// Jobs are the roles of foreign formats with jobs: both labs read them.
const Jobs = Requests | Tasks

const documentKeys = "version,kind,name,placement,qos,federate,experiment,engine,scenario,headline,details,notes,warnings,diagnostics"

// Either returns the maximum of several scores.
func Either(fits ...func(*Head) int) func(*Head) int {
	return func(h *Head) int {
		best := 0
		for _, fit := range fits {
			best = max(best, fit(h))
		}
		return best
	}
}

func Always(score int) func(*Head) int { return func(*Head) int { return score } }

func ScoreIf(score int, fits bool) int {
	if fits {
		return score
	}
	return 0
}

func begins(magic string) func(*Head) int {
	return func(h *Head) int { return ScoreIf(100, strings.HasPrefix(h.Text, magic)) }
}

// archive recognises a zip archive that contains a file with the given name.
func archive(name string, score int) func(*Head) int {
	return func(h *Head) int {
		return ScoreIf(score, strings.HasPrefix(h.Text, "PK\x03\x04") && strings.Contains(h.Text, name))
	}
}

// Tag recognises texts that contain name, usually an XML tag such as "<graphml". Other texts score
// 0.
func Tag(name string, score int) func(*Head) int {
	return func(h *Head) int { return ScoreIf(score, strings.Contains(h.Text, name)) }
}

func html(h *Head) int {
	start := strings.ToLower(strings.TrimLeft(h.Text[:min(len(h.Text), 4096)], blanks))
	return ScoreIf(95, strings.HasPrefix(start, "<!doctype html") || strings.Contains(start, "<html") || strings.Contains(start, "<body"))
}

// markdown recognises a heading, links, code, or a table with bars.
func markdown(h *Head) int {
	return ScoreIf(40, strings.HasPrefix(h.Line, "# ") || strings.HasPrefix(h.Line, "|") || strings.Contains(h.Text, "\n|") ||
		strings.Contains(h.Text, "](") || strings.Contains(h.Text, "`"))
}

// HasKey reports whether a text has a key of a YAML or JSON mapping.
func (h *Head) HasKey(key string) bool {
	for rest := h.Text; ; {
		i := strings.Index(rest, key)
		if i < 0 {
			return false
		}
		before := strings.TrimRight(rest[:i], " \t\"'-{,")
		after := strings.TrimLeft(rest[i+len(key):], "\"' \t")
		if (before == "" || before[len(before)-1] == '\n' || before[len(before)-1] == '\r') && strings.HasPrefix(after, ":") ||
			strings.HasPrefix(rest[i+len(key):], `"`) && strings.HasPrefix(after, ":") {
			return true
		}
		rest = rest[i+len(key):]
	}
}

// document recognises scenarios, even with mistakes: one key that only scenarios have suffices.
func document(h *Head) int {
	known, own := 0, false
	for _, key := range h.Fields {
		if listed(documentKeys, key) {
			known++
		}
		own = own || listed("placement,qos,federate,experiment", key)
	}
	switch n := len(h.Fields); {
	case n == 0:
		return ScoreIf(Mistaken, strings.HasPrefix(strings.TrimLeft(h.Text, blanks), "{"))
	case own:
		return 70 + 10*known/n
	default:
		return ScoreIf(55*known/n, known*2 > n)
	}
}

// rowsOf recognises a list of objects with the key must, or an object with only the
// key whole. A list without must gets a low score for any key in fields.
func rowsOf(whole, must, fields string) func(*Head) int {
	return func(h *Head) int {
		if len(h.Fields) == 1 && h.Fields[0] == whole {
			return 90
		}
		if !strings.HasPrefix(strings.TrimLeft(h.Text, blanks), "[") {
			return 0
		}
		score := 0
		for _, key := range h.Fields {
			if key == must {
				return 90
			}
			if listed(fields, key) {
				score = 40
			}
		}
		return score
	}
}

func IsNumber(s string) bool { _, ok := show.ParseNumber(s); return ok }

func isWhole(s string, least, most int64) bool {
	n, err := strconv.ParseInt(s, 10, 64)
	return err == nil && n >= least && n <= most
}

const large = 1<<63 - 1

// mostlyNumbers reports whether at least half of the fields are numbers or empty;
// otherwise the line is a header.
func (h *Head) mostlyNumbers() bool {
	n := 0
	for _, field := range h.Fields {
		if field == "" || IsNumber(field) {
			n++
		}
	}
	return 2*n >= len(h.Fields)
}

// statuses are the statuses of tasks in Alibaba's traces.
const statuses = "Terminated,Failed,Running,Waiting,Interrupted,Ready,Cancelled"

// like reports whether the fields of a table line match a comma-separated pattern. A field pattern
// is # (a whole number), a number (a whole number up to it), % (any number), + (a word that is not
// a number), ! (a status), * (anything), or the literal field. A final … allows more fields.
func (h *Head) like(pattern string) bool {
	pattern, more := strings.CutSuffix(pattern, ",…")
	words := strings.Split(pattern, ",")
	if h.Mark == 0 || len(h.Fields) < len(words) || len(h.Fields) > len(words) && !more {
		return false
	}
	for i, word := range words {
		field, fits := h.Fields[i], true
		switch most, err := strconv.ParseInt(word, 10, 64); {
		case word == "*":
		case word == "#":
			fits = isWhole(field, 0, large)
		case word == "%":
			fits = IsNumber(field)
		case word == "+":
			fits = field != "" && !IsNumber(field)
		case word == "!":
			fits = listed(statuses, field)
		case err == nil && most >= 0:
			fits = isWhole(field, 0, most)
		default:
			fits = field == word
		}
		if !fits {
			return false
		}
	}
	return true
}

// Row recognises tables without a header by the pattern of their first line; see like.
func Row(score int, pattern string) func(*Head) int {
	return func(h *Head) int { return ScoreIf(score, h.like(pattern)) }
}

// Numbered is [Row] with two additions: it accepts a comment line with the right number of column
// names, and it gives a low score to any line of that many fields that are mostly numbers.
func Numbered(pattern string) func(*Head) int {
	any := strings.Repeat("*,", strings.Count(pattern, ",")) + "*"
	return func(h *Head) int {
		switch {
		case h.Mark != ',' || !h.like(any):
			return 0
		case h.like(pattern):
			return 95
		case strings.HasPrefix(h.Line, "#Time"):
			return 90
		}
		return ScoreIf(30, h.mostlyNumbers())
	}
}

// Header recognises a header that contains the given comma-separated column names and has the given
// number of columns; 0 means any number.
func Header(score, columns int, names string) func(*Head) int {
	return func(h *Head) int {
		return ScoreIf(score, (columns == 0 || len(h.Fields) == columns) && h.HasAll(names))
	}
}

// Mermaid recognises the first line of a flowchart: the keyword flowchart, or graph with a
// direction.
func Mermaid(h *Head) int {
	words := strings.Fields(h.Line)
	return ScoreIf(95, len(words) > 0 && (words[0] == "flowchart" || words[0] == "graph" && len(words) > 1 && listed("TB,TD,BT,RL,LR", strings.TrimSuffix(words[1], ";"))))
}

// HasAll reports whether the fields include all fields of a comma-separated list.
func (h *Head) HasAll(list string) bool {
	return !slices.ContainsFunc(strings.Split(list, ","), func(field string) bool { return !slices.Contains(h.Fields, field) })
}

// GWFLine reports whether a line is from a log in the Grid Workload Format: 29 columns separated by
// blanks, some of them names.
func GWFLine(line string) bool {
	words := strings.Fields(line)
	return len(words) == 29 && IsNumber(words[0]) && IsNumber(words[1]) && slices.ContainsFunc(words[swfColumns-7:], func(w string) bool { return !IsNumber(w) || w == "-1" })
}

// data returns the first line that is not a comment with #.
func (h *Head) data() string {
	for line := range strings.SplitSeq(h.Text, "\n") {
		if line = strings.Trim(line, blanks); line != "" && line[0] != '#' {
			return line
		}
	}
	return ""
}

// separated recognises a table with semicolons or tabs as separators.
func separated(h *Head) int {
	return ScoreIf(30, h.Mark == ';' || h.Mark == '\t')
}

// Mistaken is the score of a text that has only the syntax of a format.
const Mistaken = 20

const swfColumns = 18

func assignment(h *Head) int {
	return ScoreIf(90, len(h.Fields) == 2 && isWhole(h.Fields[0], 1, large) && isWhole(h.Fields[1], 1, large) && !h.Commented && h.Next != "")
}
