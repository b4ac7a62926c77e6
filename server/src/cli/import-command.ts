import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../platform/config.ts';
import { type Command, UsageError } from './command.ts';
import { localHeaders, sendersUrl } from './local-sender.ts';
import { parseOptions } from './parse-options.ts';
import { type ImportChunk, readImportFile } from './read-import-file.ts';

// Sends files to a running server. Each chunk has a key made of the file's name, the chunk's position and content, so
// an import that is started again sends everything and stores only what is missing.

const IN_FLIGHT = 3;
/** How long a server that is away or busy is waited for. */
const PATIENCE_MS = 120_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

type Counts = Record<string, number>;

interface Sender {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Makes the keys of this run differ from those of other runs. */
  readonly salt: string;
}

const sha256 = (...parts: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
};

interface Answer {
  readonly data: (Counts & { is_repeat?: boolean }) | null;
  readonly message: string;
}

/** One attempt; undefined when it is worth another. */
async function attempt(sender: Sender, url: string, key: string, body: Buffer): Promise<Answer | undefined> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { ...sender.headers, 'content-type': 'application/x-ndjson', 'idempotency-key': key },
      body: new Uint8Array(body),
    });
  } catch {
    return undefined;
  }
  if (response.status === 503 || response.status === 429 || response.status >= 520) return undefined;
  const answer = (await response.json().catch(() => null)) as Answer | null;
  if (response.ok && answer !== null) return answer;
  throw new ConfigError(`the server refused (${response.status}): ${answer?.message ?? 'no reason given'}`);
}

async function sendChunk(sender: Sender, file: string, chunk: ImportChunk): Promise<Answer> {
  const name = path.basename(file);
  const key = `import-${sha256(sender.salt, name, String(chunk.offset), chunk.body)}`;
  const url = `${sender.url}/ingest/ndjson?source=${encodeURIComponent(name)}`;
  const until = Date.now() + PATIENCE_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const answer = await attempt(sender, url, key, chunk.body);
    if (answer !== undefined) return answer;
    if (Date.now() > until)
      throw new ConfigError(`${sender.url} does not answer, or is busy for two minutes`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function report(file: string, counts: Counts, seconds: number): string {
  const { stored = 0, repeated = 0, parse_error: errors = 0, no_extractor: unknown = 0 } = counts;
  const notes = [
    errors > 0 ? `${errors} with parse errors` : '',
    unknown > 0 ? `${unknown} of unknown form` : '',
    repeated > 0 ? `${repeated} were there already` : '',
  ].filter((note) => note !== '');
  const rate = seconds > 0.5 && stored > 0 ? `, ${Math.round(stored / seconds)}/s` : '';
  return `${file}: ${stored} events stored${rate}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}\n`;
}

async function importFile(sender: Sender, file: string): Promise<void> {
  const counts: Counts = {};
  const started = performance.now();
  const running = new Set<Promise<void>>();
  let bytes = 0;
  let shown = started;
  const send = async (chunk: ImportChunk): Promise<void> => {
    const { data } = await sendChunk(sender, file, chunk);
    bytes += chunk.body.length;
    const isRepeat = data?.is_repeat === true;
    if (isRepeat) counts.repeated = (counts.repeated ?? 0) + (data?.stored ?? 0);
    else
      for (const [name, value] of Object.entries(data ?? {}))
        if (typeof value === 'number') counts[name] = (counts[name] ?? 0) + value;
    if (process.stderr.isTTY && performance.now() - shown > 1000) {
      shown = performance.now();
      process.stderr.write(`\r${file}: ${Math.round(bytes / 1e6)} MB, ${counts.stored ?? 0} events`);
    }
  };
  let failure: unknown;
  for await (const chunk of readImportFile(file)) {
    const work = send(chunk).catch((error: unknown) => {
      failure ??= error;
    });
    running.add(work);
    void work.finally(() => running.delete(work));
    if (running.size >= IN_FLIGHT) await Promise.race(running);
    if (failure !== undefined) break;
  }
  await Promise.all(running);
  if (process.stderr.isTTY && bytes > 0) process.stderr.write('\r\u001b[K');
  if (failure !== undefined) throw failure;
  process.stdout.write(report(file, counts, (performance.now() - started) / 1000));
}

function senderOf(
  values: { url?: string; token?: string; tenant?: string; scope?: string; again?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Sender {
  const url = values.url?.replace(/\/+$/, '') ?? sendersUrl(env);
  const salt = values.again ? randomUUID() : '';
  if (values.token !== undefined) return { url, salt, headers: { authorization: `Bearer ${values.token}` } };
  return { url, salt, headers: localHeaders(values, env) };
}

export const importCommand: Command = {
  name: 'import',
  summary: 'send files of events to a running server',
  usage: `Usage: tyrian import FILE... [--tenant T] [--scope S] [--again]
       tyrian import FILE... --token TOKEN [--url http://host:8088] [--again]

Reads NDJSON, JSON (an array, or CloudTrail's Records), CSV with a header (delimited by commas, semicolons, tabs or
bars), and plain logs, each also as .gz, and event logs of Windows (.evtx), and waits until every event is stored. Started again, it stores only what is missing (for 24 hours).

  --tenant, --scope  id or name; may be left out when there is only one. For the server on this machine's data
                     folder; elsewhere a token is needed.
  --token            token of a source; it says where the events go
  --url              address of the senders' port; this machine's by default
  --again            store the files once more, even if they were imported before`,
  run: async ({ args, env }) => {
    const { values, positionals } = parseOptions(
      args,
      {
        tenant: { type: 'string' },
        scope: { type: 'string' },
        token: { type: 'string' },
        url: { type: 'string' },
        again: { type: 'boolean', default: false },
      },
      true,
    );
    if (positionals.length === 0) throw new UsageError('name at least one file');
    for (const file of positionals) if (!existsSync(file)) throw new UsageError(`${file}: no such file`);
    const sender = senderOf(values, env);
    for (const file of positionals) await importFile(sender, file);
    return 0;
  },
};
