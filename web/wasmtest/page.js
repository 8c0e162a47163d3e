// Runs a Go test binary. What it writes goes out through the bindings
// wasmtestOut, wasmtestErr and wasmtestExit, at once and in order; what it
// reads comes from the runner.
"use strict";

const failure = (code) => Object.assign(new Error(code), { code });

const files = new Map(); // open files by descriptor: { path, bytes, offset }
let lastDescriptor = 2;

async function fetchFile(path) {
  const response = await fetch("/wasmtest/file?path=" + encodeURIComponent(path));
  if (!response.ok) throw failure("ENOENT");
  return { directory: response.headers.has("X-Directory"), bytes: new Uint8Array(await response.arrayBuffer()) };
}

const status = ({ directory, bytes }) => ({
  dev: 0, ino: 0, nlink: 1, uid: 0, gid: 0, rdev: 0, blksize: 4096, blocks: 0,
  atimeMs: 0, mtimeMs: 0, ctimeMs: 0,
  mode: directory ? 0o040755 : 0o100644,
  size: bytes.length,
  isDirectory: () => directory,
});

const opened = (descriptor) => {
  const file = files.get(descriptor);
  if (!file) throw failure("EBADF");
  return file;
};

// The part of Node's fs that Go uses to read; Go passes a callback as the last
// argument.
const operations = {
  async open(path, flags) {
    if (flags !== 0 && flags !== fs.constants.O_DIRECTORY) throw failure("EROFS");
    files.set(++lastDescriptor, { ...await fetchFile(path), offset: 0 });
    return lastDescriptor;
  },
  async close(descriptor) { files.delete(descriptor); },
  async fstat(descriptor) { return status(opened(descriptor)); },
  async stat(path) { return status(await fetchFile(path)); },
  async lstat(path) { return status(await fetchFile(path)); },
  async readdir(path) { return JSON.parse(new TextDecoder().decode((await fetchFile(path)).bytes)); },
  async read(descriptor, buffer, offset, length, position) {
    const file = opened(descriptor);
    const start = position ?? file.offset;
    const part = file.bytes.subarray(start, start + length);
    buffer.set(part, offset);
    if (position === null) file.offset += part.length;
    return part.length;
  },
  async write(descriptor, buffer) { return fs.writeSync(descriptor, buffer); },
  async fsync() {},
};
for (const name of ["chmod", "chown", "fchmod", "fchown", "ftruncate", "lchown", "link", "mkdir",
  "readlink", "rename", "rmdir", "symlink", "truncate", "unlink", "utimes"]) {
  operations[name] = async () => { throw failure("EROFS"); };
}

globalThis.fs = {
  constants: { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 },
  writeSync(descriptor, bytes) {
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    (descriptor === 2 ? wasmtestErr : wasmtestOut)(text);
    return bytes.length;
  },
};
for (const [name, operation] of Object.entries(operations)) {
  fs[name] = (...args) => {
    const callback = args.pop();
    operation(...args).then((value) => callback(null, value), (error) => callback(error));
  };
}

async function run() {
  const { argv, cwd } = await (await fetch("/wasmtest/config")).json();
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
  go.argv = argv;
  go.exit = (code) => wasmtestExit(String(code));
  const { instance } = await WebAssembly.instantiateStreaming(fetch("/wasmtest/test.wasm"), go.importObject);
  await go.run(instance);
}

run();
