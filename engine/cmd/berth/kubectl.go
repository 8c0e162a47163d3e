package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	osexec "os/exec"
	"path/filepath"
	"strings"

	flag "github.com/spf13/pflag"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/input/format"
	"berth/engine/input/format/sniff"
	"berth/engine/input/packed"
	"berth/engine/kube"
	"berth/engine/kube/manifest"
	"berth/engine/scenario"
	"berth/engine/show"
)

// asPlugin reports whether the program was started as a plug-in of kubectl, by its file name.
func asPlugin(program string) bool {
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	return name == "kubectl-berth" || name == "kubectl_berth"
}

// kinds lists the kinds of objects that a replay needs from a cluster.
const kinds = "namespaces,nodes,persistentvolumes,persistentvolumeclaims,storageclasses.storage.k8s.io,csinodes.storage.k8s.io,services,replicationcontrollers,replicasets.apps,statefulsets.apps,poddisruptionbudgets.policy,priorityclasses.scheduling.k8s.io,pods"

// contextsFlag adds the flag --context to the plug-in.
func (c *call) contextsFlag(f *flag.FlagSet, to *list) {
	if c.plugin {
		f.Var(to, "context", "a `CONTEXT` of kubectl whose cluster is asked; may be repeated (default: the current one)")
	}
}

// asked returns the given dumps. In the plug-in without dumps, it returns the dumps to fetch with
// kubectl.
func (c *call) asked(dumps, contexts list) list {
	if !c.plugin || len(dumps) > 0 {
		return dumps
	}
	if len(contexts) == 0 {
		return list{kubectlFile}
	}
	var all list
	for _, context := range contexts {
		all = append(all, kubectlFile+context)
	}
	return all
}

// kubectlFile is the prefix of the name of a dump that kubectl fetches. The context follows.
const kubectlFile = "kubectl:"

// get runs kubectl get, which only reads from the cluster, and prints the command to standard
// error.
func (c *call) get(context string) (io.ReadCloser, error) {
	words := []string{"kubectl", "get", kinds, "-A", "-o", "json"}
	if context != "" {
		words = append(words, fmt.Sprint("-", "-context=", context))
	}
	fmt.Fprintf(c.errs, "$ %s\n", strings.Join(words, " "))
	cmd := osexec.CommandContext(c, words[0], words[1:]...)
	cmd.Stderr = c.errs
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("kubectl cannot run: %w; put it on the PATH, or give a dump as FILE", err)
	}
	return &running{out, cmd}, nil
}

// running is the output of a running command. Close waits until the command ends.
type running struct {
	io.ReadCloser
	cmd *osexec.Cmd
}

func (r *running) Close() error {
	_, _ = io.Copy(io.Discard, r.ReadCloser)
	if err := r.cmd.Wait(); err != nil {
		return badInputf("kubectl get failed: %w; check the context and your rights to list %s", err, kinds)
	}
	return nil
}

// cluster reads a dump, given as FILE or NAME=FILE. It streams a dump in the JSON of kubectl.
func (c *call) cluster(name string, o format.Options) (*kube.Cluster, error) {
	prefix, file := named(name)
	in, err := c.input(file)
	if err != nil {
		return nil, err
	}
	r, err := in.first()
	if err != nil {
		return nil, err
	}
	one, err := c.readCluster(prefix+in.name, r, o)
	if one != nil {
		one.Asked = c.plugin && strings.HasPrefix(file, kubectlFile)
	}
	if closed := in.close(); closed != nil {
		return nil, closed
	}
	return one, err
}

func (c *call) readCluster(name string, r io.Reader, o format.Options) (*kube.Cluster, error) {
	in := bufio.NewReaderSize(packed.NewText(r, manifest.MaxStream), 1<<16)
	head, err := in.Peek(4096)
	if err != nil && err != io.EOF {
		return nil, unreadable(name, err)
	}
	if rest, marked := bytes.CutPrefix(head, []byte("\ufeff")); marked {
		in.Discard(len(head) - len(rest))
		head = rest
	}
	if manifest.Streams(head) {
		one, found := manifest.StreamCluster(name, in, o)
		return c.reported(one, found, o.Strict)
	}
	text, err := readAll(show.Text(name), in, int(o.Budget.Room(budget.Unpacked)))
	if err == nil {
		err = o.Budget.Take(budget.Unpacked, len(text))
	}
	if err != nil {
		return nil, err
	}
	if says := ofOtherSyntax(text); says != "" {
		return nil, badInputf("%s:1:1: %s", name, says)
	}
	one, found := manifest.ReadCluster(name, text, o)
	return c.reported(one, found, o.Strict)
}

// ofOtherSyntax returns the reason to reject a text whose format is known and cannot contain
// Kubernetes objects. It returns "" for other texts, whose reader reports errors with positions.
func ofOtherSyntax(text []byte) string {
	head := string(text[:min(len(text), sniff.Most)])
	found := sniff.Look(head, sniff.Manifests)
	if syntax := found.Syntax(); found.Format == nil || syntax == sniff.YAML || syntax == sniff.JSON {
		return ""
	}
	return sniff.Refusal(head, sniff.Manifests)
}

// mostMissing limits the number of missing claims that messages name.
const mostMissing = 3

// reported prints the warnings about a cluster and returns the cluster; with strict they are
// errors.
func (c *call) reported(one *kube.Cluster, found diag.List, strict bool) (*kube.Cluster, error) {
	if one == nil {
		return nil, &scenario.InputError{Diagnostics: found}
	}
	for _, d := range found.Warnings() {
		fmt.Fprintf(c.errs, "%s: %s\n", d.Severity, d)
	}
	missing := one.Missing()
	if strict && len(missing) > 0 {
		return nil, badInputf("%s: %s; get pv and pvc, too", show.Text(one.Name), show.Text(missing[0]))
	}
	for _, says := range missing[:min(len(missing), mostMissing)] {
		fmt.Fprintf(c.errs, "%s: %s: %s\n", diag.Warning, show.Text(one.Name), show.Text(says))
	}
	if more := len(missing) - mostMissing; more > 0 {
		fmt.Fprintf(c.errs, "%s: %s: the same of %s; get pv and pvc, too\n", diag.Warning, show.Text(one.Name), show.Count(more, "other claim"))
	}
	return one, nil
}
