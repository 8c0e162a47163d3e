package sniff

import (
	"slices"
	"strconv"
	"strings"

	"berth/engine/show"
)

// Columns and fields of the formats that Berth reads.
const (
	RequestColumns   = "id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints,user,gpus"
	HostColumns      = "name,cpu,memory,attributes,gpus"
	MachineColumns   = HostColumns + ",count,slots,speed,rack"
	OverheadColumn   = "overhead_s"
	HostEventColumns = "time_s,host,event,cpu,memory,gpus"
	TaskColumns      = "arrival,job,user,duration,cpu,memory,constraints,priority,after"
	OpenbPods        = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time"
	OpenbNodes       = "sn,cpu_milli,memory_mib,gpu,model"
	BrokerFields     = "time,task,job,user,anti_affinity,priority,duration,-1,cpu,ram,class,slo"
	TaskEvents       = "time,missing,job,task,machine,event,user,class,priority,cpu,ram,disk,different_machine"
	MachineEvents    = "time,machine,event,platform,cpu,ram"
	RequestTerm      = `{timestamp,task,job,duration,cpu,ram,priority,antiaffinity,[{"key","op","value"},…]}.`
	HostTerm         = `{id,"name",cpu,ram,[{"key","value"},…]}.`
	OverheadTerm     = `{seconds}.`
	TraceFields      = "arrival_s number_of_tasks mean_duration_s d1 … dn"
	SWFFields        = "18 or more columns of the Standard Workload Format: job submit wait run procs … requested_procs … user …"
)

const (
	unpack      = "unpack it, and choose a file in it"
	inPlacement = "choose it in Placement, as a deployment or as the federation"
	// inKubernetes covers both: Kubernetes objects may be nodes or workloads.
	inKubernetes = "choose it in Placement, as hosts or controllers in QoS, or as the machines in Federate"
	withTimes    = "print those of a day with sacct -P -S now-1day -o JobID,User,Submit,Eligible,Start,End,Elapsed,NCPUS,Timelimit,State"
	toCSV        = "export its table as CSV with commas and decimal points"
)

