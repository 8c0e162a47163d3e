package build

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
)

const goApp = "github.com/maxence-charriere/go-app/v10"

// goAppLeft are go-app's files with its server and ciphers. client.go replaces them.
var goAppLeft = []string{"http.go", "resource.go", "static.go", "crypto.go"}

//go:embed _client/client.go
var goAppClient []byte

// compileProgram compiles the program of the page and of its workers into a file, with a
// copy of go-app without its server and ciphers. A page needs neither: net/http includes
// all of TLS, a ninth of the download; crypto/rand includes Go's ciphers.
func compileProgram(ctx context.Context, root, out string) error {
	work := filepath.Join(".bin", "page") // relative, because the program contains the path
	module := filepath.Join(work, "go-app")
	if err := copyGoApp(ctx, root, filepath.Join(root, module)); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	mod = fmt.Appendf(mod, "\nreplace %s => ./%s\n", goApp, filepath.ToSlash(module))
	for name, content := range map[string][]byte{"go.mod": mod, "go.sum": sum} {
		if err := os.WriteFile(filepath.Join(root, work, name), content, 0o644); err != nil {
			return err
		}
	}
	args := []string{"build", "-modfile=" + filepath.Join(work, "go.mod"), "-trimpath", "-buildvcs=false", "-ldflags=-s -w"}
	for _, entry := range inlining {
		args = append(args, "-gcflags="+entry)
	}
	if _, err = runGo(ctx, root, append(args, "-o", out, "./app/main")...); err != nil {
		return err
	}
	return rewrite(out, func(program []byte) ([]byte, error) {
		small, err := dropLines(bytes.Clone(program))
		if err != nil {
			fmt.Fprintln(os.Stderr, "warning: the download is an eighth larger:", err)
			return program, nil
		}
		return small, nil
	})
}

// inlining selects the packages in which the compiler may inline functions, which
// costs a tenth of the download: the packages with tight loops. The last entry for a
// package counts.
var inlining = []string{
	"all=-l",
	"runtime/...=", "internal/bytealg=", "internal/chacha8rand=", "internal/runtime/...=", "internal/strconv=", "sync/...=", "math/...=",
	"unicode/utf8=", "slices=", "maps=", "syscall/js=",
	"berth/engine/...=",
	"berth/engine/bundle=-l", "berth/engine/diag=-l", "berth/engine/dot=-l",
	"berth/engine/federate/...=-l", "berth/engine/federate=", "berth/engine/federate/megha=", "berth/engine/federate/central=",
	"berth/engine/figure=-l", "berth/engine/flow=-l", "berth/engine/gallery/...=-l", "berth/engine/graph=-l", "berth/engine/input/...=-l",
	"berth/engine/kube/...=-l", "berth/engine/kube=", "berth/engine/kube/score=",
	"berth/engine/parameter=-l", "berth/engine/placement/drawing=-l", "berth/engine/placement/placementkind=-l", "berth/engine/plugin=-l",
	"berth/engine/policy=-l", "berth/engine/qos/qoskind=-l", "berth/engine/rule=-l", "berth/engine/scenario=-l", "berth/engine/script=-l",
	"berth/engine/show=-l", "berth/engine/study=-l", "berth/engine/table=-l", "berth/engine/written=-l", "math/big=-l",
}

// copyGoApp copies the client part of go-app.
func copyGoApp(ctx context.Context, root, to string) error {
	from, err := goModule(ctx, root, goApp)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(to, "pkg"), os.DirFS(filepath.Join(from.Dir, "pkg"))); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(from.Dir, "go.mod"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(to, "go.mod"), mod, 0o644); err != nil {
		return err
	}
	for _, name := range goAppLeft {
		if err := os.Remove(filepath.Join(to, "pkg", "app", name)); err != nil {
			return err
		}
	}
	for file, change := range map[string]func([]byte) ([]byte, error){"js_wasm.go": parseAddresses, "node.go": keepEvents,
		"context.go": idsOfBrowser, "state.go": idsOfBrowser} {
		if err := rewrite(filepath.Join(to, "pkg", "app", file), change); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(to, "pkg", "app", "client.go"), goAppClient, 0o644)
}

// parseAddresses has client.go parse the page's address. go-app ignores the error of
// url.Parse, and a nil address would end the program.
func parseAddresses(code []byte) ([]byte, error) {
	return changed(code, "parses the address", [2]string{"u, _ := url.Parse(rawurl)\n\treturn u\n", "return parseAddress(rawurl)\n"})
}

// idsOfBrowser has client.go make ids from the browser's random numbers.
func idsOfBrowser(code []byte) ([]byte, error) {
	return changed(code, "makes ids", [2]string{"\t\"github.com/google/uuid\"\n", ""}, [2]string{"uuid.NewString()", "randomID()"})
}

// keepEvents has client.go dispatch events, because go-app drops an event whose element was
// replaced in the meantime.
func keepEvents(code []byte) ([]byte, error) {
	const event = "(func(ctx Context) {\n\t\t\t\tevent := Event{"
	return changed(code, "dispatches events", [2]string{"\t\t\tctx.Dispatch" + event, "\t\t\tctx.dispatchEvent" + event})
}

// changed replaces texts that must occur once in the code; does describes, for the
// error, go-app's behaviour there.
func changed(code []byte, does string, changes ...[2]string) ([]byte, error) {
	for _, change := range changes {
		if bytes.Count(code, []byte(change[0])) != 1 {
			return nil, fmt.Errorf("go-app %s in a way that this build does not know", does)
		}
		code = bytes.Replace(code, []byte(change[0]), []byte(change[1]), 1)
	}
	return code, nil
}
