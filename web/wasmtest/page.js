// Runs a Go test binary. It passes the output to the bindings wasmtestOut, wasmtestErr
// and wasmtestExit, at once and in order.
"use strict";

async function run() {
  const { argv, cwd, env } = await (await fetch("/wasmtest/config")).json();
  globalThis.process = {
    pid: 1, ppid: 0, getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0,
    getgroups: () => [], umask: () => 0o022, cwd: () => cwd, chdir() { throw failure("ENOSYS"); },
  };
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { src: "/wasmtest/wasm_exec.js", onload: resolve, onerror: reject });
    document.head.append(script);
  });
  const go = new Go();
  Object.assign(go, { argv, env });
  go.exit = (code) => wasmtestExit(String(code));
  const { instance } = await WebAssembly.instantiateStreaming(fetch("/wasmtest/test.wasm"), go.importObject);
  await go.run(instance);
}

run();
