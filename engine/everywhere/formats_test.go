package everywhere_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/golden"
	"berth/engine/input/format/sniff"
	"berth/engine/kube/fragment"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

const (
	ownFederation = "graph { a [cpu=4000, cpu_cost=2, memory=64000, memory_cost=0.01]; b [cpu=2000, cpu_cost=1, memory=64000, memory_cost=0.01]; a -- b [latency=20, latency_cost=0.5, bandwidth=100, bandwidth_cost=0]; }"
	ownDeployment = "graph { x [request=200, limit=400, memory_request=512, memory_limit=1024]; y [request=900, limit=900, memory_request=2048, memory_limit=2048]; x -- y [latency=30, bandwidth=10]; }"
)

// samples are short texts of every format that a laboratory reads.
var samples = []struct{ format, text string }{
	{"dot", ownFederation},
	{"dot", ownDeployment},
	{"kubernetes", "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 2, selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: m, resources: {requests: {cpu: 500m, memory: 64Mi}}}]}}}}\n"},
	{"kubernetes", "---\n{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {topology.kubernetes.io/region: r}}, status: {allocatable: {cpu: \"4\", memory: 16Gi, pods: \"110\"}}}\n"},
	{"kubernetes", `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"name": "m", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}]}}`},
	{"graphml", `<graphml><key attr.name="label" attr.type="string" for="node" id="d0"/><graph edgedefault="undirected"><node id="0"><data key="d0">A</data></node><node id="1"/><edge source="0" target="1"/></graph></graphml>`},
	{"gml", "graph [ node [ id 0 label \"A\" Longitude 4.9 Latitude 52.4 ] node [ id 1 label \"B\" Longitude 13.4 Latitude 52.5 ] edge [ source 0 target 1 ] ]\n"},
	{"gexf", `<?xml version="1.0"?><gexf><graph><attributes class="node"><attribute id="0" title="request"/></attributes><nodes><node id="a"><attvalues><attvalue for="0" value="100"/></attvalues></node><node id="b"/></nodes><edges><edge source="a" target="b"/></edges></graph></gexf>`},
	{"node-link", `{"nodes": [{"id": "a", "request": 100, "cpu": 4000}, {"id": "b", "memory": 64000}], "links": [{"source": "a", "target": "b", "latency": 9}]}`},
	{"cytoscape", `{"elements": {"nodes": [{"data": {"id": "a", "cpu": 5000, "memory": 9000}}, {"data": {"id": "b", "cpu": 600}}], "edges": [{"data": {"source": "a", "target": "b", "latency": 3}}]}}`},
	{"edges", "source,target,latency\na,b,9\nb,c,\n"},
	{"jaeger", `{"data": [{"parent": "web", "child": "db", "callCount": 120}]}`},
	{"mermaid", "flowchart LR\n  web[Web shop] --> api\n  api & web -.-> cache\n"},
	{"matrix", ",a,b\na,0,70\nb,71,0\n"},
	{"gap", "2 3\n5 6 7 8 9 10\n2 3 4 4 3 2\n8 8\n"},

	{"erlang-requests", "{1.5,7,3,60,0.25,0.5,9,1,[{\"disk\",\"=\",\"ssd\"}]}.\n{2,8,3,1,0.25,0.25,0,0,[]}.\n"},
	{"requests", "id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints,user,gpus\n7,3,1.5,60,4,8,gold,1,disk=ssd,u,0.5\n8,3,2,1,4,1,bronze,0,,v,\n"},
	{"broker", "1.5,7,3,any,1,9,60,-1,0.25,0.5,prod,1\n2,8,3,any,0,0,1,-1,0.25,0.25,free,0.5\n"},
	{"task-events", "0,,1,0,5,0,u,2,9,0.5,0.25,0,0\n1000000,,1,0,5,1,u,2,9,0.5,0.25,0,0\n4000000,,1,0,5,4,u,2,9,0.5,0.25,0,0\n"},
	{"openb-pods", "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\nb,6000,12288,1,460,T4,LS,Running,30,100,40\na,500,512,0,0,,BE,Succeeded,10,20,\n"},
	{"tr", "0 3 10 5 10 15\n1 2 1 1 1\n"},
	{"swf", "1 0 -1 60 2 -1 -1 2 90 -1 1 1 -1 -1 -1 -1 -1 -1\n2 5 -1 30 1 -1 -1 1 40 -1 1 2 -1 -1 -1 -1 -1 -1\n"},
	{"tasks", "arrival,job,user,duration,cpu,memory,constraints,priority,after\n0,a,u,3,2,1,,1,\n1,b,v,4,1,1,,0,a\n"},
	{"gwf", "# Grid\n1 100 2 30 2 -1 -1 2 60 -1 1 U1 G1 X1 Q1 P1 S1 L1 UNITARY 0 0 0 0 0 0 0 0 V1 R1\n"},
	{"sacct", "JobID|User|Submit|Start|End|Elapsed|NCPUS|Timelimit|State\n7|bob|2025-11-02T01:30:10|2025-11-02T01:31:00|2025-11-02T02:31:00|01:00:00|2|02:00:00|COMPLETED\n"},
	{"slurm-db", "id_job,id_user,cpus_req,state,timelimit,time_submit,time_eligible,time_start,time_end,tres_alloc,tres_req\n1,77,1,3,60,1611600000,1611600000,1611600100,1611603700,\"1=2,2=8500\",\"1=2\"\n2,78,2,0,5,1611600050,1611600060,0,0,,\"1=3\"\n"},
	{"pbs", "03/01/2024 08:00:05;S;101.s;user=u1 ctime=1709280000 etime=1709280000 start=1709280005 exec_host=n1/0*2 Resource_List.walltime=01:00:00\n" +
		"03/01/2024 08:30:05;E;101.s;user=u1 ctime=1709280000 etime=1709280000 start=1709280005 exec_host=n1/0*2 Resource_List.walltime=01:00:00 end=1709281805\n"},
	{"sge", "all.q:n1:g1:u1:job:77:sge:0:1709280000:1709280010:1709283610:0:0:3600:10.0:1.0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:NONE:defaultdepartment:mpi:2:0:0.0:0.0:0.0:-l h_rt=7200:0.0:NONE:0.0:0:0\n"},
	{"sacct-json", `{"meta": {"Slurm": {}}, "jobs": [{"job_id": 5, "user": "u", "time": {"submission": 1700000000, "start": 1700000010, "end": 1700000030, "elapsed": 20}, "tres": {"allocated": [{"type": "cpu", "name": "", "count": 2}]}}]}`},
	{"batsim-jobs", "jobID,submission_time,requested_number_of_resources,requested_time,success,execution_time\n3,8.0,2,200.0,1,118.0\n4,0.0,1,200.0,0,9.0\n"},
	{"batsim", `{"nb_res": 4, "jobs": [{"id": 1, "profile": "d", "res": 2, "subtime": 4.5, "walltime": 20}], "profiles": {"d": {"type": "delay", "delay": 10}}}`},
	{"batch-task-2017", "10,110,3,7,2,Terminated,0.5,0.002\n20,90,4,8,1,Terminated,0.25,0.004\n"},
	{"batch-task", "M1,2,j_1,1,Terminated,100,200,100.00,0.20\nR2_1,5,j_1,1,Terminated,200,260,50.00,0.10\n"},
	{"pai-task", "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type\nj,t,1,Terminated,10,20,600,29.5,50,T4\n"},
	{"spot-gpu-jobs", "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type\nj,o,A10,4,1,2,5,60,Spot\n"},
	{"dlrm", "instance_sn,role,app_name,cpu_request,gpu_request,memory_request,creation_time,scheduled_time,deletion_time\ni,CN,a,12,1,120,0,5,65\n"},
	{"google2019", `{"time":"1000000","type":"0","collection_id":"1","instance_index":"0","priority":"200","resource_request":{"cpus":0.25,"memory":0.5}}` + "\n" +
		`{"time":"2000000","type":"3","collection_id":"1","instance_index":"0"}` + "\n" + `{"time":"5000000","type":"6","collection_id":"1","instance_index":"0"}` + "\n"},
	{"google2019-table", "time,type,collection_id,collection_type,priority,instance_index,resource_request.cpus,resource_request.memory\n0,SUBMIT,1,0,200,0,0.01,0.02\n1000000,SCHEDULE,1,0,200,0,0.01,0.02\n61000000,FINISH,1,0,200,0,0.01,0.02\n"},
	{"azure-vms", "v,s,d,0,300,99.3,3.4,10.1,Delay-insensitive,1,1.75\nw,s,d,600,900,99.3,3.4,10.1,Interactive,>24,>64\n"},
	{"azure-packing", "vmId,tenantId,vmTypeId,priority,starttime,endtime,machineId,core,memory\n1,2,3,0,-0.5,0.5,16,0.25,0.125\n2,2,3,1,0,1,16,0.25,0.125\n"},
	{"azure-functions", "HashOwner,HashApp,HashFunction,Trigger,1,2,3,Average\no,a,f,http,2,0,1,250.5\no,a,g,timer,0,1,0,1000\n"},
	{"azure-invocations", "app,func,end_timestamp,duration\na,f,10.5,0.5\na,g,4,3\n"},
	{"azure-llm", "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6805900,1000,40\n2023-11-16 18:15:47.6805900,0,1\n"},
	{"philly", `[{"status": "Pass", "vc": "v", "jobid": "x", "submitted_time": "2017-10-09 07:01:57", "user": "u", "attempts": [{"start_time": "2017-10-09 07:02:00", "end_time": "2017-10-09 07:02:30", "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}]}]}]`},
	{"helios", "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n1,u,v,0,2,1,COMPLETED,2020-04-01 00:00:00,2020-04-01 00:00:09,2020-04-01 00:00:19,10,9\n"},
	{"opendc", "id,submission_time,duration,cpu_count,cpu_capacity,mem_capacity\n1,1700000001000,1500,2,2000,1024\n0,1700000000000,500,1,2000,512\n"},
	{"wfformat", `{"name": "w", "schemaVersion": "1.2", "workflow": {"jobs": [{"name": "a", "runtime": 5, "parents": [], "cores": 2, "memory": 1048576}, {"name": "b", "runtime": 2, "parents": ["a"]}]}}`},
	{"tables", sniff.SectionLine("times.csv") + "HashOwner,HashApp,HashFunction,Average,Count,Minimum,Maximum\no,a,f,1500,3,1,2\n" +
		sniff.SectionLine("counts.csv") + "HashOwner,HashApp,HashFunction,Trigger,1,2,3\no,a,f,http,2,0,1\n"},

	{"erlang-hosts", "{1,\"h\",4,8,[{\"disk\",\"ssd\"}]}.\n"},
	{"hosts", "name,cpu,memory,attributes,gpus\nh,4,8,disk=ssd,1\n"},
	{"hosts", "name,cpu,memory,attributes,gpus,count,slots,speed,rack\nm,4,8,disk=ssd,1,2,3,0.5,r\n"},
	{"machine-events", "0,m,0,p,0.5,0.5\n0,n,0,p,0.5,0.5\n5000000,n,1,p,0.5,0.5\n"},
	{"openb-nodes", "sn,cpu_milli,memory_mib,gpu,model\nn,32000,262144,0,\no,96000,393216,2,T4\n"},
	{"spot-gpu", "gpu_model,gpu_capacity_num,cpu_num,node_name\nA10,4,128,7\n"},
	{"pai-machines", "machine,gpu_type,cap_cpu,cap_mem,cap_gpu\n8,T4,96,512,2\n"},
	{"machine-meta", "m_1,0,1,2,96,100,USING\n"},
	{"overheads", "overhead_s\n1.5\n"},
	{"erlang-overheads", "{1.5}.\n"},
	{"fta", "# event_id component_id node_id platform_id node_name event_type event_start_time event_stop_time event_end_reason\n0 0 1 0 h 1 1175000000 1175000003 0\n1 0 1 0 h 0 1175000003 1175000009 0\n"},
	{"host-events", "time_s,host,event,cpu,memory,gpus\n3,h,fail,,,\n9,h,return,,,\n"},
}

