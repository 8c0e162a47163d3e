package browser

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// A Driver drives Firefox or WebKit with WebDriver commands, which Firefox reads from
// a socket and WebKit from HTTP requests.
type Driver struct {
	send func(ctx context.Context, c command, parameters any) (json.RawMessage, error)
	stop []func()
}

// A command has a name in Firefox and an HTTP path in WebKit.
type command struct{ name, path string }

var (
	newSession = command{"WebDriver:NewSession", "/session"}
	timeouts   = command{"WebDriver:SetTimeouts", "/timeouts"}
	navigate   = command{"WebDriver:Navigate", "/url"}
	execute    = command{"WebDriver:ExecuteAsyncScript", "/execute/async"}
)

// Open opens an address and waits until its document is loaded.
func (d *Driver) Open(ctx context.Context, address string) error {
	_, err := d.send(ctx, navigate, map[string]any{"url": address})
	return err
}

// Value evaluates a JavaScript expression, awaits a promise, and stores the result in
// value.
func (d *Driver) Value(ctx context.Context, expression string, value any) error {
	script := "const tell = arguments[arguments.length - 1]; Promise.resolve().then(() => (" + expression +
		")).then((value) => tell({ value }), (error) => tell({ error: String(error) }));"
	answer, err := d.send(ctx, execute, map[string]any{"script": script, "args": []any{}})
	if err != nil {
		return err
	}
	var told struct {
		Value struct {
			Value json.RawMessage
			Error string
		}
	}
	if err := json.Unmarshal(answer, &told); err != nil {
		return err
	}
	if told.Value.Error != "" {
		return errors.New(told.Value.Error)
	}
	if value == nil || told.Value.Value == nil {
		return nil
	}
	return json.Unmarshal(told.Value.Value, value)
}

// Stop ends the browser with its child processes and removes its profile.
func (d *Driver) Stop() {
	for i := len(d.stop) - 1; i >= 0; i-- {
		d.stop[i]()
	}
}

// run starts a program that ends, with its children, when the driver stops.
func (d *Driver) run(name string, arguments ...string) error {
	program := exec.Command(name, arguments...)
	program.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := program.Start(); err != nil {
		return err
	}
	d.stop = append(d.stop, func() {
		syscall.Kill(-program.Process.Pid, syscall.SIGKILL)
		program.Wait()
	})
	return nil
}

// begin opens a session. A script may run as long as its context allows, and every
// dialog of the page is accepted.
func (d *Driver) begin(ctx context.Context, capabilities map[string]any) error {
	capabilities["unhandledPromptBehavior"] = "accept"
	if _, err := d.send(ctx, newSession, map[string]any{"capabilities": map[string]any{"alwaysMatch": capabilities}}); err != nil {
		return err
	}
	_, err := d.send(ctx, timeouts, map[string]any{"script": 600_000, "pageLoad": 600_000})
	return err
}

// StartFirefox starts a headless Firefox with a new temporary profile. The caller must call Stop.
func StartFirefox(ctx context.Context) (*Driver, error) {
	return started(ctx, "Firefox", (*Driver).startFirefox)
}

func started(ctx context.Context, name string, start func(*Driver, context.Context) error) (*Driver, error) {
	d := &Driver{}
	if err := start(d, ctx); err != nil {
		d.Stop()
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	return d, nil
}

func (d *Driver) startFirefox(ctx context.Context) error {
	profile, err := os.MkdirTemp("", "berth-firefox-")
	if err != nil {
		return err
	}
	d.stop = append(d.stop, func() { os.RemoveAll(profile) })
	const settings = `user_pref("marionette.port", 0);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("app.normandy.enabled", false);
`
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(settings), 0o600); err != nil {
		return err
	}
	if err := d.run(Firefox(), "--headless", "--marionette", "--no-remote", "--profile", profile, "about:blank"); err != nil {
		return err
	}
	var port []byte
	err = waitFor(ctx, func() (err error) {
		port, err = os.ReadFile(filepath.Join(profile, "MarionetteActivePort"))
		if err == nil && len(port) == 0 {
			err = errors.New("the port is not written yet")
		}
		return err
	})
	if err != nil {
		return err
	}
	socket, err := net.Dial("tcp", "127.0.0.1:"+string(port))
	if err != nil {
		return err
	}
	d.stop = append(d.stop, func() { socket.Close() })
	if err := d.speakMarionette(socket); err != nil {
		return err
	}
	return d.begin(ctx, map[string]any{})
}

// speakMarionette sends commands on a socket: each message is JSON, preceded by its
// length and a colon.
func (d *Driver) speakMarionette(socket net.Conn) error {
	from := bufio.NewReader(socket)
	receive := func(into any) error {
		length, err := from.ReadString(':')
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(length[:len(length)-1])
		if err != nil {
			return err
		}
		message := make([]byte, n)
		if _, err := io.ReadFull(from, message); err != nil {
			return err
		}
		return json.Unmarshal(message, into)
	}
	sent := 0
	d.send = func(ctx context.Context, c command, parameters any) (json.RawMessage, error) {
		sent++
		message, err := json.Marshal([]any{0, sent, c.name, parameters})
		if err != nil {
			return nil, err
		}
		deadline, _ := ctx.Deadline() // without a deadline the zero time disables the timeout
		socket.SetDeadline(deadline)
		if _, err := fmt.Fprintf(socket, "%d:%s", len(message), message); err != nil {
			return nil, err
		}
		var answer [4]json.RawMessage // elements: kind, number, error, result
		if err := receive(&answer); err != nil {
			return nil, err
		}
		if string(answer[2]) != "null" {
			return nil, fmt.Errorf("%s: %s", c.name, answer[2])
		}
		return answer[3], nil
	}
	var greeting any
	return receive(&greeting)
}

// StartWebKit starts the small browser of WebKitGTK on a virtual screen.
func StartWebKit(ctx context.Context) (*Driver, error) {
	return started(ctx, "WebKit", (*Driver).startWebKit)
}

func (d *Driver) startWebKit(ctx context.Context) error {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address := free.Addr().String()
	free.Close()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if err := d.run("xvfb-run", "-a", WebKit(), "--host=127.0.0.1", "--port="+port); err != nil {
		return err
	}
	err = waitFor(ctx, func() error {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err
	})
	if err != nil {
		return err
	}
	d.speakHTTP("http://" + address)
	return d.begin(ctx, map[string]any{})
}

func (d *Driver) speakHTTP(address string) {
	session := ""
	d.send = func(ctx context.Context, c command, parameters any) (json.RawMessage, error) {
		body, err := json.Marshal(parameters)
		if err != nil {
			return nil, err
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, address+session+c.path, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		if err != nil {
			return nil, err
		}
		if response.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("%s: %s", c.path, answer)
		}
		if c == newSession {
			var begun struct{ Value struct{ SessionID string } }
			if err := json.Unmarshal(answer, &begun); err != nil {
				return nil, err
			}
			session = "/session/" + begun.Value.SessionID
		}
		return answer, nil
	}
}

// waitFor polls until holds returns nil.
func waitFor(ctx context.Context, holds func() error) error {
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for {
		err := holds()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-poll.C:
		}
	}
}

// Firefox returns the path of Firefox's executable, or "" if it is not installed.
func Firefox() string { return first("firefox-esr", "firefox") }

// WebKit returns the path of WebKit's driver, or "" if the driver or xvfb-run is not installed.
func WebKit() string {
	if first("xvfb-run") == "" {
		return ""
	}
	return first("WebKitWebDriver")
}

func first(names ...string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
