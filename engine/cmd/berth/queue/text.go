package queue

// Messages about refused runs and results, for people who run workers and sweeps.
const (
	refusedRun    = "refused a damaged run, message %.200q: %v. Workers leave it out, and a sweep that waits for this run submits it again. If you see this often, find out what else writes to the server"
	refusedResult = "refused a damaged result of run %.200s, by worker %.100q: %v. It is deleted, and a sweep that waits for this run repeats it. If you see this often, test the memory of that machine, and find out what else writes to the server"
	refusedOften  = "the run or its result was damaged %d times: look at the messages of the workers, and run the sweep again"
	otherEngine   = "other runs wait that need engine %s, and this worker has engine %s, which may give other results: start a worker of the same version for them"
	unequal       = "run %s (%s) has result %.12s on worker %s and %.12s on worker %s: one of these machines computes wrongly. Run the scenario on both with berth run to learn which, and end that worker. Then delete the bucket %s, which may hold more of its results, and run the same command again"
	notRepeated   = "%d of %s to repeat on another worker %s not repeated, as no other worker answered: nothing compared the machines for these. Start berth worker with the same server on another machine"

	wrongEngine  = "it is for engine %q, expected %q"
	wrongSubject = "its hash is %q, expected that of its subject"
	wrongHash    = "its inputs have hash %s: it is another scenario's"
	wrongResult  = "it is of run %q"
	wrongSum     = "its bytes have SHA-256 %s, expected %q"
	wrongInput   = "the server has another input %s: %v"
	noInput      = "the server does not have the input %s"
	tooLarge     = "it has %d bytes, expected at most %d"
	moreFollows  = "it goes on after its end"
)
