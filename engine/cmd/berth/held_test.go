package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	process "os/exec"

	"github.com/nats-io/nats-server/v2/server"

	"berth/engine/cmd/berth/queue"
	"berth/engine/figure"
	"berth/engine/must"
	"berth/engine/scenario"
)

// beTested makes the test program a berth for tests: it knows the kind "held", soon treats a silent
// worker as lost, and can be a NATS server.
func beTested() {
	queue.AckWait = time.Second
	if patience, err := time.ParseDuration(os.Getenv("BERTH_PATIENCE")); err == nil {
		queue.Patience = patience
	}
	scenario.Register(held)
	if address := os.Getenv("BERTH_IS_SERVER"); address != "" {
		serveNATS(address)
	}
}

// serveNATS runs a server with JetStream until it is killed.
func serveNATS(address string) {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	port, _ := strconv.Atoi(u.Port())
	most, _ := strconv.ParseInt(u.Query().Get("most"), 10, 64)
	s, err := server.NewServer(&server.Options{
		Host: u.Hostname(), Port: port, Authorization: u.Query().Get("token"), JetStream: true, StoreDir: u.Query().Get("dir"), NoLog: true, JetStreamMaxStore: most,
	})
	if err != nil {
		panic(err)
	}
	s.Start()
	s.WaitForShutdown()
	os.Exit(0)
}

// held is a kind whose runs report that they have begun, and wait until they may end.
var held = &scenario.Kind{
	Name: "held", Title: "Held", Path: "/held", Holds: "a folder", Subject: "hand",
	Document: func() scenario.Document { return &holding{} },
	Report:   func() scenario.ReportBody { return &letGo{} },
	Prepare: func(_ context.Context, d scenario.Document, _ scenario.Env) (scenario.Work, error) {
		return d.(*holding), nil
	},
	Figures: []figure.Figure{figure.Of(figure.Figure{Name: "y", Title: "Figure", Better: figure.More},
		func(l *letGo) figure.Number { return figure.Number(l.Y) })},
}

type holding struct {
	Seed   uint64 `json:"seed,omitempty"`
	Folder string `json:"folder"`
	Deadly uint64 `json:"deadly,omitempty"` // seed that ends its process
	Fails  uint64 `json:"fails,omitempty"`  // seed that fails
}

func (h *holding) Validate(string, *scenario.Problems) {}
func (h *holding) Slots() []scenario.Slot              { return nil }
func (h *holding) Clone() scenario.Document            { c := *h; return &c }
func (h *holding) Runs() []scenario.Subject            { return []scenario.Subject{{}} }
func (h *holding) One(int, int) scenario.Document      { return h }
func (h *holding) FirstSeed() *uint64                  { return &h.Seed }
func (h *holding) Document() scenario.Document         { return h }

// Run writes a line with the process to the file of the seed each time that it begins.
func (h *holding) Run(ctx context.Context, _ scenario.Row, _ func(scenario.Progress), _ *scenario.Timings) (scenario.ReportBody, error) {
	file, err := os.OpenFile(h.begun(h.Seed), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(file, os.Getpid())
	file.Close()
	if h.Deadly != 0 && h.Seed == h.Deadly {
		self, _ := os.FindProcess(os.Getpid())
		self.Kill()
		select {}
	}
	if h.Fails != 0 && h.Seed == h.Fails {
		return nil, fmt.Errorf("seed %d cannot be run", h.Seed)
	}
	for !exists(filepath.Join(h.Folder, "go")) && !exists(filepath.Join(h.Folder, fmt.Sprint("go-", h.Seed))) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
	return &letGo{Y: float64(2 * h.Seed)}, nil
}

func (h *holding) begun(seed uint64) string {
	return filepath.Join(h.Folder, fmt.Sprint("begun-", seed))
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

type letGo struct {
	Y float64 `json:"y"`
}

func (l *letGo) Subject(i int) any                          { return figure.At([]letGo{*l}, i) }
func (l *letGo) Subjects() []string                         { return []string{"hand"} }
func (l *letGo) Remarks() (notes, warnings []string)        { return nil, nil }
func (l *letGo) Partial() bool                              { return false }
func (l *letGo) Complete() bool                             { return true }
func (l *letGo) WriteText(w io.Writer, _ *scenario.Timings) {}

// child is a berth in another process.
type child struct {
	*process.Cmd
	out, errs string // files, because a pipe would have to be read
	ended     chan struct{}
}

// start starts berth in the test's folder.
func start(t *testing.T, environment string, args ...string) *child {
	t.Helper()
	program := must.Get(os.Executable())(t)
	c := &child{Cmd: process.Command(program, args...), ended: make(chan struct{})}
	c.Env = append(os.Environ(), "BERTH_IS_RUN=1", environment)
	out := must.Get(os.CreateTemp(t.TempDir(), "out"))(t)
	errs := must.Get(os.CreateTemp(t.TempDir(), "errs"))(t)
	c.Stdout, c.Stderr, c.out, c.errs = out, errs, out.Name(), errs.Name()
	must.Do(t, c.Start())
	go func() {
		c.Wait()
		out.Close()
		errs.Close()
		close(c.ended)
	}()
	t.Cleanup(func() {
		c.Process.Kill()
		<-c.ended
	})
	return c
}

// kill ends the process in the same way as a lack of memory.
func (c *child) kill() {
	c.Process.Kill()
	<-c.ended
}

// wait waits for the process and returns its output and its exit status.
func (c *child) wait(t *testing.T) (out, errs string, code int) {
	t.Helper()
	select {
	case <-c.ended:
	case <-time.After(time.Minute):
		stderr, _ := os.ReadFile(c.errs)
		t.Fatalf("berth %v does not end: %s", c.Args[1:], stderr)
	}
	stdout := must.Get(os.ReadFile(c.out))(t)
	stderr := must.Get(os.ReadFile(c.errs))(t)
	return string(stdout), string(stderr), c.ProcessState.ExitCode()
}

// await waits until a condition is true.
func await(t *testing.T, what string, true func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !true(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it never came that %s", what)
		}
	}
}

// serverAt starts a NATS server. With the same address and folder it is the same server again.
func serverAt(t *testing.T, address string) *child {
	t.Helper()
	u := must.Get(url.Parse(address))(t)
	c := start(t, "BERTH_IS_SERVER="+address)
	await(t, "the server answers", func() bool {
		conn, err := net.Dial("tcp", u.Host)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	return c
}

// address returns a free address for serverAt, and the URL for berth's --nats.
func address(t *testing.T) (address, nats string) {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	return fmt.Sprintf("nats://%s?dir=%s", l.Addr(), url.QueryEscape(t.TempDir())), fmt.Sprintf("nats://%s", l.Addr())
}
