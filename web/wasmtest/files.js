// The part of Node's fs that Go uses. Tests read files of the machine, through the
// runner; what they write stays in the page's memory.
"use strict";

const failure = (code) => Object.assign(new Error(code), { code });

// A node is a file or a directory: { directory, bytes }. The map holds written nodes by
// absolute path; null means removed.
const written = new Map();
const files = new Map(); // open files by descriptor: { node, path, offset }
let lastDescriptor = 2;

const absolute = (path) => (path.startsWith("/") ? path : process.cwd() + "/" + path).replace(/(.)\/+$/, "$1");

async function find(path) {
  const node = written.get(absolute(path));
  if (node) return node;
  const response = node === null ? undefined : await fetch("/wasmtest/file?path=" + encodeURIComponent(absolute(path)));
  if (!response?.ok) throw failure("ENOENT");
  return { directory: response.headers.has("X-Directory"), bytes: new Uint8Array(await response.arrayBuffer()) };
}

const exists = (path) => find(path).then(() => true, () => false);

function opened(descriptor) {
  const file = files.get(descriptor);
  if (!file) throw failure("EBADF");
  return file;
}

const status = ({ directory, bytes }) => ({
  dev: 0, ino: 0, nlink: 1, uid: 0, gid: 0, rdev: 0, blksize: 4096, blocks: 0,
  atimeMs: 0, mtimeMs: 0, ctimeMs: 0,
  mode: directory ? 0o040755 : 0o100644,
  size: bytes.length,
  isDirectory: () => directory,
});

const constants = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };

const operations = {
  async open(path, flags) {
    const there = await exists(path);
    if (!there && !(flags & constants.O_CREAT)) throw failure("ENOENT");
    if (there && flags & constants.O_EXCL) throw failure("EEXIST");
    const node = there && !(flags & constants.O_TRUNC) ? await find(path) : { directory: false, bytes: new Uint8Array() };
    if (flags & (constants.O_WRONLY | constants.O_RDWR)) written.set(absolute(path), node);
    files.set(++lastDescriptor, { node, path, offset: flags & constants.O_APPEND ? node.bytes.length : 0 });
    return lastDescriptor;
  },
  async close(descriptor) { files.delete(descriptor); },
  async fstat(descriptor) { return status(opened(descriptor).node); },
  async stat(path) { return status(await find(path)); },
  async lstat(path) { return status(await find(path)); },
  async read(descriptor, buffer, offset, length, position) {
    const file = opened(descriptor);
    const start = position ?? file.offset;
    const part = file.node.bytes.subarray(start, start + length);
    buffer.set(part, offset);
    if (position === null) file.offset += part.length;
    return part.length;
  },
  async write(descriptor, buffer, offset, length, position) {
    if (descriptor <= 2) return fs.writeSync(descriptor, buffer);
    const file = opened(descriptor);
    const start = position ?? file.offset;
    const old = file.node.bytes;
    file.node.bytes = new Uint8Array(Math.max(old.length, start + length));
    file.node.bytes.set(old);
    file.node.bytes.set(buffer.subarray(offset, offset + length), start);
    if (position === null) file.offset += length;
    return length;
  },
  async fsync() {},
  async mkdir(path) {
    if (await exists(path)) throw failure("EEXIST");
    written.set(absolute(path), { directory: true, bytes: new TextEncoder().encode("[]") });
  },
  async readdir(path) {
    const names = new Set(JSON.parse(new TextDecoder().decode((await find(path)).bytes)));
    for (const [file, node] of written) {
      const slash = file.lastIndexOf("/");
      if (file.slice(0, slash) !== absolute(path)) continue;
      if (node) names.add(file.slice(slash + 1));
      else names.delete(file.slice(slash + 1));
    }
    return [...names];
  },
  async unlink(path) {
    if ((await find(path)).directory) throw failure("EISDIR");
    written.set(absolute(path), null);
  },
  async rmdir(path) {
    if ((await operations.readdir(path)).length > 0) throw failure("ENOTEMPTY");
    written.set(absolute(path), null);
  },
};

globalThis.fs = {
  constants,
  // The bindings take text: one character for each byte.
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
for (const name of ["chmod", "chown", "fchmod", "fchown", "ftruncate", "lchown", "link", "readlink", "rename",
  "symlink", "truncate", "utimes"]) {
  fs[name] = (...args) => args.pop()(failure("ENOSYS"));
}
