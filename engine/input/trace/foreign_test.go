package trace_test

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/must"
)

// foreigns are files of other systems and their meaning in both laboratories:
// arrival, run time and resources of each job or request.
var foreigns = []struct{ name, text, tasks, requests, notes string }{
	{
		"sacct -P", "JobID|User|Submit|Start|End|Elapsed|NCPUS|AllocTRES|Timelimit|State|Comment\n" +
			"7|bob|2025-11-02T01:30:10|2025-11-02T01:31:00|2025-11-02T02:31:00|01:00:00|2|cpu=2,gres/gpu=2|UNLIMITED|COMPLETED|x\n" +
			"7.batch||2025-11-02T01:31:00|2025-11-02T01:31:00|2025-11-02T02:31:00|01:00:00|2|||COMPLETED|\n" +
			"8_1|ann|2025-11-02T02:30:00+01:00|2025-11-02T02:31:00+01:00|2025-11-02T02:31:05+01:00|00:00:05|1||1-00:00:00|FAILED|\n" +
			"8_[2-3]|ann|2025-11-02T01:30:00|Unknown|Unknown|00:00:00|1|||PENDING|\n",
		"0 5 ×1 ann 86400 gang, 10 3600 ×2 bob 0 gang", "8_1 0 5 1/0/0, 7-1 10 3600 1/0/1, 7-2 10 3600 1/0/1",
		"time 0 is 2025-11-02 01:30:00 UTC, the first moment of the file; 1 column is not used: Comment; 1 row is for all jobs of an array, and each of them counts; times without a zone count as UTC; 2 jobs are left out: the file does not say how long or on how many processors they ran",
	},
	{
		"sacct --json", `{"meta": {"Slurm": {}}, "jobs": [
		{"job_id": 5, "user": "u", "time": {"submission": 1700000000, "start": 1700000010, "end": 1700000030, "elapsed": 20, "limit": {"set": true, "infinite": false, "number": 2}},
		 "tres": {"allocated": [{"type": "cpu", "name": "", "count": 2}, {"type": "gres", "name": "gpu", "count": 4}]}},
		{"job_id": 6, "user": "u", "time": {"submission": 1700000000, "start": 0, "end": 0, "elapsed": 0}, "required": {"CPUs": 1}}]}`,
		"0 20 ×2 u 120 gang", "5-1 0 20 1/0/2, 5-2 0 20 1/0/2", "",
	},
	{
		"sacct in columns", "JobID               Submit               Start  Elapsed      State    ReqCPUS\n" +
			"------- ------------------- ------------------- -------- ---------- ----------\n" +
			"7       2025-11-02T01:30:10 2025-11-02T01:31:00 01:00:00  COMPLETED          2\n" +
			"7.batch 2025-11-02T01:31:00 2025-11-02T01:31:00 01:00:00  COMPLETED          2\n" +
			"8       2025-11-02T01:30:00 Unknown             00:00:00 CANCELLED+         64\n",
		"0 3600 ×2 ? 0 gang", "7-1 0 3600 1/0/0, 7-2 0 3600 1/0/0", "1 job is left out: withdrawn before it started",
	},
	{
		"Slurm's database", "id_job,id_user,cpus_req,partition,state,timelimit,time_submit,time_eligible,time_start,time_end,tres_alloc,tres_req\n" +
			"1,77,1,p0,3,60,1611600000,1611600000,1611600100,1611603700,\"1=2,2=8500,1002=2\",\"1=2,1002=2\"\n" +
			"2,78,80,p0,4,4294967295,1611600050,1611600050,0,1611600310,,\"1=80,2=8500\"\n" +
			"3,78,1,p0,0,1,1611600060,1611600070,0,0,,\"1=1\"\n",
		"0 3600 ×2 77 3600 gang, 70 60 ×1 78 60 gang", "1-1 0 3600 1/0/1, 1-2 0 3600 1/0/1, 3 70 60 1/0/0",
		"1 job still waited or ran when the log ended: it counts like the others, for the requested time; 1 job could start only some time after being submitted: it arrives then; 1 job is left out: withdrawn before it started",
	},
	{
		"PBS", "03/01/2024 08:00:00;Q;101.s;queue=batch\n03/01/2024 08:00:00;L;license;floating\n" +
			"03/01/2024 08:00:05;S;101.s;user=u1 ctime=1709280000 etime=1709280000 start=1709280005 exec_host=n1/0*2 Resource_List.ncpus=2 Resource_List.walltime=01:00:00\n" +
			"03/01/2024 08:30:05;E;101.s;user=u1 ctime=1709280000 etime=1709280000 start=1709280005 exec_host=n1/0*2 Resource_List.walltime=01:00:00 end=1709281805 resources_used.walltime=00:29:59\n" +
			"03/01/2024 08:31:00;Q;102.s;queue=batch\n03/01/2024 08:32:00;D;102.s;requestor=u2@s\n" +
			"03/01/2024 08:33:00;S;103.s;user=u3 ctime=1709281900 start=1709281980 exec_host=n1/0-1+n2/3 Resource_List.nodes=2:ppn=2 Resource_List.ngpus=3 Resource_List.walltime=00:01:00\n",
		"0 1800 ×2 u1 3600 gang, 1900 60 ×3 u3 60 gang", "101.s-1 0 1800 1/0/0, 101.s-2 0 1800 1/0/0, 103.s-1 1900 60 1/0/1, 103.s-2 1900 60 1/0/1, 103.s-3 1900 60 1/0/1",
		"1 job is left out: withdrawn before it started",
	},
	{
		"Grid Engine", "# Version: 8.1.9\n" +
			"all.q:n1:g1:u1:job:77:sge:0:1709280000:1709280010:1709283610:0:0:3600:10.0:1.0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:NONE:defaultdepartment:mpi:2:0:0.0:0.0:0.0:-l h_rt=7200:0.0:NONE:0.0:0:0\n" +
			"all.q:n2:g1:u1:job:77:sge:0:1709280000:1709280010:1709283610:0:0:3600:10.0:1.0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:NONE:defaultdepartment:mpi:1:0:0.0:0.0:0.0:-l h_rt=7200:0.0:1.n2:0.0:0:0\n" +
			"all.q:n1:g1:u2:job:78:sge:0:1709280000:0:0:8:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:p:defaultdepartment:NONE:64:3:0.0:0.0:0.0:UNDEFINED:0.0:NONE:0.0\n",
		"0 3600 ×2 u1 7200 gang", "77-1 0 3600 1/0/0, 77-2 0 3600 1/0/0",
		"1 job is left out: withdrawn before it started; 1 job is left out: it is a part of a job that another row has as a whole",
	},
	{
		"batch_task of 2017", "10,110,3,7,2,Terminated,0.5,0.002\n20,20,4,8,1,Waiting,0.5,0.002\n",
		"10 100 ×2 ? 0", "3/7-1 10 100 0.5/0.002/0, 3/7-2 10 100 0.5/0.002/0", "1 task is left out: the file does not say",
	},
	{
		"events of 2019 as a table", "time,type,collection_id,scheduling_class,collection_type,priority,instance_index,machine_id,resource_request.cpus,resource_request.memory\n" +
			"0,SUBMIT,1,2,0,200,0,,0.01,0.02\n1000000,SCHEDULE,1,2,0,200,0,7,0.01,0.02\n61000000,FINISH,1,2,0,200,0,7,0.01,0.02\n2000000,SUBMIT,2,0,1,25,0,,0.05,0.01\n",
		"0 60 ×1 ? 0", "1-0 0 60 0.01/0.02/0", "1 instance is left out: a reservation, and what ran in it counts",
	},
	{
		"batch_task", "M1,2,j_1,1,Terminated,100,200,100.00,0.20\nR2_1,5,j_1,1,Terminated,200,0,50.00,0.10\nR3_1,1,j_1,1,Terminated,200,210,50.00,\n",
		"100 100 ×2 ? 0, 100 10 ×1 ? 0 after 0", "j_1/M1-1 100 100 1/0.2/0, j_1/M1-2 100 100 1/0.2/0, j_1/R3_1 200 10 0.5/0/0", "",
	},
	{
		"pai_task_table", "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type\nj,t,1,Terminated,10,20,600,29.5,50,T4\nj,u,1,Running,10,,600,,200,\n",
		"10 10 ×1 ? 0", "j/t 10 10 6/29.5/1", "",
	},
	{
		"spot GPU", "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type\nj,o,A10,4,1,2,5,60,Spot\n",
		"5 60 ×2 o 0", "j-1 5 60 4/0/1, j-2 5 60 4/0/1", "",
	},
	{
		"DLRM", "instance_sn,role,app_name,cpu_request,gpu_request,memory_request,creation_time,scheduled_time,deletion_time\ni,CN,a,12,1,120,0,5,65\n",
		"0 60 ×1 a 0", "i 0 60 12/120/1", "1 column is not used: role",
	},
	{
		"Azure VMs", "v,s,d,0,300,99.3,3.4,10.1,Delay-insensitive,1,1.75\nw,s,d,600,900,99.3,3.4,10.1,Interactive,>24,>64\n",
		"0 300 ×1 s 0, 600 300 ×1 s 0", "v 0 300 1/1.75/0, w 600 300 24/64/0", "",
	},
	{
		"Azure packing", "vmId,tenantId,vmTypeId,priority,starttime,endtime,machineId,core,memory\n1,2,3,0,-0.5,0.5,16,0.25,0.125\n1,2,3,0,-0.5,0.5,17,0.5,0.25\n2,2,3,1,0,1,16,0.25,0.125\n",
		"0 86400 ×1 2 0, 43200 86400 ×1 2 0", "1 0 86400 0.25/0.125/0, 2 43200 86400 0.25/0.125/0", "2 columns are not used: vmTypeId, machineId",
	},
	{
		"LLM", "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6805900,1000,40\n2023-11-16 18:15:47.6805900,0,1\n",
		"0 1.5 ×1 ? 0, 1 0.025 ×1 ? 0", " 0 1.5 1/0/0,  1 0.025 1/0/0", "time 0 is 2023-11-16 18:15:46.68 UTC",
	},
	{
		"Azure Functions 2019", "HashOwner,HashApp,HashFunction,Trigger,1,2,3,Average\no,a,f,http,2,0,1,250.5\no,a,g,timer,0,1,0,1000\no,b,h,queue,0,0,1,\n",
		"0 0.2505 ×1 a 0, 30 0.2505 ×1 a 0, 60 1 ×1 a 0, 120 0.2505 ×1 a 0", "f-1-1 0 0.251 1/0/0, f-1-2 30 0.251 1/0/0, g-2-1 60 1 1/0/0, f-3-1 120 0.251 1/0/0",
		"1 invocation is left out",
	},
	{
		"Azure Functions 2021", "app,func,end_timestamp,duration\na,f,10.5,0.5\na,g,4,3\n",
		"1 3 ×1 a 0, 10 0.5 ×1 a 0", "g 1 3 1/0/0, f 10 0.5 1/0/0", "",
	},
	{
		"OpenDC", "id,submission_time,duration,cpu_count,cpu_capacity,mem_capacity\n1,1700000001000,1500,2,2000,1024\n0,1700000000000,500,1,2000,512\n",
		"0 0.5 ×1 ? 0, 1 1.5 ×1 ? 0", "0 0 0.5 1/0.5/0, 1 1 1.5 2/1/0", "time 0 is 2023-11-14 22:13:20 UTC, the first moment of the file; 1 column is not used: cpu_capacity",
	},
	{
		"OpenDC's older table", "id,start_time,stop_time,cpu_count,cpu_capacity,mem_capacity\n7,2013-08-12T13:35:46Z,2013-08-12T13:35:56.5Z,4,2926,2048\n",
		"0 10.5 ×1 ? 0", "7 0 10.5 4/2/0", "",
	},
	{
		"OpenDC's oldest table", "id,submissionTime,endTime,maxCores,requiredMemory\n7,1000,4000,4,2048\n",
		"1 3 ×1 ? 0", "7 1 3 4/2/0", "",
	},
	{
		"Philly", `[{"status": "Pass", "vc": "v", "jobid": "x", "submitted_time": "2017-10-09 07:01:57", "user": "u", "attempts": [
		{"start_time": "2017-10-09 07:02:00", "end_time": "2017-10-09 07:02:30", "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}]},
		{"start_time": "2017-10-09 07:03:00", "end_time": "2017-10-09 07:03:10", "detail": [{"ip": "m1", "gpus": ["gpu0"]}]}]},
		{"status": "Killed", "vc": "v", "jobid": "y", "submitted_time": "2017-10-09 07:01:58", "user": "u", "attempts": []}]`,
		"0 40 ×2 u 0 gang", "x-1 0 40 1/0/1, x-2 0 40 1/0/1", "1 job is left out",
	},
	{
		"Helios", "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n1,u,v,0,2,1,COMPLETED,2020-04-01 00:00:00,2020-04-01 00:00:09,2020-04-01 00:00:19,10,9\n" +
			"2,u,v,2,12,1,COMPLETED,2020-04-01 00:01:00,None,None,,\n",
		"0 10 ×2 u 0 gang", "1-1 0 10 1/0/0, 1-2 0 10 1/0/0", "",
	},
	{
		"Batsim", `{"nb_res": 4, "jobs": [{"id": 1, "profile": "d", "res": 2, "subtime": 4.5, "walltime": 20}, {"id": "w!2", "profile": "p", "res": 1, "subtime": 5}],
		"profiles": {"d": {"type": "delay", "delay": 10}, "p": {"type": "parallel_homogeneous", "cpu": 1e9, "com": 0}}}`,
		"4.5 10 ×2 ? 20 gang", "1-1 4.5 10 1/0/0, 1-2 4.5 10 1/0/0", "1 job is left out",
	},
	{
		"Batsim's table", "jobID,submission_time,requested_number_of_resources,requested_time,success,execution_time\n3,1497548328.0,2,200.0,1,118.0\n4,1497548320.0,1,200.0,0,9.0\n",
		"0 9 ×1 ? 200 gang, 8 118 ×2 ? 200 gang", "4 0 9 1/0/0, 3-1 8 118 1/0/0, 3-2 8 118 1/0/0", "1 column is not used: success",
	},
	{
		"WfFormat 1.2", `{"name": "w", "schemaVersion": "1.2", "workflow": {"jobs": [{"name": "c", "runtime": 1, "parents": ["a", "b"]},
		{"name": "a", "runtime": 5, "parents": [], "cores": 2, "memory": 1048576}, {"name": "b", "runtime": 2, "parents": ["a"]}]}}`,
		"0 1 ×1 ? 0 after 1 2, 0 5 ×1 ? 0, 0 2 ×1 ? 0 after 1", "a 0 5 2/1/0, b 5 2 1/0/0, c 7 1 1/0/0", "a task arrives when all its parents can have ended",
	},
	{
		"WfFormat 1.5", `{"name": "w", "schemaVersion": "1.5", "workflow": {"specification": {"tasks": [{"name": "a", "id": "a1", "parents": []}, {"name": "b", "id": "b1", "parents": ["a1"]}]},
		"execution": {"tasks": [{"id": "a1", "runtimeInSeconds": 3, "coreCount": 4}, {"id": "b1", "runtimeInSeconds": 1}]}}}`,
		"0 3 ×1 ? 0, 0 1 ×1 ? 0 after 0", "a 0 3 4/0/0, b 3 1 1/0/0", "",
	},
	{
		"Google 2019", `{"time":"1000000","type":"0","collection_id":"1","instance_index":"0","priority":"200","resource_request":{"cpus":0.25,"memory":0.5}}
{"time":"2000000","type":"3","collection_id":"1","instance_index":"0"}
{"time":"5000000","type":"4","collection_id":"1","instance_index":"0"}
{"time":"6000000","type":"SCHEDULE","collection_id":"1","instance_index":"0"}
{"time":"8000000","type":"FINISH","collection_id":"1","instance_index":"0"}
`, "1 5 ×1 ? 0", "1-0 1 5 0.25/0.5/0", "",
	},
	{
		"GWF", "# Grid\n1 100 2 30 2 -1 -1 2 60 -1 1 U1 G1 X1 Q1 P1 S1 L1 UNITARY 0 0 0 0 0 0 0 0 V1 R1\n",
		"100 30 ×2 U1 60 gang", "1-1 100 30 1/0/0, 1-2 100 30 1/0/0", "11 columns are not used",
	},
	{
		"task_events", "0,,1,0,5,0,u,2,9,0.5,0.25,0,0\n1000000,,1,0,5,1,u,2,9,0.5,0.25,0,0\n4000000,,1,0,5,4,u,2,9,0.5,0.25,0,0\n",
		"0 3 ×1 u 0", "1-0 0 3 0.5/0.25/0", "",
	},
}