// formats is the table. Lists of accepted formats follow its order.
var formats = []Format{
	{Name: "dot", What: "a graph in DOT", For: Placement, syntax: DOT, fit: always(100)},
	{Name: "kubernetes", Brief: "Kubernetes", What: "objects of Kubernetes", For: Placement | Manifests, Do: inKubernetes, syntax: YAML, fit: kubernetes},
	{Name: "kubernetes", Brief: "Kubernetes", What: "objects of Kubernetes", For: Placement | Manifests, Do: inKubernetes, syntax: JSON, fit: kubernetes},
	{Name: "graphml", Of: "GraphML", What: "a graph in GraphML", For: Placement, Do: inPlacement, syntax: XML, fit: tag("<graphml", 100)},
	{Name: "gml", Of: "GML, also of the Internet Topology Zoo", What: "a graph in GML", For: Placement, Do: inPlacement, syntax: GML, fit: always(100)},
	{Name: "gexf", Of: "Gephi", What: "a graph in GEXF", For: Placement, Do: inPlacement, syntax: XML, fit: tag("<gexf", 100)},
	{Name: "node-link", Of: "networkx", What: "a graph in JSON of networkx", For: Placement, Do: inPlacement, syntax: JSON, must: "nodes,links", fields: "directed,multigraph,graph"},
	{Name: "node-link", Of: "networkx", What: "a graph in JSON of networkx", For: Placement, Do: inPlacement, syntax: JSON, must: "nodes,edges", fields: "directed,multigraph,graph"},
	{Name: "cytoscape", Of: "Cytoscape", What: "a graph in JSON of Cytoscape", For: Placement, Do: inPlacement, syntax: JSON, must: "elements", fields: "data,directed,multigraph,format_version,generated_by,target_cytoscapejs_version,style,layout"},
	{Name: "jaeger", Of: "Jaeger", What: "dependencies of Jaeger", For: Deployments, syntax: JSON, fit: jaeger},
	{Name: "mermaid", Of: "Mermaid", What: "a flowchart of Mermaid", For: Deployments, syntax: Prose, fit: mermaid},
	{Name: "edges", Of: "Tables of edges", What: "a table of edges", For: Placement, Do: inPlacement, syntax: Table, fit: edges},
	{Name: "matrix", Of: "Matrices of latencies", What: "a matrix of latencies", For: Federations, syntax: Table, fit: matrix},

	{Name: "erlang-requests", Brief: "the authors' format", What: "a workload of requests", For: Requests, Too: Tasks, Accept: RequestTerm, syntax: Terms, fit: requestTerm},
	{Name: "requests", Brief: "CSV", What: "a workload of requests", For: Requests, Too: Tasks, Accept: "CSV with the header " + RequestColumns, syntax: Table, must: "submit_s,duration_s", fields: RequestColumns},
	{Name: "broker", Brief: "the broker's CSV", What: "a workload of requests", For: Requests, Too: Tasks, Accept: "the broker's " + BrokerFields, syntax: Table, fit: numbered("%,*,*,*,*,*,*,-1,*,*,*,*")},
	{Name: "task-events", Brief: "Google task_events", What: "task_events of the Google trace of 2011", For: jobs, list: Requests, Accept: "task_events of the Google trace of 2011, " + TaskEvents, syntax: Table, fit: numbered("#,*,#,*,*,8,*,*,*,*,*,*,*")},
	{Name: "openb-pods", Brief: "openb pods", What: "a list of pods of openb", For: jobs, list: Requests, Accept: "openb's pods with the header " + OpenbPods, syntax: Table, must: "cpu_milli,memory_mib,creation_time", fields: OpenbPods},

	{Name: "erlang-hosts", Brief: "the authors' format", What: "a list of hosts", For: Hosts, Accept: HostTerm, syntax: Terms, fit: hostTerm},
	{Name: "hosts", Brief: "CSV", What: "a list of hosts", For: Hosts, Accept: "CSV with the header " + HostColumns, syntax: Table, must: "name,cpu,memory", fields: HostColumns},
	{Name: "machine-events", Brief: "Google machine_events", What: "machine_events of the Google trace of 2011", For: Hosts, Accept: "machine_events of the Google trace of 2011, " + MachineEvents, syntax: Table, fit: numbered("#,#,2,*,*,*")},
	{Name: "openb-nodes", Brief: "openb nodes", What: "a list of nodes of openb", For: Hosts, Too: Federations, Accept: "openb's nodes with the header " + OpenbNodes, syntax: Table, must: "sn,cpu_milli,memory_mib", fields: OpenbNodes},

	{Name: "overheads", What: "a list of overheads", For: Overheads, Accept: "CSV with the header " + OverheadColumn, syntax: Table, fields: OverheadColumn},
	{Name: "erlang-overheads", Brief: "the authors' format", What: "a list of overheads", For: Overheads, Accept: OverheadTerm, syntax: Terms, fit: overheadTerm},
	{Name: "host-events", What: "a list of host events", For: HostEvents, Accept: "CSV with the header " + HostEventColumns, syntax: Table, must: "time_s,host,event", fields: HostEventColumns},
	{Name: "fta", Brief: "Failure Trace Archive", What: "events of the Failure Trace Archive", For: HostEvents, syntax: Prose, fit: tag("component_id node_id platform_id node_name event_type", 95)},
	{Name: "controllers", What: "a list of controllers", For: Controllers, syntax: JSON, fit: rowsOf("controllers", "kind", "class,replicas,completions,parallelism")},
	{Name: "classes", What: "a table of classes", For: Classes, syntax: JSON, fit: rowsOf("classes", "slo", "importance,margin,limit,priorities,bonus")},

	{Name: "tr", What: "a trace of jobs", For: Tasks, Too: Requests, Accept: "a trace with the lines " + TraceFields, syntax: Numbers, fit: trace},
	{Name: "swf", What: "a log in the Standard Workload Format", For: jobs, list: Tasks, Accept: "a log with " + SWFFields, syntax: Numbers, fit: swf},
	{Name: "tasks", What: "a trace of tasks", For: Tasks, Too: Requests, Accept: "CSV with the header " + TaskColumns, syntax: Table, must: "arrival,duration", fields: TaskColumns},
	{Name: "gap", What: "an instance of generalised assignment", For: Assignments, syntax: Numbers, fit: assignment},

	// Foreign formats. Package trace defines their interpretation.
	{Name: "gwf", Of: "Grid Workload Format", What: "a log in the Grid Workload Format", For: jobs, syntax: Numbers, fit: gwf},
	{Name: "sacct", Of: "Slurm", What: "a list of jobs that Slurm's sacct -P prints", For: jobs, syntax: Table, mark: '|', must: "JobID,Submit"},
	{Name: "sacct", Of: "Slurm", What: "a list of jobs that Slurm's sacct prints in columns", For: jobs, syntax: Table, mark: ' ', must: "JobID,Submit"},
	{Name: "slurm-db", Of: "Slurm", What: "a table of jobs of Slurm's database", For: jobs, syntax: Table, must: "id_job,time_submit,time_start,time_end"},
	{Name: "pbs", Of: "PBS and Torque", What: "an accounting log of PBS", For: jobs, syntax: Table, mark: ';', fit: pbs},
	{Name: "sge", Of: "Grid Engine", What: "an accounting file of Grid Engine", For: jobs, syntax: Table, mark: ':', fit: row(95, "*,*,*,*,*,#,*,*,#,#"+strings.Repeat(",*", 32)+",…")},
	{Name: "sacct-json", Of: "Slurm", What: "a list of jobs that Slurm's sacct --json prints", For: jobs, syntax: JSON, fit: sacctJSON},
	{Name: "batsim-jobs", Of: "Batsim", What: "a table of jobs that Batsim writes", For: jobs, syntax: Table, must: "submission_time,requested_number_of_resources"},
	{Name: "batsim", Of: "Batsim", What: "a workload of Batsim", For: jobs, syntax: JSON, must: "jobs,profiles", fields: "nb_res,description,command,date,version"},
	{Name: "batch-task-2017", Of: "Alibaba 2017", What: "batch_task of the Alibaba trace of 2017", For: jobs, syntax: Table, fit: row(95, "*,#,*,*,*,!,*,*")},
	{Name: "batch-task", Of: "Alibaba 2018", What: "batch_task of the Alibaba trace of 2018", For: jobs, syntax: Table, fit: row(95, "*,#,*,*,!,*,*,*,*")},
	{Name: "pai-task", Of: "Alibaba 2020 PAI", What: "pai_task_table of the Alibaba trace of 2020", For: jobs, syntax: Table, fit: either(header(95, 10, "job_name,gpu_type"), row(95, "*,*,*,!,*,*,*,*,*,*")), Part: "pai", Whole: true},
	{Name: "spot-gpu-jobs", Of: "Alibaba spot-GPU", What: "a list of jobs of Alibaba's spot-GPU trace", For: jobs, syntax: Table, must: "gpu_request,worker_num,submit_time"},
	{Name: "dlrm", Of: "Alibaba DLRM 2025", What: "a list of instances of Alibaba's DLRM trace", For: jobs, syntax: Table, must: "instance_sn,gpu_request,creation_time"},
	{Name: "google2019", Of: "Google 2019", What: "events of the Google trace of 2019", For: jobs, syntax: JSON, must: "collection_id,time,type"},
	{Name: "google2019-table", Of: "Google 2019", What: "a table of events of the Google trace of 2019", For: jobs, syntax: Table, must: "collection_id,instance_index,time,type"},
	{Name: "azure-vms", Of: "Azure 2017 and 2019", What: "a table of virtual machines of Azure", For: jobs, syntax: Table, fit: azureVMs},
	{Name: "azure-packing", Of: "Azure Packing 2020", What: "virtual machines of Azure's packing trace, joined with their types", For: jobs, syntax: Table, must: "vmId,starttime,endtime,core"},
	{Name: "azure-functions", Of: "Azure Functions 2019", What: "invocations of functions of Azure per minute, joined with their running times", For: jobs, syntax: Table, fit: azureFunctions},
	{Name: "azure-invocations", Of: "Azure Functions 2021", What: "a trace of invocations of functions of Azure", For: jobs, syntax: Table, must: "app,func,end_timestamp,duration"},
	{Name: "azure-llm", Of: "Azure LLM inference", What: "a trace of LLM inference of Azure", For: jobs, syntax: Table, must: "ContextTokens,GeneratedTokens"},
	{Name: "philly", Of: "Microsoft Philly", What: "a log of jobs of Microsoft's Philly trace", For: jobs, syntax: JSON, must: "jobid,submitted_time"},
	{Name: "helios", Of: "SenseTime Helios", What: "a log of jobs of the Helios trace", For: jobs, syntax: Table, must: "job_id,gpu_num,submit_time"},
	{Name: "opendc", Of: "OpenDC", What: "a table of tasks of OpenDC", For: jobs, syntax: Table, fit: opendc},
	{Name: "wfformat", Of: "WfCommons", What: "a workflow in WfFormat of WfCommons", For: jobs, syntax: JSON, must: "workflow", fields: "name,description,createdAt,schemaVersion,author,wms,runtimeSystem"},
	{Name: "tables", Of: "Tables that belong together", What: "tables one behind the other", For: jobs, syntax: Parts, fit: always(100)},
	{Name: "spot-gpu", Of: "Alibaba spot-GPU", What: "a list of nodes of Alibaba's spot-GPU trace", For: Hosts, syntax: Table, must: "gpu_model,gpu_capacity_num,cpu_num"},
	{Name: "pai-machines", Of: "Alibaba 2020 PAI", What: "pai_machine_spec of the Alibaba trace of 2020", For: Hosts, syntax: Table, fit: either(header(95, 5, "machine,gpu_type,cap_cpu,cap_mem,cap_gpu"), row(60, "*,+,4096,#,64"))},
	{Name: "machine-meta", Of: "Alibaba 2018", What: "machine_meta of the Alibaba trace of 2018", For: Hosts, syntax: Table, fit: either(row(95, "*,#,*,*,*,*,USING"), row(95, "*,#,*,*,*,*,IMPORT"))},

	{Name: "scenario", What: "a scenario or an experiment", For: Documents, syntax: JSON, fields: documentKeys, fit: document},
	{Name: "report", What: "a report of Berth", Do: "a report holds results; open its scenario", syntax: JSON, must: "version,engine,results", fields: documentKeys},
	{Name: "bundle", What: "a bundle of Berth", Do: "run it with berth run, or unpack it and open its scenario.json", syntax: Binary, fit: archive(`scenario.json`, 95)},

	lfs(Prose), lfs(YAML),
	{Name: "html", What: "a page of the web in HTML", Do: "download the file itself; on GitHub that is the button Raw", syntax: XML, fit: html},
	{Name: "svg", What: "a picture in SVG", Do: "choose the graph of the picture", syntax: XML, fit: tag("<svg", 90)},
	{Name: "markdown", What: "a text in Markdown", Do: "it describes data; choose the data", syntax: Prose, fit: markdown},
	{Name: "kubernetes-part", What: "YAML of Kubernetes without apiVersion", Do: "add the line apiVersion: apps/v1 for a Deployment, v1 for a Node or Pod", syntax: YAML, must: "kind", fields: "metadata,spec,status,data,items"},
	{Name: "kubernetes-part", What: "YAML of Kubernetes without kind", Do: "add a line such as kind: Deployment", syntax: YAML, must: "apiVersion", fields: "metadata,spec,status,data,items"},
	{Name: "compose", What: "a file of Docker Compose", Do: "make manifests of it with kompose convert", syntax: YAML, must: "services", fields: "version,networks,volumes,name,configs,secrets"},

	{Name: "sacct", What: "a list of jobs that Slurm's sacct prints without times", Do: withTimes, syntax: Table, must: "JobID"},
	{Name: "squeue", What: "a list of jobs that Slurm's squeue prints, which does not say how long they run", Do: withTimes, syntax: Prose, fit: tag("NODELIST(REASON)", 90)},
	{Name: "task-usage", What: "task_usage of the Google trace of 2011, which says what tasks used, not when they came", Do: "choose task_events", syntax: Table, fit: either(row(95, "#,#,#,#"+strings.Repeat(",*", 15)), row(95, "#,#,#,#"+strings.Repeat(",*", 16)))},
	{Name: "job-events", What: "job_events of the Google trace of 2011, which does not say what jobs need", Do: "choose task_events", syntax: Table, fit: numbered("#,*,#,8,+,*,*,*")},
	{Name: "vm-types", What: "types of machines of Azure's packing trace", Do: together("the table of virtual machines"), syntax: Table, must: "vmTypeId,machineId", Part: "packing"},
	{Name: "packing-vms", What: "virtual machines of Azure's packing trace without their types", Do: together("the table of their types"), syntax: Table, must: "vmId,vmTypeId", Part: "packing", Whole: true},
	{Name: "pai-job", What: "pai_job_table of the Alibaba trace of 2020", Do: together("pai_task_table, which has the resources"), syntax: Table, fit: either(header(94, 6, "inst_id,status,start_time"), row(94, "*,*,*,!,*,*")), Part: "pai"},
	{Name: "pai-instance", What: "pai_instance_table of the Alibaba trace of 2020", Do: together("pai_task_table, which has the resources"), syntax: Table, fit: either(header(94, 9, "inst_id,status,start_time"), row(94, "*,*,*,*,*,!,*,*,*")), Part: "pai"},
	{Name: "genai", What: "a table of pods of Alibaba's GenAI trace", Do: "it does not say when pods are submitted; write requests with the columns " + RequestColumns, syntax: Table, must: "pod_id,gpu_spec_public"},
	{Name: "genai", What: "a table of servers of Alibaba's GenAI trace", Do: "it has a row for each hour; write a list of hosts with the columns name, cpu, memory and gpus", syntax: Table, must: "server_id,gpu_spec_public"},
	{Name: "opendc-fragments", What: "a table of fragments of OpenDC", Do: "choose the table of tasks, which has when they come and how long they run", syntax: Table, must: "id,duration,cpu_usage"},
	{Name: "opendc-fragments", What: "a table of fragments of OpenDC", Do: "choose the table of tasks, which has when they come and how long they run", syntax: Table, must: "id,duration,cpuUsage"},
	{Name: "function-counts", What: "invocations of functions of Azure per minute, without running times", Do: together("the table of running times"), syntax: Table, must: "HashFunction,Trigger", Part: "functions", Whole: true},
	{Name: "function-times", What: "running times of functions of Azure, without invocations", Do: together("the table of invocations per minute"), syntax: Table, must: "HashFunction,Average", Part: "functions"},
	{Name: "function-memory", What: "memory of applications of Azure Functions", Do: together("the tables of invocations per minute and of running times"), syntax: Table, must: "HashApp,AverageAllocatedMb", Part: "functions"},
	{Name: "separated", What: "a table with semicolons or tabs", Do: "write commas between columns and points in decimals", syntax: Table, fit: separated},

	{Name: "parquet", What: "a table in Parquet", Do: toCSV, syntax: Binary, fit: begins("PAR1")},
	{Name: "sqlite", What: "a database of SQLite", Do: toCSV, syntax: Binary, fit: begins("SQLite format 3\x00")},
	{Name: "excel", What: "a workbook of Excel", Do: "save its sheet as CSV with commas and decimal points", syntax: Binary, fit: either(archive("xl/", 95), begins("\xd0\xcf\x11\xe0"))},
	{Name: "zip", What: "an archive in zip", Do: unpack, syntax: Binary, fit: archive("", 50)},
	{Name: "gzip", What: "a file packed with gzip", Do: unpack, syntax: Binary, fit: begins("\x1f\x8b")},
	{Name: "xz", What: "a file packed with xz", Do: unpack, syntax: Binary, fit: begins("\xfd7zXZ\x00")},
	{Name: "zst", What: "a file packed with Zstandard", Do: unpack, syntax: Binary, fit: begins("\x28\xb5\x2f\xfd")},
	{Name: "bz2", What: "a file packed with bzip2", Do: unpack, syntax: Binary, fit: begins("BZh")},
	{Name: "7z", What: "an archive in 7z", Do: unpack, syntax: Binary, fit: begins("7z\xbc\xaf\x27\x1c")},
	{Name: "rar", What: "an archive in RAR", Do: unpack, syntax: Binary, fit: begins("Rar!\x1a\x07")},
	{Name: "pdf", What: "a document in PDF", Do: "it describes data; choose the data", syntax: Binary, fit: begins("%PDF-")},
	{Name: "png", What: "a picture in PNG", Do: "choose the graph of the picture", syntax: Binary, fit: begins("\x89PNG")},
	{Name: "utf16", What: "text in UTF-16", Do: "save it in UTF-8", syntax: Binary, fit: either(begins("\xff\xfe"), begins("\xfe\xff"))},
	{Name: "binary", What: "a file that is not text", Do: "choose a text", syntax: Binary, fit: always(30)},
}

