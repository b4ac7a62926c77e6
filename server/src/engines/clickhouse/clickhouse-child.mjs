// Runs ClickHouse as a server inside this process, out of the library that chdb ships. The engine reads its start
// statements from a file and then from a pipe of ours: it serves as long as that pipe is open. We close the pipe on
// SIGTERM, or when our standard input ends, which it does however the parent dies. koffi cannot be used here: it
// runs calls on a stack of its own, and the engine refuses that as too deep a recursion.
// Arguments: a JSON object {library, ffi, folder, config, startSql}.
import { closeSync } from 'node:fs';
import { createRequire } from 'node:module';

const { DataType, load, open } = createRequire(import.meta.url)('ffi-rs');
const { library, folder, config, startSql } = JSON.parse(process.argv[2]);

open({ library: 'chdb', path: library });
open({ library: 'c', path: 'libc.so.6' });

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
const result = await load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
  runInNewThread: true,
});

/** Calls a function of the library that may answer a null pointer, which must not be read as a string. */
function call(funcName, retType) {
  return load({
    library: 'chdb',
    funcName,
    retType,
    paramsType: [DataType.External],
    paramsValue: [result],
  });
}
if (!stopping) {
  // Ended by itself: say why. The error is a null pointer when there is none.
  const asNumber = call('chdb_result_error', DataType.BigInt);
  if (asNumber) console.error(call('chdb_result_error', DataType.String));
  process.exit(1);
}
process.exit(0);
