import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

// Stands between a program and ClickHouse: sees each statement that changes something, and can stop the program at one.

export interface GateStatement {
  readonly database: string;
  readonly sql: string;
}

export interface StatementGate {
  readonly url: string;
  /** What changed a tenant's database, in order, since it was last taken. */
  take(): readonly GateStatement[];
  /**
   * Calls `stop` when a statement that `wanted` knows is done and before its program hears of that. True from `stop`:
   * the program never hears of it.
   */
  stopAt(wanted: (statement: GateStatement) => boolean, stop: () => boolean): void;
  close(): Promise<void>;
}

/** The statement of a request: in its address when rows follow in the body. Null for what only reads. */
function statementOf(url: URL, body: string): GateStatement | null {
  const sql = (url.searchParams.get('query') ?? body).trim();
  const named = /`(tenant_\w+)`/.exec(sql)?.[1];
  const database = url.searchParams.get('database') ?? named;
  if (!database || /^(SELECT|SHOW|DESCRIBE|EXISTS|WITH)\b/i.test(sql)) return null;
  return { database, sql: url.searchParams.has('query') ? `${sql} ${body.trim()}` : sql };
}

export async function openStatementGate(target: string): Promise<StatementGate> {
  let seen: GateStatement[] = [];
  let isWanted: (statement: GateStatement) => boolean = () => false;
  let whenThere: () => boolean = () => false;
  const server = createServer(async (asked, answer) => {
    const body = await text(asked);
    const passed = request(new URL(asked.url ?? '/', target), {
      method: asked.method,
      headers: { ...asked.headers, host: new URL(target).host, connection: 'close' },
      agent: false,
    });
    passed.end(body);
    const [given] = (await once(passed, 'response')) as [IncomingMessage];
    const said = await text(given);
    const statement = statementOf(new URL(asked.url ?? '/', target), body);
    if (statement !== null) {
      seen.push(statement);
      if (isWanted(statement)) {
        isWanted = () => false;
        if (whenThere()) return;
      }
    }
    const { 'transfer-encoding': _chunked, 'content-length': _length, ...headers } = given.headers;
    answer.writeHead(given.statusCode ?? 502, headers).end(said);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    take: () => {
      const taken = seen;
      seen = [];
      return taken;
    },
    stopAt: (wanted, stop) => {
      isWanted = wanted;
      whenThere = stop;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