func TestForeignFormats(t *testing.T) {
	for _, f := range foreigns {
		open := func() (io.Reader, error) { return strings.NewReader(f.text), nil }
		tasks, err := trace.OpenTasks(f.name, workload.Window{}, open)
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		var got []string
		for i, j := range tasks.Jobs {
			one := fmt.Sprintf("%v %v ×%d %s %v", float64(j.Arrival)/1e9, float64(tasks.Durations[j.First])/1e9, j.Count, tasks.Users[j.User], float64(j.Estimate)/1e9)
			if j.Gang {
				one += " gang"
			}
			if tasks.After != nil && len(tasks.After[i]) > 0 {
				one += " after " + strings.Trim(fmt.Sprint(tasks.After[i]), "[]")
			}
			got = append(got, one)
		}
		if s := strings.Join(got, ", "); s != f.tasks {
			t.Errorf("%s: the tasks are %s, want %s", f.name, s, f.tasks)
		}
		source, err := trace.OpenRequests(f.name, open)
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		requests, err := workload.ReadAll(source)
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
		if remarked, ok := source.(workload.Remarked); ok && len(requests) > 0 && requests[0].Class == "silver" &&
			!slices.Contains(remarked.Remarks().Notes(), "the file has no service classes: all requests are silver") {
			t.Errorf("%s: nothing is said about classes", f.name)
		}
		got = got[:0]
		for _, r := range requests {
			got = append(got, fmt.Sprintf("%s %v %v %v/%v/%d", r.ID, float64(r.Submit)/1000, float64(r.Duration)/1000, r.CPU.Units(), r.Memory.Units(), r.GPUs))
		}
		if s := strings.Join(got, ", "); s != f.requests {
			t.Errorf("%s: the requests are %s, want %s", f.name, s, f.requests)
		}
		if said := strings.Join(slices.Concat(tasks.Remarks.Notes(), tasks.Remarks.Warnings()), "; "); !strings.Contains(said, f.notes) {
			t.Errorf("%s: said %s, want %s", f.name, said, f.notes)
		}
	}
}

