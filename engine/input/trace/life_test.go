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

// lives has a log in each format that knows jobs that never ran: lines before the jobs, the jobs,
// and lines of withdrawn jobs, without the separators of JSON.
var lives = []struct {
	name, head, between, end string
	jobs, never              []string
}{
	{name: "log.swf", between: "\n", jobs: []string{
		"1 0 5 100 2 -1 -1 2 200 -1 1 7 1 -1 1 -1 -1 -1", "2 30 0 10 3 -1 -1 3 60 -1 0 8 1 -1 1 -1 -1 -1",
	}, never: []string{"9 4 8 0 0 -1 -1 64 900 -1 5 9 1 -1 1 -1 -1 -1", "8 9 8 -1 -1 -1 -1 64 900 -1 5 9 1 -1 1 -1 -1 -1"}},
	{name: "sacct.txt", head: "JobID|State|User|Submit|Start|End|Elapsed|ReqCPUS|AllocCPUS|Timelimit\n", between: "\n", jobs: []string{
		"1|COMPLETED|a|2024-03-01T00:00:00|2024-03-01T00:00:00|2024-03-01T01:00:00|01:00:00|4|4|01:00:00",
		"3|CANCELLED by 7|b|2024-03-01T00:02:00|2024-03-01T00:03:00|2024-03-01T00:04:00|00:01:00|4|4|01:00:00",
	}, never: []string{
		"2|CANCELLED by 0|c|2024-02-29T00:01:00|None|2024-03-01T00:02:00|00:00:00|64|0|04:00:00",
		"5|CANCELLED|c|2024-03-01T00:01:00|Unknown|2024-03-01T00:02:00|00:00:00|64|0|UNLIMITED",
	}},
	{name: "sacct.json", head: `{"meta":{"slurm":{}},"jobs":[`, between: ",\n", end: "]}", jobs: []string{
		`{"job_id":1,"user":"a","state":{"current":["COMPLETED"]},"time":{"submission":1700000000,"start":1700000010,"end":1700000110,"elapsed":100},"required":{"CPUs":2}}`,
		`{"job_id":3,"user":"b","state":{"current":"FAILED"},"time":{"submission":1700000020,"start":1700000030,"end":1700000040,"elapsed":10},"required":{"CPUs":1}}`,
	}, never: []string{
		`{"job_id":2,"user":"c","state":{"current":["CANCELLED"]},"time":{"submission":1600000000,"start":0,"end":1700000040,"elapsed":0},"required":{"CPUs":8}}`,
	}},
	{name: "cluster_log.csv", head: "job_id,user,gpu_num,cpu_num,state,submit_time,start_time,end_time,duration\n", between: "\n", jobs: []string{
		"a,u1,8,64,COMPLETED,2020-04-01 00:00:08,2020-04-01 00:00:10,2020-04-01 02:00:10,7200",
		"b,u2,0,4,CANCELLED,2020-04-01 00:10:00,2020-04-01 00:10:00,2020-04-01 00:10:03,3",
	}, never: []string{"c,u3,32,256,CANCELLED,2020-03-01 00:20:00,,2020-04-01 00:30:00,600"}},
	{name: "dlrm.csv", head: "instance_sn,app_name,cpu_request,gpu_request,memory_request,creation_time,scheduled_time,deletion_time\n", between: "\n", jobs: []string{
		"a,x,4,1,8,10,12,100", "b,y,4,1,8,20,20,30",
	}, never: []string{"c,z,64,8,900,2,,5000"}},
	{name: "events.json", between: "\n", jobs: []string{
		`{"time":"600000000","type":"SUBMIT","collection_id":"9","collection_type":"0","priority":"200","instance_index":"1","resource_request":{"cpus":0.1,"memory":0.01}}`,
		`{"time":"601000000","type":"SCHEDULE","collection_id":"9","collection_type":"0","priority":"200","instance_index":"1"}`,
		`{"time":"661000000","type":"FINISH","collection_id":"9","collection_type":"0","priority":"200","instance_index":"1"}`,
	}, never: []string{
		`{"time":"500000000","type":"SUBMIT","collection_id":"7","collection_type":"0","user":"w","instance_index":"1","resource_request":{"cpus":0.9,"memory":0.9}}` + "\n" +
			`{"time":"700000000","type":"KILL","collection_id":"7","collection_type":"0","instance_index":"1"}`,
		`{"time":"500000000","type":"SCHEDULE","collection_id":"5","collection_type":"1","instance_index":"1","resource_request":{"cpus":0.9,"memory":0.9}}`,
	}},
	{name: "cluster_job_log", head: "[", between: ",\n", end: "]", jobs: []string{
		`{"jobid":"a","user":"u","status":"Pass","submitted_time":"2017-10-09 07:02:36","attempts":[{"start_time":"2017-10-09 07:02:40","end_time":"2017-10-09 07:12:40","detail":[{"ip":"m1","gpus":["g0","g1"]}]}]}`,
	}, never: []string{`{"jobid":"b","user":"v","status":"Killed","submitted_time":"2017-10-08 07:02:36","attempts":[]}`}},
	{name: "batch_task.csv", between: "\n", jobs: []string{"M1,2,j1,1,Terminated,10,40,100,0.5", "R2_1,1,j1,1,Terminated,40,50,50,0.2"},
		never: []string{"M1,64,j9,1,Waiting,5,0,100,90"}},
	{name: "pods.csv", head: "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n", between: "\n", jobs: []string{
		"a,1000,1024,0,0,,LS,Running,30,100,40", "b,1000,1024,0,0,,LS,Pending,40,200,",
	}, never: []string{"c,64000,1024,8,1000,,LS,Failed,10,50,100"}},
	{name: "sacct columns", head: "JobID           State              Submit               Start                 End    Elapsed  ReqCPUS\n" +
		"----- --------------- ------------------- ------------------- ------------------- ---------- --------\n", between: "\n", jobs: []string{
		"1           COMPLETED 2024-03-01T00:00:00 2024-03-01T00:00:00 2024-03-01T01:00:00   01:00:00        4",
		"3     CANCELLED by 7  2024-03-01T00:02:00 2024-03-01T00:03:00 2024-03-01T00:04:00   00:01:00        4",
	}, never: []string{
		"2      CANCELLED by 0 2024-02-29T00:01:00 2024-03-01T00:02:00 2024-03-01T00:02:00   00:00:00       64",
	}},
	{name: "slurm_db.csv", head: "id_job,id_user,cpus_req,state,timelimit,time_submit,time_eligible,time_start,time_end,tres_alloc,tres_req\n", between: "\n", jobs: []string{
		`1,77,1,3,60,1611600000,1611600000,1611600100,1611603700,"1=2,2=8500",1=2`, "2,78,3,5,5,1611600050,1611600060,1611600070,1611600080,,1=3",
	}, never: []string{
		"3,79,64,4,900,1600000000,1600000000,0,1611600080,,1=64",
		"4,79,64,7,900,1600000000,1600000000,0,1611600080,,1=64",
		"5,79,64,4,900,1600000000,1600000000,1611600080,1611600080,,1=64",
	}},
	{name: "accounting", between: "\n", jobs: []string{
		"03/01/2024 08:00:00;Q;101.s;queue=batch",
		"03/01/2024 08:30:05;E;101.s;user=u1 ctime=1709280000 etime=1709280000 start=1709280005 exec_host=n1/0*2 end=1709281805",
		"03/01/2024 08:30:05;E;102.s;user=u2 ctime=1709280001 etime=1709280001 start=1709280006 exec_host=n1/0 end=1709280009",
	}, never: []string{
		"03/01/2024 07:00:00;Q;9.s;queue=batch\n03/01/2024 09:00:00;D;9.s;requestor=u9@h",
		"03/01/2024 09:00:00;A;8.s;user=u8 ctime=1609280000 etime=1609280000 Resource_List.ncpus=64 Resource_List.walltime=01:00:00",
	}},
	{name: "sge", between: "\n", jobs: []string{
		sge("u1", 1709280000, 1709280010, 1709283610, 0, 4), sge("u2", 1709280001, 1709280010, 1709280020, 1, 2),
	}, never: []string{sge("u9", 1609280000, 0, 0, 100, 64), sge("u9", 1609280000, 0, 1709280000, 1, 64)}},
	{name: "log.gwf", between: "\n", jobs: []string{
		"1 100 2 30 2 -1 -1 2 60 -1 1 U1 G1 X1 Q1 P1 S1 L1 UNITARY 0 0 0 0 0 0 0 0 V1 R1",
		"2 110 2 30 2 -1 -1 2 60 -1 0 U2 G1 X1 Q1 P1 S1 L1 UNITARY 0 0 0 0 0 0 0 0 V1 R1",
	}, never: []string{"3 10 2 -1 -1 -1 -1 64 60 -1 5 U3 G1 X1 Q1 P1 S1 L1 UNITARY 0 0 0 0 0 0 0 0 V1 R1"}},
	{name: "events.csv", head: "time,type,collection_id,collection_type,priority,instance_index,user,resource_request.cpus,resource_request.memory\n", between: "\n", jobs: []string{
		"10,SUBMIT,1,0,200,0,u,0.01,0.02", "1000010,SCHEDULE,1,0,200,0,u,0.01,0.02", "61000010,FINISH,1,0,200,0,u,0.01,0.02",
	}, never: []string{
		"0,SUBMIT,2,0,200,0,w,0.9,0.9\n70000000,KILL,2,0,200,0,w,0.9,0.9",
		"0,SCHEDULE,3,1,200,0,w,0.9,0.9",
	}},
	{name: "task_events", between: "\n", jobs: []string{
		"600000000,,1,0,,0,u,2,9,0.5,0.25,0,0", "601000000,,1,0,5,1,u,2,9,0.5,0.25,0,0", "604000000,,1,0,5,4,u,2,9,0.5,0.25,0,0",
	}, never: []string{"500000000,,2,0,,0,w,2,9,0.9,0.9,0,0\n700000000,,2,0,,5,w,2,9,0.9,0.9,0,0"}},
	{name: "batch_task of 2017", between: "\n", jobs: []string{"10,110,3,7,2,Terminated,0.5,0.002", "20,90,4,8,1,Failed,0.25,0.004"},
		never: []string{"5,900,9,9,64,Waiting,0.5,0.9", "5,900,9,10,64,Ready,0.5,0.9"}},
	{name: "pai_task_table.csv", head: "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type\n", between: "\n",
		jobs: []string{"j,t,1,Terminated,10,20,600,29.5,50,T4", "k,t,2,Failed,12,20,600,29.5,50,T4"}, never: []string{"l,t,64,Waiting,,,600,900,50,V100"}},
}