func text(name, text string) scenario.Source { return scenario.Source{Name: name, Text: text} }

// uses are scenarios that read a text in a role. Manifests, controllers and classes are missing,
// because they become fields of a document before the engine gets them.
var uses = []struct {
	role sniff.Role
	name string
	in   func(scenario.Source) scenario.Scenario
}{
	{sniff.Deployments, "deployment", func(s scenario.Source) scenario.Scenario {
		return placed(placementkind.GraphSource{Name: "f.dot", Text: ownFederation}, placementkind.GraphSource{Name: s.Name, Text: s.Text})
	}},
	{sniff.Federations, "federation", func(s scenario.Source) scenario.Scenario {
		deployment := placementkind.GraphSource{Name: "d.dot", Text: ownDeployment}
		if slices.Contains([]string{"graphml", "gml", "gexf", "edges", "matrix"}, s.Name) { // samples without amounts
			deployment.Text = "flowchart LR\n x --> y\n"
		}
		return placed(placementkind.GraphSource{Name: s.Name, Text: s.Text}, deployment)
	}},
	{sniff.Assignments, "assignment", func(s scenario.Source) scenario.Scenario {
		return placed(placementkind.GraphSource{Name: s.Name, Text: s.Text})
	}},
	{sniff.Requests, "requests", func(s scenario.Source) scenario.Scenario { return served(qoskind.Document{Workload: s}) }},
	{sniff.Hosts, "hosts", func(s scenario.Source) scenario.Scenario { return served(qoskind.Document{Hosts: s}) }},
	{sniff.Overheads, "overheads", func(s scenario.Source) scenario.Scenario { return served(qoskind.Document{Overheads: &s}) }},
	{sniff.HostEvents, "events", func(s scenario.Source) scenario.Scenario {
		return served(qoskind.Document{HostEventSource: &s})
	}},
	{sniff.Tasks, "tasks", func(s scenario.Source) scenario.Scenario {
		return federatekind.New("", federatekind.Document{Trace: s, GMs: 1, LMs: 1, Workers: 8, Schedulers: []string{federate.Unbounded()}})
	}},
	{sniff.Hosts, "machines", func(s scenario.Source) scenario.Scenario {
		return federatekind.New("", federatekind.Document{Trace: text("t.csv", "arrival,job,duration,cpu,memory\n0,a,3,0.1,0.1\n1,b,4,0.1,0.1\n"), GMs: 1, LMs: 1, Machines: &s, Schedulers: []string{federate.Unbounded()}})
	}},
}

