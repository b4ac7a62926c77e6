import {
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

// The engine writes "this block is stored as part P" into a table's deduplication log before it gives the part its
// name. An engine that is killed between the two remembers a part that was never stored: the sender, who got no
// answer, sends the block again under the same token, and the engine drops it as a duplicate. So before an engine
// starts, records whose part is nowhere are taken out of the logs.
//
// Lines of a log (MergeTreeDeduplicationLog.cpp of ClickHouse): operation, part and block id, parted by tabs;
// operation 1 adds. Parts (MergeTreePartInfo.cpp): PARTITION_MIN_MAX_LEVEL, after a mutation with _VERSION.

const ADD = '1';
const PART = /^(?<partition>[^_]+)_(?<min>\d+)_(?<max>\d+)_\d+(?:_\d+)?$/;
const LOG_FILE = /^deduplication_log_\d+\.txt$/;

interface BlockRange {
  readonly min: number;
  readonly max: number;
}

function rangeOf(name: string): (BlockRange & { readonly partition: string }) | undefined {
  const groups = PART.exec(name)?.groups;
  if (!groups) return undefined;
  return { partition: groups.partition as string, min: Number(groups.min), max: Number(groups.max) };
}

/** Blocks that lie on the disk, by partition: in a part of their own or merged into a larger one. */
function storedBlocks(table: string): ReadonlyMap<string, readonly BlockRange[]> {
  const stored = new Map<string, BlockRange[]>();
  for (const name of readdirSync(table)) {
    const range = rangeOf(name);
    if (!range) continue;
    const ranges = stored.get(range.partition);
    if (ranges) ranges.push(range);
    else stored.set(range.partition, [range]);
  }
  return stored;
}

function isStored(line: string, stored: ReadonlyMap<string, readonly BlockRange[]>): boolean {
  const [operation, part] = line.split('\t');
  if (operation !== ADD || part === undefined) return true;
  const range = rangeOf(part);
  if (!range) return true;
  const ranges = stored.get(range.partition) ?? [];
  return ranges.some(({ min, max }) => min <= range.min && range.max <= max);
}

function writeInPlace(file: string, text: string): void {
  const { mode, uid, gid } = statSync(file);
  const next = `${file}.next`;
  writeFileSync(next, text, { mode });
  if (process.getuid?.() === 0) chownSync(next, uid, gid);
  renameSync(next, file);
}

function mendTable(table: string): number {
  const folder = path.join(table, 'deduplication_logs');
  if (!existsSync(folder)) return 0;
  const logs = readdirSync(folder).filter((name) => LOG_FILE.test(name));
  const stored = logs.length > 0 ? storedBlocks(table) : new Map();
  let dropped = 0;
  for (const name of logs) {
    const file = path.join(folder, name);
    // What follows the last line end was being written.
    const lines = readFileSync(file, 'utf8').split('\n');
    const kept = lines.slice(0, -1).filter((line) => isStored(line, stored));
    if (kept.length === lines.length - 1 && lines.at(-1) === '') continue;
    dropped += lines.length - 1 - kept.length;
    writeInPlace(file, kept.map((line) => `${line}\n`).join(''));
  }
  return dropped;
}

/**
 * Takes records of parts that were never stored out of the deduplication logs of an engine that does not run.
 *
 * @param engineFolder the engine's own folder, with the tables under `store/xxx/UUID`
 * @returns the number of records that were taken out
 */
export function mendDeduplicationLogs(engineFolder: string): number {
  const store = path.join(engineFolder, 'store');
  if (!existsSync(store)) return 0;
  let dropped = 0;
  for (const prefix of readdirSync(store, { withFileTypes: true })) {
    if (!prefix.isDirectory()) continue;
    for (const table of readdirSync(path.join(store, prefix.name), { withFileTypes: true }))
      if (table.isDirectory()) dropped += mendTable(path.join(store, prefix.name, table.name));
  }
  return dropped;
}
