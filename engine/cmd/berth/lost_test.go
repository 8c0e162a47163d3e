package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"berth/engine/must"
)

// A server that dies and does not return ends sweeps and workers, even during a run. Each prints
// one line after the one that says that the server is away. No message contains the token of the
// URL.
func TestServerThatDiesEndsWithOneLine(t *testing.T) {
	const seeds = 5
	at, nats := address(t)
	s := serverAt(t, at+"&token=geheim")
	secret := strings.Replace(nats, "//", "//geheim@", 1)
	file, folder := hold(t, seeds, "")
	const patience = "BERTH_PATIENCE=1500ms"
	children := []*child{
		start(t, patience, "sweep", file, "--nats", secret, "--workers", "1"),
		start(t, patience, "worker", "--nats", secret, "--workers", "2"),
	}
	await(t, "three runs have begun", func() bool { return sum(begun(t, folder, seeds)) == 3 })
	s.kill()
	for i, c := range children {
		out, errs, code := c.wait(t)
		want := fmt.Sprintf("%[1]s: the server does not answer: waiting for up to 1.5s\nberth: %[1]s: the NATS server disconnected and did not return within 1.5s. Start it and run the same command: it reuses the results on the server\n", nats)
		if i == 1 {
			want = "2 runs at a time, waiting for runs\n" + want
		}
		if out != "" || errs != want || code != statusFailed {
			t.Errorf("status %d: %s%s\nwant %s", code, out, errs, want)
		}
	}
}

// Messages have the URL of --nats without its password, in errors and on interruption.
func TestCredentialsAreNotSaid(t *testing.T) {
	at, nats := address(t)
	serverAt(t, at)
	file, folder := hold(t, 3, "")
	secret := strings.Replace(nats, "//", "//anna:geheim@", 1)
	c := start(t, "", "sweep", file, "--nats", secret, "--workers", "1")
	await(t, "a run has begun", func() bool { return sum(begun(t, folder, 3)) == 1 })
	must.Do(t, c.Process.Signal(os.Interrupt))
	out, errs, _ := c.wait(t)
	if want := "kept in " + nats; strings.Contains(out+errs, "geheim") || !strings.Contains(errs, want) {
		t.Errorf("want %q, got %s%s", want, out, errs)
	}
	for _, args := range [][]string{
		{"sweep", file, "--nats", "nats://one:geheim@127.0.0.1:1,nats://two:geheim@127.0.0.1:2"},
		{"sweep", file, "--nats", "nats://anna:geheim%zz@127.0.0.1:1"},
		{"sweep", file, "--kubernetes", "--image", "berth", "--nats", "nats://anna:geheim@127.0.0.1:1"},
		{"worker", "--nats", "nats://geheim@127.0.0.1:1"},
		{"gallery", "--figure", "thesis-6.3", "--nats", "nats://anna:geheim@127.0.0.1:1"},
	} {
		if out, errs, code := exec(t, "", args...); strings.Contains(out+errs, "geheim") || code == statusPlaced && out == "" {
			t.Errorf("berth %v: status %d: %s%s", args, code, out, errs)
		}
	}
}