// An error in a file of another system has a position.
func TestForeignFormatsRefuse(t *testing.T) {
	for text, want := range map[string]string{
		"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46,x,1\n": `f:2:1: ContextTokens: "x" is not a whole number`,
		"TIMESTAMP,ContextTokens,GeneratedTokens\nyesterday,1,1\n":           `f:2:1: TIMESTAMP: "yesterday" is not a date such as`,
		"JobID|Submit\n1|2025-11-02T01:30:00\n":                              "there is no job that ran for a known time",
		`{"nb_res": 1, "jobs": 7, "profiles": {}}`:                           "f:1:",
		`{"name": "w", "workflow": {"jobs": [{"name": "a", "runtime": 1, "parents": ["b"]}, {"name": "b", "runtime": 1, "parents": ["a"]}]}}`: "is among its own parents",
		`{"name": "w", "workflow": {"jobs": [{"name": "a", "runtime": 1, "parents": ["z"]}]}}`:                                                `has the parent "z", which is not in the file`,
		"job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type\nj,t,-5,Terminated,1,2,1,1,1,T\n":         `f:2:5: inst_num: "-5" is not a number from 0 on`,
		"HashApp,HashFunction,1,Average\na,f,x,1\n":            `f:2:5: 1: "x" is not a whole number`,
		"HashApp,HashFunction,1,Average\na,f,1,-1\n":           `f:2:7: Average: "-1" is not a time`,
		"submission_time,requested_number_of_resources\n1,1\n": "f:1:46: the column execution_time is missing",
	} {
		open := func() (io.Reader, error) { return strings.NewReader(text), nil }
		if _, err := trace.OpenTasks("f", workload.Window{}, open); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		if _, err := trace.OpenRequests("f", open); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestNodesOfOthers(t *testing.T) {
	for text, want := range map[string]string{
		"gpu_model,gpu_capacity_num,cpu_num,node_name\nA10,4,128,7\n": "7 128 1024 4",
		"82e5,T4,96,512,2\n": "82e5 96 512 2",
		"machine,gpu_type,cap_cpu,cap_mem,cap_gpu\n8,T4,96,512,2\n": "8 96 512 2",
		"m_1,0,1,2,96,100,USING\nm_1,5,1,2,96,100,USING\n":          "m_1 96 100 0",
	} {
		hosts, _, err := trace.ReadHosts("n", strings.NewReader(text))
		if err != nil || len(hosts) != 1 {
			t.Errorf("%v, %v", hosts, err)
			continue
		}
		h := hosts[0]
		if got := fmt.Sprint(h.Name, " ", h.CPU.Units(), h.Memory.Units(), h.GPUs); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Both laboratories accept any bytes without a panic, and their values are in range.
func FuzzForeign(f *testing.F) {
	for _, one := range foreigns {
		f.Add(one.text)
	}
	f.Add(openbNodeList)
	f.Add(openbPodList)
	f.Add(swf)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		open := func() (io.Reader, error) { return strings.NewReader(text), nil }
		if tasks, err := trace.OpenTasks("f", workload.Window{}, open); err == nil {
			if len(tasks.Jobs) == 0 {
				t.Error("no jobs and no error")
			}
			for _, j := range tasks.Jobs {
				if j.Arrival < 0 || j.Count < 1 || int(j.First+j.Count) > len(tasks.Durations) || tasks.Durations[j.First] < 0 {
					t.Fatalf("%+v", j)
				}
			}
		}
		if source, err := trace.OpenRequests("f", open); err == nil {
			_, _ = source.Read(make([]workload.Request, 64))
		}
		_, _, _ = trace.ReadHosts("f", strings.NewReader(text))
	})
}

// Tasks of OpenDC wait for their parents, and arrive when they are submitted.
func TestParentsOfOpenDC(t *testing.T) {
	load := must.Get(readTasks("tasks.csv", strings.NewReader("id,submission_time,duration,cpu_count,parents\na,0,10000,1,[]\nb,0,1000,1,[a]\nc,50000,1000,1,\"[a, b]\"\nd,60000,1000,1,b;x\n")))(t)
	if want := [][]int32{nil, {0}, {0, 1}, {1}}; !reflect.DeepEqual(load.After, want) {
		t.Errorf("after %v, want %v", load.After, want)
	}
	if got := load.Jobs[2].Arrival; got != 50e9 {
		t.Errorf("c comes at %d", got)
	}
	if said := strings.Join(load.Remarks.Said, "; "); !strings.Contains(said, "1 dependency on tasks that are not in the file") {
		t.Error(said)
	}
}

// Nodes are down from the start of an event of type 0 to its end.
func TestFailureTraceArchive(t *testing.T) {
	const text = "# event_id component_id node_id platform_id node_name event_type event_start_time event_stop_time event_end_reason\n" +
		"0 0 1 0 n1 1 1175000000.0 1175003600.0 0\n1 0 1 0 n1 0 1175003600.0 1175007200.5 0\n2 0 2 0 n2 0 1175000010 1175000020 0\n"
	events := must.Get(trace.HostEvents("f", strings.NewReader(text)))(t)
	var got []string
	for _, e := range events {
		got = append(got, fmt.Sprint(e.Host, " ", e.Up, " ", e.At))
	}
	if want := "[n2 false 10000 n2 true 20000 n1 false 3600000 n1 true 7200500]"; fmt.Sprint(got) != want {
		t.Errorf("events %v, want %s", got, want)
	}
	if _, err := trace.HostEvents("f", strings.NewReader(text+"3 0 2 0 n2 0 now 1175000020 0\n")); err == nil || !strings.HasPrefix(err.Error(), "f:5:14: event_start_time") {
		t.Error(err)
	}
}
