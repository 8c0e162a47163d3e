package main

import (
	"fmt"
	"strings"

	"berth/engine/scenario"
)

// mostConfig is the largest experiment in bytes that goes into a ConfigMap, which takes 1 MiB in
// all.
const mostConfig = 1_000_000

// kubernetes prints the objects that run the experiment on a cluster: each pod of an Indexed Job
// carries out its share of the runs, with its own store on a common volume.
func (s *swept) kubernetes() error {
	for _, slot := range s.Slots() {
		if slot.Source.Beside() {
			return badInputf("%s: %s: the file %.200q is a file next to the experiment: put its text into the document, or use berth sweep --nats", s.file, slot.Name, slot.Source.Name)
		}
	}
	document := scenario.Encode(s.Scenario)
	if len(document) > mostConfig {
		return badInputf("%s: has %d bytes, and a ConfigMap takes at most %d: use berth sweep --nats", s.file, len(document), mostConfig)
	}
	pods := min(s.flags.workers, s.jobs)
	text := strings.ReplaceAll(strings.TrimRight(string(document), "\n"), "\n", "\n    ")
	return s.write(fmt.Appendf(nil, job, "berth-"+s.Hash(), text, pods, s.flags.image))
}

// job is filled with the name, the document, the number of pods and the image. Kubernetes does not
// retry a pod whose runs failed, because the results record the failures.
const job = `# When the Job is complete, berth sweep experiment.json --merge /store/0 /store/1 …
# prints the table, wherever the volume is mounted.
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: %[1]s
spec:
  accessModes: [ReadWriteMany]
  resources:
    requests:
      storage: 1Gi
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: %[1]s
data:
  experiment.json: |
    %[2]s
---
apiVersion: batch/v1
kind: Job
metadata:
  name: %[1]s
spec:
  completionMode: Indexed
  completions: %[3]d
  parallelism: %[3]d
  backoffLimitPerIndex: 2
  podFailurePolicy:
    rules:
    - action: FailIndex
      onExitCodes:
        operator: In
        values: [2, 3]
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: berth
        image: %[4]q
        command: [berth, sweep, /experiment/experiment.json, --share, $(JOB_COMPLETION_INDEX)/%[3]d, --store, /store/$(JOB_COMPLETION_INDEX), --workers, "1"]
        volumeMounts:
        - name: experiment
          mountPath: /experiment
        - name: store
          mountPath: /store
      volumes:
      - name: experiment
        configMap:
          name: %[1]s
      - name: store
        persistentVolumeClaim:
          claimName: %[1]s
`