func placed(federation placementkind.GraphSource, deployments ...placementkind.GraphSource) scenario.Scenario {
	return placementkind.New("", placementkind.Document{Federation: federation, Deployments: deployments, Strategies: []placementkind.StrategyRun{{Name: "heuristic"}}})
}

func served(d qoskind.Document) scenario.Scenario {
	if d.Workload.Text == "" {
		d.Workload = text("w.csv", "id,job,submit_s,duration_s,cpu,memory,class\n1,1,0,20,0.1,0.1,gold\n2,2,1,5,0.2,0.1,bronze\n")
	}
	if d.Hosts.Text == "" {
		d.Hosts = text("h.csv", "name,cpu,memory,attributes,gpus\nh,8,64,disk=ssd,4\ni,100,1000,,4\n")
	}
	d.Policies = []qoskind.PolicyRun{{Name: "qos"}}
	return qoskind.New("", d)
}

// sameFormats runs a scenario with a sample of each format in each of its roles.
func sameFormats(t *testing.T) {
	var all results
	times := map[string]int{}
	for _, sample := range samples {
		times[sample.format]++
		found := sniff.Look(sample.text, 0)
		if found.Format == nil || found.Name != sample.format {
			t.Errorf("the sample %.40q is not of the format %s", sample.text, sample.format)
			continue
		}
		for _, use := range uses {
			if found.Only(use.role) != 0 {
				all.run(t, fmt.Sprintf("%s/%d/%s", sample.format, times[sample.format], use.name), use.in(text(sample.format, sample.text)))
			}
		}
	}
	all.run(t, "fragment", fragment.New("", fragment.Document{
		Nodes: text("n.csv", "sn,cpu_milli,memory_mib,gpu,model\na,8000,8192,2,T4\nb,8000,8192,3,P100\n"),
		Pods: text("p.csv", "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time\n"+
			"x,1000,1024,1,500,,LS,Running,0\ny,1000,1024,1,1000,T4,LS,Running,1\nz,500,256,1,300,,LS,Running,2\nv,500,256,2,1000,,LS,Running,3\n"),
		Policies: fragment.Names(), Seed: 1,
	}))
	golden.Lines(t, "testdata/formats.txt", all.String())
}

// A format that a laboratory learns to read needs a sample.
func TestEveryFormatIsCompared(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/formats.txt"))(t)
	for _, f := range sniff.Formats() {
		for _, use := range uses {
			if f.Only(use.role) == 0 {
				continue
			}
			if !regexp.MustCompile("(?m)^" + f.Name + "/[0-9]+/" + use.name + " [0-9a-f]+$").Match(text) {
				t.Errorf("no sample of the format %s is read for its %s", f.Name, use.name)
			}
		}
	}
}
