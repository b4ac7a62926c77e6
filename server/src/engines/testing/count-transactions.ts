import pg from 'pg';

// Counts what PostgreSQL is made to commit or roll back by this process: each transaction, and each statement outside
// of one. The statements run as they always do.

type Query = (this: pg.Client, ...input: unknown[]) => unknown;

/** Runs `work`; answers how many transactions began meanwhile on all connections of the process. */
export async function countTransactions<T>(
  work: () => Promise<T>,
): Promise<{ result: T; transactions: number; statements: readonly string[] }> {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const query = prototype.query;
  const open = new WeakSet<pg.Client>();
  const statements: string[] = [];
  prototype.query = function (...input) {
    const [first] = input;
    const text = typeof first === 'string' ? first : ((first as { text?: string } | undefined)?.text ?? '');
    if (!open.has(this)) statements.push(text);
    if (/^\s*(begin|start transaction)/i.test(text)) open.add(this);
    if (/^\s*(commit|rollback)\s*;?\s*$/i.test(text)) open.delete(this);
    return query.apply(this, input);
  };
  try {
    const result = await work();
    return { result, transactions: statements.length, statements };
  } finally {
    prototype.query = query;
  }
}