// sge returns an entry of Grid Engine's accounting.
func sge(owner string, submitted, started, ended, failed, slots int) string {
	return fmt.Sprintf("all.q:n1:g:%s:job:%d:sge:0:%d:%d:%d:%d:0:%d:1.0:1.0%s:NONE:staff:mpi:%d:0:0.0:0.0:0.0:NONE:0.0:NONE:0.0:0:0",
		owner, started+slots, submitted, started, ended, failed, ended-started, strings.Repeat(":0", 15), slots)
}

// Jobs that never ran change no figure of another job, wherever they are in the log.
func TestJobsThatNeverRanChangeNothing(t *testing.T) {
	for _, l := range lives {
		t.Run(l.name, func(t *testing.T) {
			read := func(rows []string) *workload.Tasks {
				text := l.head + strings.Join(rows, l.between) + l.end
				tasks := must.Get(trace.OpenTasks(l.name, workload.Window{}, func() (io.Reader, error) { return strings.NewReader(text), nil }))(t)
				return tasks
			}
			requests := func(rows []string) []workload.Request {
				all := readRequests(t, l.head+strings.Join(rows, l.between)+l.end)
				for i := range all {
					all[i].Line = 0
				}
				return all
			}
			plain := read(l.jobs)
			for at := range len(l.jobs) + 1 {
				got := read(slices.Concat(l.jobs[:at], l.never, l.jobs[at:]))
				left := 0
				for why, n := range got.Remarks.LeftOut {
					left += n - plain.Remarks.LeftOut[why]
				}
				if want := len(l.never); left != want {
					t.Errorf("%d rows are left out behind %d, want %d", left, at, want)
				}
				got.Remarks, got.Unordered = plain.Remarks, plain.Unordered
				if !reflect.DeepEqual(got, plain) {
					t.Errorf("behind %d rows:\n%+v, want\n%+v", at, got, plain)
				}
				if got, want := requests(slices.Concat(l.jobs[:at], l.never, l.jobs[at:])), requests(l.jobs); !reflect.DeepEqual(got, want) {
					t.Errorf("behind %d rows the requests are\n%+v, want\n%+v", at, got, want)
				}
			}
		})
	}
}

