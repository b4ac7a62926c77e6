import { readFile, writeFile } from 'node:fs/promises';
import { MAX_ROW_LIMIT } from '@tyrian/contract';
import { fewAtATime } from '../platform/few-at-a-time.ts';
import { type Command, UsageError } from './command.ts';
import { formatRows, ROW_FORMATS, type RowFormat } from './format-rows.ts';
import { parseOptions } from './parse-options.ts';
import type { QueryAnswer, QueryTarget } from './query-target.ts';
import { openRemoteTarget } from './remote-query-target.ts';
import { openScratchTarget } from './scratch-query-target.ts';

const OPTIONS = {
  batch: { type: 'string' },
  out: { type: 'string' },
  url: { type: 'string' },
  ssid: { type: 'string' },
  email: { type: 'string' },
  password: { type: 'string' },
  cluster: { type: 'string' },
  scope: { type: 'string' },
  from: { type: 'string', default: 'now-24h' },
  to: { type: 'string', default: 'now' },
  timezone: { type: 'string', default: 'UTC' },
  limit: { type: 'string', default: '1000' },
  format: { type: 'string', default: 'table' },
} as const;

export const queryCommand: Command = {
  name: 'query',
  summary: 'run KQL against a server, or on an engine of its own',
  usage: `Usage: tyrian query 'KQL' [--format table|csv|json] [server]
       tyrian query --batch FILE.jsonl --out FILE.jsonl [server]

Server: --url http://127.0.0.1:9500 with --ssid SESSION or --email ADDRESS --password PASSWORD;
        --cluster ID --scope ID (the first that the user may search), --from now-24h --to now,
        --timezone UTC, --limit 1000 (rows)
Without --url the queries run on a scratch engine with empty tables, which is removed afterwards.

--batch reads lines {"id", "query"} and writes lines {"id", "ok", "columns", "rows", "tables"?, "error"?};
"tables" holds all tables of a query that gives several (fork, facet), "columns" and "rows" the first.`,
  run: async ({ args }) => {
    const { values, positionals } = parseOptions(args, OPTIONS, true);
    const { batch, out, format } = values;
    if (!isRowFormat(format)) throw new UsageError(`--format is one of ${ROW_FORMATS.join(', ')}`);
    if (batch === undefined ? positionals.length !== 1 : positionals.length !== 0 || out === undefined) {
      throw new UsageError('Give one query, or --batch with --out.');
    }
    const target = await openTarget(values);
    try {
      if (batch !== undefined && out !== undefined) return await runBatch(target, batch, out);
      const answer = await target.run(positionals[0] ?? '');
      process.stdout.write(printed(format, answer));
      return 0;
    } catch (error) {
      if (error instanceof UsageError) throw error;
      process.stderr.write(`${(error as Error).message}\n`);
      return 1;
    } finally {
      await target.close();
    }
  },
};

/** One table as it is; several below each other, each under its name. */
function printed(format: RowFormat, answer: QueryAnswer): string {
  if (!answer.tables) return formatRows(format, answer.columns, answer.rows);
  return answer.tables
    .map(({ name, columns, rows }) => `${name}\n${formatRows(format, columns, rows)}`)
    .join('\n');
}

type Values = ReturnType<typeof parseOptions<typeof OPTIONS>>['values'];

function openTarget(values: Values): Promise<QueryTarget> {
  if (values.url === undefined) return openScratchTarget();
  const rowLimit = Number(values.limit);
  if (!Number.isInteger(rowLimit) || rowLimit < 1 || rowLimit > MAX_ROW_LIMIT) {
    throw new UsageError(`--limit is a number from 1 to ${MAX_ROW_LIMIT}`);
  }
  return openRemoteTarget({
    url: values.url,
    ssid: values.ssid,
    email: values.email,
    password: values.password,
    clusterId: values.cluster,
    scopeId: values.scope,
    from: values.from,
    to: values.to,
    timezone: values.timezone,
    rowLimit,
  });
}

function isRowFormat(text: string): text is RowFormat {
  return (ROW_FORMATS as readonly string[]).includes(text);
}

/** Queries that run at once: compiling one while the engine works on others. */
const AT_ONCE = 4;

async function runBatch(target: QueryTarget, inFile: string, outFile: string): Promise<number> {
  const lines = (await readFile(inFile, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const answers = await fewAtATime(
    lines,
    AT_ONCE,
    async (line, index) => `${JSON.stringify(await answerLine(target, line, index + 1))}\n`,
  );
  await writeFile(outFile, answers.join(''));
  return 0;
}

async function answerLine(target: QueryTarget, line: string, number: number): Promise<object> {
  let id: unknown = null;
  try {
    const parsed = JSON.parse(line) as { id?: unknown; query?: unknown };
    id = parsed.id ?? null;
    if (typeof parsed.query !== 'string') throw new Error(`line ${number} has no text "query"`);
    return { id, ok: true, ...(await target.run(parsed.query)) };
  } catch (error) {
    return { id, ok: false, columns: [], rows: [], error: (error as Error).message };
  }
}
