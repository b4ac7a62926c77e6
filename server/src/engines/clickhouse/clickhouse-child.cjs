// Runs ClickHouse as a server inside this process, out of the library that chdb ships. The engine reads its start
// statements from a file and then from a pipe of ours: it serves as long as that pipe is open. We close the pipe on
// SIGTERM, or when our standard input ends, which it does however the parent dies. koffi cannot be used here: it
// runs calls on a stack of its own, and the engine refuses that as too deep a recursion. This is a CommonJS module,
// because loading it starts no thread: the thread of the engine has to be made after the confinement, to be bound by it.
// Arguments: a JSON object {library, folder, config, users, startSql, ports, peerPorts, uid}; uid is null to stay who we are.
const { closeSync } = require('node:fs');
const { getPriority, setPriority } = require('node:os');
const { DataType, load, open } = require('ffi-rs');
const { becomeUser, confine } = require('./confine-process.cjs');
const { keepAfterBrokenConnection } = require('./keep-after-broken-connection.cjs');

const { library, folder, config, users, startSql, ports, peerPorts, uid } = JSON.parse(process.argv[2]);

// The thread that made this process may go before all others; no thread of the engine does.
if (getPriority() < 0) setPriority(0);
open({ library: 'c', path: 'libc.so.6' });
// A process group of its own, before anything that takes time: Ctrl-C in a terminal reaches our parent alone, which stops
// us in order. The session stays the parent's, see spawn-engine.ts.
load({
  library: 'c',
  funcName: 'setpgid',
  retType: DataType.I32,
  paramsType: [DataType.I32, DataType.I32],
  paramsValue: [0, 0],
});
open({ library: 'chdb', path: library });
console.error(`after a broken connection: ${keepAfterBrokenConnection(library)}`);

// With everything loaded, so that neither the program nor its library need be readable for the engine's user.
becomeUser(uid);
console.error(`confined: ${confine({ folder, files: [config, users, startSql], ports, peerPorts })}`);

const pair = Buffer.alloc(8);
load({
  library: 'c',
  funcName: 'pipe',
  retType: DataType.I32,
  paramsType: [DataType.U8Array],
  paramsValue: [pair],
});
const readEnd = pair.readInt32LE(0);
const writeEnd = pair.readInt32LE(4);

let stopping = false;
function stop() {
  if (stopping) return;
  stopping = true;
  closeSync(writeEnd);
  // The engine ends in milliseconds; when it does not, its data is safe all the same.
  setTimeout(() => process.exit(0), 8000).unref();
}
process.on('SIGTERM', stop).on('SIGINT', stop).on('SIGHUP', stop);
process.stdin.on('end', stop).on('close', stop).on('error', stop).resume();

const args = [
  'clickhouse',
  `--path=${folder}`,
  `--config-file=${config}`,
  `--queries-file=${startSql}`,
  `--queries-file=/dev/fd/${readEnd}`,
];
load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
  runInNewThread: true,
}).then(end);

function end(result) {
  // Ended by itself: say why. The error is a null pointer when there is none, which must not be read as a string.
  if (!stopping && ask(result, DataType.BigInt)) console.error(ask(result, DataType.String));
  process.exit(stopping ? 0 : 1);
}

/** What the library says of its error. */
function ask(result, retType) {
  return load({
    library: 'chdb',
    funcName: 'chdb_result_error',
    retType,
    paramsType: [DataType.External],
    paramsValue: [result],
  });
}