// The states of jobs in a log are counted, and determine the jobs' roles in the laboratories.
func TestLivesOfJobs(t *testing.T) {
	sacct := "JobID|State|Submit|Eligible|Start|End|Elapsed|ReqCPUS|Timelimit\n" +
		"1|COMPLETED|2024-03-01T00:00:00|2024-03-01T00:00:00|2024-03-01T00:00:00|2024-03-01T01:00:00|01:00:00|1|02:00:00\n"
	for name, test := range map[string]struct {
		log   string
		tasks int
		work  float64 // processor seconds
		says  string
	}{
		"waiting": {sacct + "2|PENDING|2024-03-01T00:10:00|Unknown|Unknown|Unknown|00:00:00|2|00:30:00\n", 3, 3600 + 2*1800,
			"1 job still waited or ran when the log ended: it counts like the others, for the requested time"},
		"waiting without a limit": {sacct + "2|PENDING|2024-03-01T00:10:00|Unknown|Unknown|Unknown|00:00:00|2|UNLIMITED\n", 1, 3600,
			"1 job is left out: the file does not say how long or on how many processors it ran"},
		"eligible later": {sacct + "2|COMPLETED|2024-03-01T00:00:00|2024-03-01T05:00:00|2024-03-01T06:00:00|2024-03-01T06:01:00|00:01:00|1|00:30:00\n", 2, 3660,
			"1 job could start only some time after being submitted: it arrives then"},
		"waiting array": {sacct + "8_[1,3,7-9%2]|PENDING|2024-03-01T00:10:00|Unknown|Unknown|Unknown|00:00:00|2|00:30:00\n", 11, 3600 + 5*2*1800,
			"1 row is for all jobs of an array, and each of them counts"},
		"array that was withdrawn": {sacct + "8_[0-10:5]|CANCELLED by 7|2024-03-01T00:10:00|Unknown|None|2024-03-01T00:30:00|00:00:00|2|00:30:00\n", 1, 3600,
			"3 jobs are left out: withdrawn before they started"},
		"array in JSON": {`{"meta":{"slurm":{}},"jobs":[{"job_id":8,"array":{"task":"2-3"},"state":{"current":["PENDING"]},"time":{"submission":1700000000,"limit":30},"required":{"CPUs":2}}]}`,
			4, 2 * 2 * 1800, "2 jobs still waited or ran when the log ended: they count like the others, for the requested time"},
		"array in the database": {"id_job,cpus_req,state,array_task_pending,timelimit,time_submit,time_start,time_end\n7,1,0,3,30,1611600000,0,0\n", 3, 3 * 1800,
			"1 row is for all jobs of an array, and each of them counts"},
		"withdrawn": {sacct + "2|CANCELLED by 7|2024-03-01T00:10:00|Unknown|None|2024-03-01T00:30:00|00:00:00|2|00:30:00\n", 1, 3600, "1 job is left out: withdrawn before it started"},
		"summary and parts": {"1 0 10 300 8 -1 -1 8 600 -1 1 1 1 1 1 1 -1 -1\n1 0 10 100 8 -1 -1 8 600 -1 2 1 1 1 1 1 -1 -1\n1 150 20 200 8 -1 -1 8 600 -1 3 1 1 1 1 1 -1 -1\n",
			8, 2400, "2 jobs are left out: they are parts of a job that another row has as a whole"},
		"parts alone": {"1 0 10 100 8 -1 -1 8 600 -1 2 1 1 1 1 1 -1 -1\n1 150 20 200 8 -1 -1 8 600 -1 3 1 1 1 1 1 -1 -1\n2 160 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 1 -1 -1\n",
			9, 2401, "1 job started more than once: the running times add up"},
		"preceding": {"1 0 10 100 1 -1 -1 1 600 -1 1 1 1 1 1 1 -1 -1\n2 50 0 5 1 -1 -1 1 600 -1 1 1 1 1 1 1 1 30\n", 2, 105,
			"1 job has a preceding job and a think time: it arrives at the time of the log, whatever that job does"},
		"reservation": {`{"time":"1","type":"SCHEDULE","collection_id":"5","collection_type":"1","instance_index":"0"}` + "\n" +
			`{"time":"0","type":"SUBMIT","collection_id":"6","collection_type":"0","instance_index":"0"}` + "\n" +
			`{"time":"1","type":"SCHEDULE","collection_id":"6","collection_type":"0","instance_index":"0"}` + "\n" +
			`{"time":"9000001","type":"EVICT","collection_id":"6","collection_type":"0","instance_index":"0"}` + "\n" +
			`{"time":"10000001","type":"SCHEDULE","collection_id":"6","collection_type":"0","instance_index":"0"}` + "\n" +
			`{"time":"11000001","type":"FINISH","collection_id":"6","collection_type":"0","instance_index":"0"}`,
			1, 10, "1 instance is left out: a reservation, and what ran in it counts"},
	} {
		t.Run(name, func(t *testing.T) {
			tasks := must.Get(readTasks("log", strings.NewReader(test.log)))(t)
			work := 0.0
			for _, d := range tasks.Durations {
				work += float64(d) / 1e9
			}
			if len(tasks.Durations) != test.tasks || work != test.work {
				t.Errorf("%d tasks run for %v s, want %d for %v", len(tasks.Durations), work, test.tasks, test.work)
			}
			if said := slices.Concat(tasks.Remarks.Warnings(), tasks.Remarks.Notes()); !slices.Contains(said, test.says) {
				t.Errorf("it says %q, want %q", said, test.says)
			}
			if n := len(readRequests(t, test.log)); n != test.tasks {
				t.Errorf("%d requests, want %d", n, test.tasks)
			}
		})
	}
}

func readRequests(t *testing.T, text string) []workload.Request {
	t.Helper()
	source := must.Get(trace.OpenRequests("log", func() (io.Reader, error) { return strings.NewReader(text), nil }))(t)
	all := must.Get(workload.ReadAll(source))(t)
	return all
}
