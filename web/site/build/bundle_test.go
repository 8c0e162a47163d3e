package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/must"
)

// The bundle contains the packages and loads nothing.
func TestABundleIsOneScript(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Do(t, os.WriteFile(file, []byte(text), 0o644))
		return file
	}
	write("node_modules/greeting/package.json", `{"name": "greeting", "main": "index.js"}`)
	write("node_modules/greeting/index.js", `export const greeting = "ahoy"; export const unused = "no one asks";`)
	script := must.Get(bundle(write("assets/main.js", `import { greeting } from "greeting"; globalThis.said = greeting;`)))(t)
	if text := string(script); !strings.Contains(text, "ahoy") || strings.Contains(text, "import") || strings.Contains(text, "no one asks") {
		t.Errorf("the script is %s", text)
	}
	_, err := bundle(write("assets/broken.js", "import { missing } from \"nowhere\";"))
	if err == nil || !strings.Contains(err.Error(), "broken.js:1:") || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("a module that is not there gives %v", err)
	}
}
