package shell

import (
	"strings"
	"syscall/js"
	"testing"
	"time"
)

// cacheWorker runs the site's service worker in the test's page, whose caches it fills.
// cacheWorker(version, resources, files) returns { status(): missing paths, cached(): paths,
// get(path): text or "network" }; files are the texts on the network by path.
var cacheWorker = js.Global().Get("Function").New(`
	return async (version, resources, files) => {
		const script = (await (await fetch("/web/site/build/app-worker.js")).text())
			.replaceAll("{{.Version}}", version).replaceAll("{{.Base}}", "")
			.replace("{{.ResourcesToCache}}", JSON.stringify(resources));
		const handlers = {}, origin = location.origin;
		const self = { addEventListener: (type, handler) => { handlers[type] = handler; }, location, clients: { claim() {} }, skipWaiting() {} };
		const network = async (request) => {
			const path = new URL(request.url ?? request, origin).pathname;
			if (files[path] === undefined) throw new TypeError("no network");
			return new Response(files[path]);
		};
		new Function("self", "registration", "fetch", script)(self, { active: null }, network);
		const ask = (data) => new Promise((resolve) => {
			handlers.message({ data, source: { postMessage: resolve }, waitUntil() {} });
		});
		return {
			status: async () => (await ask({ type: "berth:status" })).missing.join(),
			cached: async () => (await (await caches.open("berth-" + version)).keys()).map(({ url }) => new URL(url).pathname).sort().join(),
			activate: () => new Promise((resolve) => handlers.activate({ waitUntil: (work) => work.then(resolve) })),
			get: (path) => new Promise((resolve) => handlers.fetch({
				request: { method: "GET", url: origin + path, mode: path.startsWith("/web/") ? "no-cors" : "navigate" },
				respondWith: (answer) => answer.then((response) => response.text()).then(resolve, () => resolve("nothing")),
			})),
			versions: async () => (await caches.keys()).filter((name) => name.startsWith("berth-")).join(),
		};
	};`).Invoke()

// await returns the value of a promise.
func await(t *testing.T, promise js.Value) js.Value {
	t.Helper()
	settled := make(chan js.Value, 1)
	then := js.FuncOf(func(_ js.Value, args []js.Value) any { settled <- args[0]; return nil })
	defer then.Release()
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- js.ValueOf("failed: " + args[0].Call("toString").String())
		return nil
	})
	defer failed.Release()
	promise.Call("then", then, failed)
	select {
	case value := <-settled:
		return value
	case <-time.After(20 * time.Second):
		t.Fatal("a promise of the service worker was never settled")
		return js.Undefined()
	}
}

// worker returns the service worker of a version whose page is / and whose script is
// /web/app.HASH.js.
func worker(t *testing.T, version, hash string, network map[string]any) js.Value {
	t.Helper()
	return await(t, cacheWorker.Invoke(version, []any{"/", "/web/app." + hash + ".js"}, network))
}

// All files of a version are kept, and those of the version before for its open pages.
func TestTheServiceWorkerKeepsTwoVersions(t *testing.T) {
	t.Cleanup(func() { forgetCaches(t) })
	files := map[string]any{"/": "page 1", "/web/app.aaaa.js": "app 1", "/elsewhere": "x"}
	one := worker(t, "1", "aaaa", files)
	want(t, one.Call("status"), "")
	want(t, one.Call("cached"), "/,/web/app.aaaa.js")

	next := map[string]any{"/": "page 2", "/web/app.bbbb.js": "app 2"}
	two := worker(t, "2", "bbbb", next)
	want(t, two.Call("status"), "")
	want(t, two.Call("cached"), "/,/web/app.bbbb.js")
	// A page of the version before still gets its own files, and a newly opened page is the new
	// one.
	want(t, two.Call("get", "/web/app.aaaa.js"), "app 1")
	want(t, two.Call("get", "/"), "page 2")
	want(t, two.Call("get", "/no/such"), "nothing")
	three := worker(t, "3", "bbbb", next)
	want(t, three.Call("status"), "")
	await(t, three.Call("activate"))
	want(t, three.Call("versions"), "berth-2,berth-3")
}

// Files that cannot be fetched are named, and requested again.
func TestTheServiceWorkerNamesWhatIsMissing(t *testing.T) {
	t.Cleanup(func() { forgetCaches(t) })
	want(t, worker(t, "1", "aaaa", map[string]any{"/": "page"}).Call("status"), "/web/app.aaaa.js")
	again := worker(t, "1", "aaaa", map[string]any{"/web/app.aaaa.js": "app"})
	want(t, again.Call("status"), "")
	want(t, again.Call("get", "/"), "page")
}

func want(t *testing.T, promise js.Value, text string) {
	t.Helper()
	if got := await(t, promise).String(); got != text {
		t.Errorf("got %q, want %q", got, text)
	}
}

func forgetCaches(t *testing.T) {
	for _, name := range strings.Split(await(t, worker(t, "0", "", nil).Call("versions")).String(), ",") {
		await(t, js.Global().Get("caches").Call("delete", name))
	}
}