// jobs are the roles of foreign formats with jobs: both labs read them.
const jobs = Requests | Tasks

const documentKeys = "version,kind,name,placement,qos,federate,experiment,engine,scenario,headline,details,notes,warnings,diagnostics"

// lfs recognises the pointer that Git LFS keeps in place of a large file. Its keys
// and values look like prose or like YAML.
func lfs(s Syntax) Format {
	return Format{Name: "lfs", What: "a Git LFS pointer", Do: "it names a file that Git stores elsewhere; fetch that with git lfs pull", syntax: s, fit: begins("version https://git-lfs.github.com/spec/")}
}

// either returns the maximum of several scores.
func either(fits ...func(*head) int) func(*head) int {
	return func(h *head) int {
		best := 0
		for _, fit := range fits {
			best = max(best, fit(h))
		}
		return best
	}
}

func always(score int) func(*head) int { return func(*head) int { return score } }

func scoreIf(score int, fits bool) int {
	if fits {
		return score
	}
	return 0
}

func begins(magic string) func(*head) int {
	return func(h *head) int { return scoreIf(100, strings.HasPrefix(h.text, magic)) }
}

// archive recognises a zip archive that contains a file with the given name.
func archive(name string, score int) func(*head) int {
	return func(h *head) int {
		return scoreIf(score, strings.HasPrefix(h.text, "PK\x03\x04") && strings.Contains(h.text, name))
	}
}

