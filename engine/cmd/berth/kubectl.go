package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"

	flag "github.com/spf13/pflag"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/format"
	"berth/engine/format/sniff"
	"berth/engine/kubernetes"
	"berth/engine/replay"
	"berth/engine/scenario"
	"berth/engine/show"
)

// asPlugin says whether the program runs as a plug-in of kubectl, which goes by its name.
func asPlugin(program string) bool {
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	return name == "kubectl-berth" || name == "kubectl_berth"
}

// kinds are what a replay asks a cluster for.
const kinds = "namespaces,nodes,persistentvolumes,persistentvolumeclaims,storageclasses.storage.k8s.io,services,replicationcontrollers,replicasets.apps,statefulsets.apps,poddisruptionbudgets.policy,priorityclasses.scheduling.k8s.io,pods"

// contextsFlag adds the flag for the clusters that the plug-in asks.
func (c *call) contextsFlag(f *flag.FlagSet, to *list) {
	if c.plugin {
		f.Var(to, "context", "a `CONTEXT` of kubectl whose cluster is asked; may be repeated (default: the current one)")
	}
}

// asked returns dumps that kubectl is asked for where none are given.
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

// kubectlFile begins the name of a dump that kubectl is asked for.
const kubectlFile = "kubectl:"

// get asks a cluster with kubectl get, which changes nothing, and says the command.
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

// running is the output of a command; closing it waits for the end.
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

// open opens a dump: a file, standard input, or what kubectl prints.
func (c *call) open(name string) (io.ReadCloser, error) {
	if context, asks := strings.CutPrefix(name, kubectlFile); asks && c.plugin {
		return c.get(context)
	}
	if name == "-" {
		if c.stdinUsed {
			return nil, c.misuse(`"-" is given twice, but standard input can be read only once`)
		}
		c.stdinUsed = true
		return io.NopCloser(c.in), nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	return file, nil
}

// dumpOrText reads a file, or what kubectl prints, as a whole.
func (c *call) dumpOrText(file string, most int) (string, []byte, error) {
	if !c.plugin || !strings.HasPrefix(file, kubectlFile) {
		return c.textUpTo(file, most)
	}
	r, err := c.open(file)
	if err != nil {
		return "", nil, err
	}
	data, err := readAll(dumpName(file), r, most)
	if closed := r.Close(); closed != nil {
		return "", nil, closed
	}
	return dumpName(file), data, err
}

// cluster reads a dump, which may be NAME=FILE: as a stream where it is what kubectl
// prints as JSON.
func (c *call) cluster(name string, o format.Options) (*replay.Cluster, error) {
	title, file, isNamed := format.Named(name)
	if _, err := os.Stat(name); err == nil {
		file, isNamed = name, false // it is called so
	}
	r, err := c.open(file)
	if err != nil {
		return nil, err
	}
	shown := dumpName(file)
	if isNamed {
		shown = title + "=" + shown
	}
	one, err := c.readCluster(file, shown, r, o)
	if one != nil {
		one.Asked = c.plugin && strings.HasPrefix(file, kubectlFile)
	}
	if closed := r.Close(); closed != nil {
		return nil, closed
	}
	return one, err
}

// dumpName is what a dump is called in messages.
func dumpName(file string) string {
	if context, asks := strings.CutPrefix(file, kubectlFile); asks {
		if context == "" {
			return "current"
		}
		return context
	}
	if file == "-" {
		return stdin
	}
	return file
}

func (c *call) readCluster(file, shown string, r io.Reader, o format.Options) (*replay.Cluster, error) {
	in := bufio.NewReaderSize(scenario.NewText(r, kubernetes.MaxStream), 1<<16)
	head, err := in.Peek(4096)
	if err != nil && err != io.EOF {
		return nil, unreadable(file, err)
	}
	if rest, marked := bytes.CutPrefix(head, []byte("\ufeff")); marked {
		in.Discard(len(head) - len(rest))
		head = rest
	}
	if kubernetes.Streams(head) {
		one, found := kubernetes.StreamCluster(shown, in, o)
		return c.told(one, found, o.Strict)
	}
	text, err := readAll(show.Text(file), in, int(o.Budget.Room(budget.Unpacked)))
	if err == nil {
		err = o.Budget.Take(budget.Unpacked, len(text))
	}
	if err != nil {
		return nil, err
	}
	if says := ofOtherSyntax(text); says != "" {
		return nil, badInputf("%s:1:1: %s", shown, says)
	}
	one, found := kubernetes.ReadCluster(shown, text, o)
	return c.told(one, found, o.Strict)
}

// ofOtherSyntax says what a text is that has a known format and can hold no objects of
// Kubernetes, "" of others: what is wrong with those has a place.
func ofOtherSyntax(text []byte) string {
	head := string(text[:min(len(text), sniff.Most)])
	found := sniff.Look(head, sniff.Manifests)
	if syntax := found.Syntax(); found.Format == nil || syntax == sniff.YAML || syntax == sniff.JSON {
		return ""
	}
	return sniff.Refusal(head, sniff.Manifests)
}

// mostMissing is how many claims are named that a dump does not have.
const mostMissing = 3

// told says the warnings about a cluster, and returns it; strict makes them errors.
func (c *call) told(one *replay.Cluster, found diag.List, strict bool) (*replay.Cluster, error) {
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
