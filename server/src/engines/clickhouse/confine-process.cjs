// Confines this process before it runs the engine, so that a statement which nobody foresaw reaches no more than the
// engine's own files: the library does not keep the function file(), or a dictionary's program, inside a folder, as a
// ClickHouse server does. Two means: a user id of its own when we are root, and Landlock (Linux 5.13), which takes rights
// away from a process for good: files but those named, programs, outgoing TCP (Linux 6.7).
// https://docs.kernel.org/userspace-api/landlock.html
const { closeSync, openSync, statSync } = require('node:fs');
const { DataType, load } = require('ffi-rs');

const CREATE_RULESET = 444;
const ADD_RULE = 445;
const RESTRICT_SELF = 446;
const PR_SET_DUMPABLE = 4;
const PR_SET_KEEPCAPS = 8;
const PR_SET_NO_NEW_PRIVS = 38;
const O_PATH = 0o10000000;

const READ_FILE = 1 << 2;
const WRITE_FILE = 1 << 1;
const READ_DIR = 1 << 3;
const TRUNCATE = 1 << 14;
const OF_A_FILE = READ_FILE | WRITE_FILE | TRUNCATE | 1;
/** All but: run a program, make devices. */
const WORK_IN = 0x7fff & ~(1 | (1 << 6) | (1 << 11));
const RULE_PATH = 1;
const RULE_PORT = 2;
const BIND_TCP = 1;
const CONNECT_TCP = 2;

/** What the engine reads outside: figures of the machine, times, the name `localhost`, libraries. */
const READABLE = [
  '/proc',
  '/sys',
  '/dev/null',
  '/dev/random',
  '/dev/urandom',
  '/etc/hosts',
  '/etc/host.conf',
  '/etc/nsswitch.conf',
  '/etc/resolv.conf',
  '/etc/gai.conf',
  '/etc/localtime',
  '/etc/timezone',
  '/usr/share/zoneinfo',
  '/usr/lib',
  '/usr/lib64',
  '/lib',
  '/lib64',
];

/** A function of libc with whole numbers and buffers. */
function libc(funcName, ...values) {
  const isBuffer = (value) => value instanceof Buffer;
  return load({
    library: 'c',
    funcName,
    retType: DataType.I64,
    paramsType: values.map((value) => (isBuffer(value) ? DataType.U8Array : DataType.I64)),
    paramsValue: values,
  });
}

/** Numbers of capset(2), by architecture. */
const CAPSET = { x64: 126, arm64: 91 };
const CAPABILITIES_V3 = 0x20080522;
/** The right to raise the priority of a thread again that was lowered. */
const CAP_SYS_NICE = 1 << 23;

/** Gives up root for a user id without any other group, and all rights of root but to set priorities of threads. */
function becomeUser(uid) {
  if (uid === null) return;
  const keeps = process.arch in CAPSET && !libc('prctl', PR_SET_KEEPCAPS, 1, 0, 0, 0);
  process.setgroups([]);
  process.setgid(uid);
  process.setuid(uid);
  if (keeps) keepPriorities();
  // Else what stands in /proc about this process would belong to root, and the engine reads that.
  libc('prctl', PR_SET_DUMPABLE, 1, 0, 0, 0);
}

/** Of the rights that are left keeps one, which a container may not have: then none is left. */
function keepPriorities() {
  const set = (rights) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(CAPABILITIES_V3);
    const data = Buffer.alloc(24);
    data.writeUInt32LE(rights, 0);
    data.writeUInt32LE(rights, 4);
    return !libc('syscall', CAPSET[process.arch], head, data);
  };
  if (!set(CAP_SYS_NICE) && !set(0)) throw new Error('the engine cannot give up the rights of root');
  libc('prctl', PR_SET_KEEPCAPS, 0, 0, 0, 0);
}

function allowPath(ruleset, path, rights) {
  let handle;
  try {
    handle = openSync(path, O_PATH);
  } catch {
    return; // Not on every system.
  }
  const rule = Buffer.alloc(12);
  rule.writeBigUInt64LE(BigInt(statSync(path).isDirectory() ? rights : rights & OF_A_FILE));
  rule.writeInt32LE(handle, 8);
  libc('syscall', ADD_RULE, ruleset, RULE_PATH, rule, 0);
  closeSync(handle);
}

function allowPort(ruleset, port, right) {
  const rule = Buffer.alloc(16);
  rule.writeBigUInt64LE(BigInt(right));
  rule.writeBigUInt64LE(BigInt(port), 8);
  libc('syscall', ADD_RULE, ruleset, RULE_PORT, rule, 0);
}

/**
 * Takes all rights away but to work in the folder, to read the files, to listen on the ports, and to connect to the ports
 * of other shards where there are some. Threads that exist already keep theirs: the engine has to run in a thread made
 * later. Returns what it could do: `none`, `files`, or `files and connections`.
 */
function confine({ folder, files, ports, peerPorts }) {
  if (process.platform !== 'linux') return 'none';
  // The version of Landlock that the kernel has; less than 1 when it has none.
  const abi = Number(libc('syscall', CREATE_RULESET, 0, 0, 1));
  if (abi < 1) return 'none';
  const rights = abi >= 3 ? 0x7fff : abi === 2 ? 0x3fff : 0x1fff;
  const withNet = abi >= 4;
  const attributes = Buffer.alloc(withNet ? 16 : 8);
  attributes.writeBigUInt64LE(BigInt(rights));
  if (withNet) attributes.writeBigUInt64LE(3n, 8);
  const ruleset = Number(libc('syscall', CREATE_RULESET, attributes, attributes.length, 0));
  if (ruleset < 0) return 'none';
  allowPath(ruleset, folder, rights & WORK_IN);
  for (const path of files) allowPath(ruleset, path, READ_FILE);
  for (const path of READABLE) allowPath(ruleset, path, READ_FILE | READ_DIR);
  allowPath(ruleset, '/dev/null', READ_FILE | WRITE_FILE);
  if (withNet) {
    for (const port of ports) allowPort(ruleset, port, BIND_TCP);
    for (const port of peerPorts) allowPort(ruleset, port, CONNECT_TCP);
  }
  libc('prctl', PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (libc('syscall', RESTRICT_SELF, ruleset, 0)) return 'none';
  closeSync(ruleset);
  return withNet ? 'files and connections' : 'files';
}

module.exports = { becomeUser, confine };