// tag recognises XML with the given tag.
func tag(name string, score int) func(*head) int {
	return func(h *head) int { return scoreIf(score, strings.Contains(h.text, name)) }
}

func html(h *head) int {
	start := strings.ToLower(strings.TrimLeft(h.text[:min(len(h.text), 4096)], blanks))
	return scoreIf(95, strings.HasPrefix(start, "<!doctype html") || strings.Contains(start, "<html") || strings.Contains(start, "<body"))
}

// markdown recognises a heading, links, code, or a table with bars.
func markdown(h *head) int {
	return scoreIf(40, strings.HasPrefix(h.line, "# ") || strings.HasPrefix(h.line, "|") || strings.Contains(h.text, "\n|") ||
		strings.Contains(h.text, "](") || strings.Contains(h.text, "`"))
}

// kubernetes requires both keys anywhere at the beginning of a line or of a pair,
// since objects may be in lists.
func kubernetes(h *head) int {
	has := func(key string) bool { return hasKey(h.text, key) || slices.Contains(h.fields, key) }
	return scoreIf(95, has("apiVersion") && has("kind"))
}

// hasKey reports whether a text has a key of a YAML or JSON mapping.
func hasKey(text, key string) bool {
	for rest := text; ; {
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

// document recognises scenarios, also with mistakes: one key that only scenarios have
// is sufficient.
func document(h *head) int {
	known, own := 0, false
	for _, key := range h.fields {
		if listed(documentKeys, key) {
			known++
		}
		own = own || listed("placement,qos,federate,experiment", key)
	}
	switch n := len(h.fields); {
	case n == 0:
		return scoreIf(mistaken, strings.HasPrefix(strings.TrimLeft(h.text, blanks), "{"))
	case own:
		return 70 + 10*known/n
	default:
		return scoreIf(55*known/n, known*2 > n)
	}
}

// rowsOf recognises a list of objects with the key must, or an object with only the
// key whole. A list without must gets a low score for any key in fields.
func rowsOf(whole, must, fields string) func(*head) int {
	return func(h *head) int {
		if len(h.fields) == 1 && h.fields[0] == whole {
			return 90
		}
		if !strings.HasPrefix(strings.TrimLeft(h.text, blanks), "[") {
			return 0
		}
		score := 0
		for _, key := range h.fields {
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

func sacctJSON(h *head) int {
	return scoreIf(92, hasKey(h.text, "jobs") && strings.Contains(strings.ToLower(h.text), "slurm"))
}

func isNumber(s string) bool { _, ok := show.ParseNumber(s); return ok }

func isWhole(s string, least, most int64) bool {
	n, err := strconv.ParseInt(s, 10, 64)
	return err == nil && n >= least && n <= most
}

const large = 1<<63 - 1

// mostlyNumbers reports whether at least half of the fields are numbers or empty;
// otherwise the line is a header.
func (h *head) mostlyNumbers() bool {
	n := 0
	for _, field := range h.fields {
		if field == "" || isNumber(field) {
			n++
		}
	}
	return 2*n >= len(h.fields)
}

// statuses are those of tasks in Alibaba's traces.
const statuses = "Terminated,Failed,Running,Waiting,Interrupted,Ready,Cancelled"

// like reports whether a line of a table has the fields of a pattern: # is a whole number, a digit one up to
// it, % any number, + a word that is not a number, ! a status, * anything. Other words are themselves, and … at the end is
// more fields.
func (h *head) like(pattern string) bool {
	pattern, more := strings.CutSuffix(pattern, ",…")
	words := strings.Split(pattern, ",")
	if h.mark == 0 || len(h.fields) < len(words) || len(h.fields) > len(words) && !more {
		return false
	}
	for i, word := range words {
		field, fits := h.fields[i], true
		switch most, err := strconv.ParseInt(word, 10, 64); {
		case word == "*":
		case word == "#":
			fits = isWhole(field, 0, large)
		case word == "%":
			fits = isNumber(field)
		case word == "+":
			fits = field != "" && !isNumber(field)
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

// row recognises a line of a table without a header.
func row(score int, pattern string) func(*head) int {
	return func(h *head) int { return scoreIf(score, h.like(pattern)) }
}

// numbered is [row], also for a comment with as many column names, and weakly for any numbers.
func numbered(pattern string) func(*head) int {
	any := strings.Repeat("*,", strings.Count(pattern, ",")) + "*"
	return func(h *head) int {
		switch {
		case h.mark != ',' || !h.like(any):
			return 0
		case h.like(pattern):
			return 95
		case strings.HasPrefix(h.line, "#Time"):
			return 90
		}
		return scoreIf(30, h.mostlyNumbers())
	}
}

// header recognises the names of some of the columns of a table with so many.
func header(score, columns int, names string) func(*head) int {
	return func(h *head) int { return scoreIf(score, len(h.fields) == columns && h.hasAll(names)) }
}

// EdgeFrom and EdgeTo are the names of the columns with the ends of an edge.
var (
	EdgeFrom = []string{"from", "source", "src", "a"}
	EdgeTo   = []string{"to", "target", "dst", "destination", "b"}
)

// edges recognises a header with both ends of an edge.
func edges(h *head) int {
	has := func(names []string) bool {
		return slices.ContainsFunc(h.fields, func(f string) bool { return slices.Contains(names, strings.ToLower(f)) })
	}
	return scoreIf(70, has(EdgeFrom) && has(EdgeTo) && h.mark == ',')
}

// matrix recognises a header of names behind an empty cell, and a row that begins with the first of them.
func matrix(h *head) int {
	return scoreIf(95, h.mark == ',' && len(h.fields) > 2 && h.fields[0] == "" && h.fields[1] == split(h.next, ',')[0])
}

func jaeger(h *head) int {
	return scoreIf(95, hasKey(h.text, "parent") && hasKey(h.text, "child") && hasKey(h.text, "callCount"))
}

// mermaid recognises the word that begins a flowchart, with its direction.
func mermaid(h *head) int {
	words := strings.Fields(h.line)
	return scoreIf(95, len(words) > 0 && (words[0] == "flowchart" || words[0] == "graph" && len(words) > 1 && listed("TB,TD,BT,RL,LR", strings.TrimSuffix(words[1], ";"))))
}

// pbs recognises a time, and a letter for the record.
func pbs(h *head) int {
	return scoreIf(95, len(h.fields) >= 3 && len(h.fields[1]) == 1 && strings.Count(h.fields[0], "/") == 2 && strings.Count(h.fields[0], ":") == 2)
}

// opendc recognises any of the three sets of column names that OpenDC uses.
func opendc(h *head) int {
	for _, must := range []string{"submission_time,duration,cpu_count", "start_time,stop_time,cpu_count", "submissionTime,endTime,maxCores"} {
		if slices.Contains(h.fields, "id") && h.hasAll(must) {
			return 90
		}
	}
	return 0
}

// hasAll reports whether the fields include all fields of a comma-separated list.
func (h *head) hasAll(list string) bool {
	return !slices.ContainsFunc(strings.Split(list, ","), func(field string) bool { return !slices.Contains(h.fields, field) })
}

func azureFunctions(h *head) int { return scoreIf(95, h.hasAll("HashApp,HashFunction,Average,1")) }

// gwf recognises a line of 29 columns separated by blanks, some of them names.
func gwf(h *head) int { return scoreIf(97, gwfLine(h.line)) }

func gwfLine(line string) bool {
	words := strings.Fields(line)
	return len(words) == 29 && isNumber(words[0]) && isNumber(words[1]) && slices.ContainsFunc(words[swfColumns-7:], func(w string) bool { return !isNumber(w) || w == "-1" })
}

// data returns the first line that is not a comment with #.
func (h *head) data() string {
	for line := range strings.SplitSeq(h.text, "\n") {
		if line = strings.Trim(line, blanks); line != "" && line[0] != '#' {
			return line
		}
	}
	return ""
}

func azureVMs(h *head) int {
	for _, field := range h.fields {
		if listed("Delay-insensitive,Interactive,vmcategory", field) {
			return scoreIf(95, len(h.fields) >= 9)
		}
	}
	return 0
}

// separated recognises a table with another separator.
func separated(h *head) int {
	return scoreIf(30, h.mark == ';' || h.mark == '\t')
}

// requestTerm, hostTerm and overheadTerm distinguish terms by the number of values
// before their list. A term with another number may be one with a mistake.
func requestTerm(h *head) int { return max(mistaken, scoreIf(80, h.values() > 6)) }

func hostTerm(h *head) int { return max(mistaken, scoreIf(80, h.values() == 4)) }

func overheadTerm(h *head) int {
	inner, begun := strings.CutPrefix(h.line, "{")
	inner, ended := strings.CutSuffix(inner, "}.")
	return scoreIf(80, begun && ended && isNumber(inner))
}

// mistaken is the score of a text that has only the syntax of a format.
const mistaken = 20

// values counts the values before the list in a term.
func (h *head) values() int {
	before, _, _ := strings.Cut(h.line, "[")
	return strings.Count(before, ",")
}

const swfColumns = 18

// trace recognises a line whose second number equals the number of durations after
// the third.
func trace(h *head) int {
	switch n := len(h.fields); {
	case h.commented:
		return 0
	case n < 4:
		return mistaken
	case h.fields[1] == strconv.Itoa(n-3):
		return 100
	default:
		return 40
	}
}

// swf recognises a line of 18 columns, or of more if some are not times: −1 means
// unknown, and Alea lists machines in braces.
func swf(h *head) int {
	switch n := len(h.fields); {
	case n == swfColumns, n > swfColumns && (h.commented || slices.ContainsFunc(h.fields, func(f string) bool { return f[0] == '-' || !isNumber(f) })):
		return 95
	case h.commented:
		return 50
	}
	return 0
}

func assignment(h *head) int {
	return scoreIf(90, len(h.fields) == 2 && isWhole(h.fields[0], 1, large) && isWhole(h.fields[1], 1, large) && !h.commented && h.next != "")
}
