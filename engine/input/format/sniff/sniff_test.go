package sniff_test

import (
	"strings"
	"testing"

	"berth/engine/input/format/sniff"
	_ "berth/engine/input/topology" // registers the formats of graphs
	_ "berth/engine/input/trace"    // registers the formats of workloads
)

// The beginning of a text identifies its format, even after a usual prefix.
func TestLook(t *testing.T) {
	zip := "PK\x03\x04\x14\x00\x08\x00\x08\x00"
	for _, test := range []struct{ text, name string }{
		{"graph { a }", "dot"},
		{"\ufeff// shop\n# by hand\n/* two\nlines */ STRICT Graph shop {\n\tgraph [rankdir=LR];\n}", "dot"},
		{"digraph shop {\n\tgraph [rankdir=LR];\n\tapi -> db\n}", "dot"},
		{`graph "my shop" { graph [label=""] }`, "dot"},
		{"graph [\n  directed 0\n  node [ id 1 ] ]", "gml"},
		{"Creator \"me\"\nVersion 1\n# by hand\ngraph\n[\n", "gml"},
		{"<?xml version=\"1.0\"?>\n<graphml>", "graphml"},
		{"<!DOCTYPE html>\n<html><title>github.com</title>", "html"},
		{"# helm\n---\napiVersion: apps/v1\nkind: Deployment\n", "kubernetes"},
		{"---\n- apiVersion: v1\n  kind: Node\n", "kubernetes"},
		{`{"kind": "List", "apiVersion": "v1", "items": []}`, "kubernetes"},
		{"{apiVersion: v1, kind: Node}", "kubernetes"},
		{"# nodes, by hand\n\n{apiVersion: v1, kind: Node, metadata: {name: n}}\n---\n{apiVersion: v1, kind: Node}\n", "kubernetes"},
		{"# nodes\n- {apiVersion: v1, kind: Node}\n- {apiVersion: v1, kind: Node}\n", "kubernetes"},
		{"# nodes\n[{apiVersion: v1, kind: Node}]\n", "kubernetes"},
		{"# nodes\n{\"apiVersion\": \"v1\", \"kind\": \"Node\"}\n", "kubernetes"},
		{"# pools, by type\n{pools: [{type: small, price: 1}]}\n", ""},
		{"# Nodes\n\n{see the list}\n", "markdown"},
		{"kind: Deployment\nmetadata: {name: a}\n", "kubernetes-part"},
		{"apiVersion: v1\nmetadata: {name: a}\n", "kubernetes-part"},
		{"services:\n  web:\n    image: nginx\n", "compose"},
		{"greeting: hello\n", ""},
		{"{1,\"h1\",3.75,3.75,[]}.", "erlang-hosts"},
		{"{0,251,251,7200,0.375,0.375,1,0,[]}.", "erlang-requests"},
		{"{12.5}.\n{7}.\n", "erlang-overheads"},
		{"id,job,submit_s,duration_s,cpu,memory,class\n", "requests"},
		{"id,submit_s,duration,cpu,memory,class\n", "requests"},
		{"name,cpu,memory,attributes\nh,1,1,\n", "hosts"},
		{"0,251,251,any,0,1,7200,-1,0.375,0.375,free,0.5", "broker"},
		{"0,,3418314,0,3938719206,0,70s3v,3,9,0.125,0.07446,0.0004244,0", "task-events"},
		{"#Time stamp (microseconds),Machine ID,Event type (0-ADD 1-REMOVE),Platform ID,CPU (%),memory (%)\n0,10,0,LGzk,0.5,0.2493\n", "machine-events"},
		{"0,5,0,HofL,0.5,0.2493", "machine-events"},
		{"overhead_s\n1\n", "overheads"},
		{"time_s,host,event\n", "host-events"},
		{"name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n", "openb-pods"},
		{"sn,cpu_milli,memory_mib,gpu,model\n", "openb-nodes"},
		{`[{"name":"web","kind":"deployment","class":"gold"}]`, "controllers"},
		{`{"controllers":[]}`, "controllers"},
		{`[ {"name":"gold","slo":1} ]`, "classes"},
		{"0 2 5 4 6\n", "tr"},
		{"; Version: 2.2\n1 0 5 100 2 -1 -1 2 200 -1 1 7 1 -1 1 -1 -1 -1", "swf"},
		{"1 0 5 100 2 -1 -1 2 200 -1 1 7 1 -1 1 -1 -1 -1", "swf"},
		{"0 15 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "tr"},
		{"0 1 0 5 64 1 1 64 8 6 1 62 1 1 -1 1 1 1 {1241,1241}", "swf"},
		{"job submit wait run procs cpu mem rprocs rtime rmem status user group exe queue part prev think\n1 0 5 100 2 -1 -1 2 200 -1 1 7 1 -1 1 -1 -1 -1", "swf"},
		{"arrival,job,user,duration,cpu,memory,constraints\n", "tasks"},
		{" 5 15\n 17 21 22\n", "gap"},
		{`{"version": 1, "kind": "qos", "qos": {}}`, "scenario"},
		{`{"version": 1, "knid": "qos", "name": "x", "qos": {}}`, "scenario"},
		{`{"version": 1, "kind": "experimnt", "name": "x"}`, "scenario"},
		{`{"version": 1, "engine": "0.1.0", "kind": "placement", "results": "7f", "placement": {}}`, "report"},
		{"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n", "lfs"},
		{"JobID|User|State\n1|bob|COMPLETED\n", "sacct"},
		{"# Grid\n0 1 2 3 1 -1 -1 1 9 -1 1 U1 G1 X1 Q1 P1 S1 L1 UNITARY 0 0 0 0 0 0 0 0 V1 R1\n", "gwf"},
		{"j,t,1,Terminated,10,20,100,1,50,T4\n", "pai-task"},
		{"job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type\n", "spot-gpu-jobs"},
		{"instance_sn,role,app_name,cpu_request,gpu_request,memory_request,creation_time,scheduled_time,deletion_time\n", "dlrm"},
		{"vmId,tenantId,vmTypeId,priority,starttime,endtime,machineId,core,memory\n", "azure-packing"},
		{"vmId,tenantId,vmTypeId,priority,starttime,endtime\n", "packing-vms"},
		{"vmTypeId,machineId,core,memory,hdd,ssd,nic\n", "vm-types"},
		{`[{"status": "Pass", "vc": "a", "jobid": "x", "attempts": [], "submitted_time": "2017-10-09 07:01:57", "user": "u"}]`, "philly"},
		{"job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n", "helios"},
		{"HashOwner,HashApp,HashFunction,Trigger,1,2,3\n", "function-counts"},
		{"HashOwner,HashApp,HashFunction,Average,Count,Minimum,Maximum\n", "function-times"},
		{"HashOwner,HashApp,SampleCount,AverageAllocatedMb\n", "function-memory"},
		{"HashOwner,HashApp,HashFunction,Trigger,1,2,3,Average,Count\n", "azure-functions"},
		{"app,func,end_timestamp,duration\n", "azure-invocations"},
		{"j,i,u,Terminated,10.0,20.0\n", "pai-job"},
		{"job_name,inst_id,user,status,start_time,end_time\n", "pai-job"},
		{"j,t,i,w,d,Running,10.0,20.0,m\n", "pai-instance"},
		{"82e5af3c,T4,96,512,2\n", "pai-machines"},
		{"machine,gpu_type,cap_cpu,cap_mem,cap_gpu\n", "pai-machines"},
		{"pod_id,workload_id,server_id,gpu_spec_public,priority_class,gpu_request,duration_hours\n", "genai"},
		{"server_id,cluster_id,asw_id,gpu_spec_public,gpu_count,cpu_capacity_cores,day,hour\n", "genai"},
		{"id,submission_time,duration,cpu_count,cpu_capacity,mem_capacity\n", "opendc"},
		{"id,start_time,stop_time,cpu_count,cpu_capacity,mem_capacity\n", "opendc"},
		{"id,submissionTime,endTime,maxCores,requiredMemory\n", "opendc"},
		{"id,timestamp,duration,cpu_count,cpu_usage\n", "opendc-fragments"},
		{`{"nb_res": 4, "jobs": [{"id": 1}], "profiles": {}}`, "batsim"},
		{"jobID,submission_time,requested_number_of_resources,requested_time,success\n", "batsim-jobs"},
		{"JobID|User|Submit|State\n1|bob|2025-11-02T01:30:00|COMPLETED\n", "sacct"},
		{`{"meta": {"Slurm": {}}, "jobs": [], "errors": []}`, "sacct-json"},
		{"M1,10,j_1,1,Terminated,100,200,100.00,0.20\n", "batch-task"},
		{"m_1,0,1,2,96,100,USING\n", "machine-meta"},
		{`{"time":"0","type":"0","collection_id":"1","instance_index":"0"}`, "google2019"},
		{"a+b,c,d,0,2591700,99.3,3.4,10.1,Delay-insensitive,1,1.75\n", "azure-vms"},
		{"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46,374,44\n", "azure-llm"},
		{"gpu_model,gpu_capacity_num,cpu_num,node_name\nA10,1,128,2\n", "spot-gpu"},
		{`{"name": "x", "schemaVersion": "1.2", "workflow": {}}`, "wfformat"},
		{"id;submit_s;cpu\n1;0,5;2,25\n", "separated"},
		{"name\tcpu\nh\t1\n", "separated"},
		{"PAR1\x15\x04", "parquet"},
		{"SQLite format 3\x00", "sqlite"},
		{zip + "scenario.json", "bundle"},
		{zip + "[Content_Types].xml … xl/workbook.xml", "excel"},
		{zip + "trace.csv", "zip"},
		{"\xfd7zXZ\x00", "xz"}, {"\x28\xb5\x2f\xfd", "zst"}, {"BZh9", "bz2"}, {"7z\xbc\xaf\x27\x1c", "7z"}, {"Rar!\x1a\x07", "rar"}, {"\x1f\x8b", "gzip"},
		{"%PDF-1.7", "pdf"}, {"\x89PNG\r\n\x1a\n", "png"}, {"\xff\xfei\x00", "utf16"}, {"a\x00b", "binary"},
		{"Dear reader, this is a letter.", ""},
		{"graphic novels", ""},
		{"hello", ""},
		{"1 2", ""},
		{"", ""},
	} {
		got := ""
		found := sniff.Look(test.text, 0)
		if found.Format != nil {
			got = found.Name
		}
		if got != test.name || found.Also != nil {
			t.Errorf("%.60q is %q, as well as %v; want %q", test.text, got, found.Also, test.name)
		}
	}
}

// The refusal of a format that no laboratory reads names it and says what to do. The refusal of a
// format that another laboratory reads says where it belongs. Each list has all accepted formats.
func TestRefusal(t *testing.T) {
	for _, test := range []struct {
		text string
		role sniff.Role
		want string
	}{
		{"version https://git-lfs.github.com/spec/v1\n", sniff.Requests, "found a Git LFS pointer: it names a file that Git stores elsewhere; fetch that with git lfs pull"},
		{"name,cpu,memory\n", sniff.Requests, "found a list of hosts: choose it as the hosts in QoS, or as the machines in Federate; expected {timestamp"},
		{"apiVersion: v1\nkind: Node\n", sniff.Tasks, "found objects of Kubernetes: choose it in Placement, as hosts or controllers in QoS, or as the machines in Federate; expected a trace with the lines arrival_s"},
		{"graph { a }", sniff.Tasks, "found a graph in DOT: choose it as a deployment in Placement; expected a trace with the lines arrival_s"},
		{`{"a": 1, "b": {"c": 2}}`, sniff.Requests, "found JSON with the keys a, b, which no known format has; expected {timestamp"},
		{"tick,request,queue\n1,2,3\n", sniff.Hosts, "found a table with the columns tick, request, queue, which no known format has; expected {id"},
		{"greeting: hello\n", sniff.Deployments, "found YAML with the keys greeting, which is not an object of Kubernetes; expected a graph in DOT or objects of Kubernetes"},
		{"", sniff.Requests, "the file is empty; expected {timestamp"},
		{"hello", sniff.Requests, "the format is unknown; expected {timestamp"},
		{"cpu,memory\n", sniff.Requests | sniff.Hosts, "the text fits a workload of requests as well as a list of hosts: use the column names of one of them"},
		{"cpu,memory\n", sniff.Hosts, ""},
		{"{{{{1", sniff.Requests, ""},
		{"1 1", sniff.Tasks, ""},
	} {
		got := sniff.Refusal(test.text, test.role)
		if test.want == "" && got != "" || !strings.HasPrefix(got, test.want) {
			t.Errorf("%.40q: got %q, want %q", test.text, got, test.want)
		}
	}
	for role, part := range map[sniff.Role]string{sniff.Requests: "or openb's pods with the header name,cpu_milli", sniff.Hosts: "or openb's nodes with the header sn,cpu_milli"} {
		if got := sniff.Accepted(role); !strings.Contains(got, part) {
			t.Errorf("%s leaves out %q", got, part)
		}
	}
}

// Look accepts any bytes, and recognises JSON only as a format in JSON.
func FuzzLook(f *testing.F) {
	for _, text := range []string{"graph {", "{\"a\\", "[{\"", "a: b\n", "1 2 3", "strict", "graph ", "id;x\n", ";\n", "\"", "{1,\"", "#", "/*", "- - x:"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, role := range []sniff.Role{0, sniff.Requests, sniff.Placement} {
			found := sniff.Look(text, role)
			if found.Format != nil && found.Format.Syntax&found.Syntax() == 0 {
				t.Errorf("%q, of syntax %d, is taken for %s", text, found.Syntax(), found.Name)
			}
		}
		sniff.Refusal(text, sniff.Hosts)
	})
}
