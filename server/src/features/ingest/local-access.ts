import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { IngestSource } from '../sources/ingest-source.ts';
import type { SourceService } from '../sources/source-service.ts';

// The command line on the server's own machine may import without a token of a tenant: whoever can read the data
// folder owns the data anyway. The server writes a secret there at each start; events come in through a source
// named `import` of the scope, made when it is first needed.

const FILE = 'import.token';
const IMPORT_SOURCE = 'import';

interface LocalScope {
  readonly cluster_id: string;
  readonly cluster_name: string;
  readonly scope_id: string;
  readonly scope_name: string;
}

export interface LocalAccess {
  /** Makes the secret of this run. */
  start(): void;
  isLocal(token: string): boolean;
  scopes(): Promise<readonly LocalScope[]>;
  /** The source for a tenant and scope, each by id or name; either may be left out when there is only one. */
  sourceFor(
    tenant: string | undefined,
    scope: string | undefined,
  ): Promise<{ readonly source: IngestSource } | { readonly message: string }>;
}

/** The secret of the server that runs on this data folder; undefined when none does. */
export function readLocalToken(dataFolder: string): string | undefined {
  try {
    return readFileSync(path.join(dataFolder, FILE), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

function names(value: string, id: string, name: string): boolean {
  return value === id || value.toLowerCase() === name.toLowerCase();
}

interface LocalAccessDeps {
  readonly dataFolder: string;
  readonly postgres: Postgres;
  readonly sources: SourceService;
}

interface LocalAccessParts extends LocalAccessDeps {
  readonly known: Map<string, IngestSource>;
  readonly secret: string;
}

export function createLocalAccess(deps: LocalAccessDeps): LocalAccess {
  const secret = `local_${randomBytes(24).toString('base64url')}`;
  const known = new Map<string, IngestSource>();
  const parts: LocalAccessParts = { ...deps, known, secret };
  return bindDeps(parts, { start, isLocal, scopes, sourceFor });
}

async function scopes({ postgres }: LocalAccessParts): Promise<readonly LocalScope[]> {
  const found = await sql<LocalScope>`
      select t.cluster_id, t.cluster_name, s.scope_id, s.scope_name from tenant t join scope s using (cluster_id)
      where s.is_enabled order by t.cluster_name, s.scope_name`.execute(postgres.platform);
  return found.rows;
}

async function sourceAt(
  { known, sources }: LocalAccessParts,
  { cluster_id: clusterId, scope_id: scopeId }: LocalScope,
): Promise<IngestSource> {
  const key = `${clusterId} ${scopeId}`;
  const hit = known.get(key);
  if (hit !== undefined) return hit;
  const open = async () => {
    const all = await sources.status(clusterId, scopeId);
    return all.find((one) => one.source_name === IMPORT_SOURCE && one.revoked_ms === null);
  };
  const made = async () => {
    const { source } = await sources.create({
      clusterId,
      scopeId,
      name: IMPORT_SOURCE,
      kind: 'http',
      networks: [],
      by: null,
    });
    return source;
  };
  // Two first imports at once: the one that comes second finds the source of the first.
  const source = (await open()) ?? (await made().catch(async () => open()));
  if (source === undefined) throw new Error('the source for imports could not be made');
  const ingestSource = {
    clusterId,
    scopeId,
    sourceId: source.source_id,
    sourceName: IMPORT_SOURCE,
    kind: 'http' as const,
    isScopeEnabled: true,
  };
  known.set(key, ingestSource);
  return ingestSource;
}

function start({ dataFolder, secret }: LocalAccessParts): void {
  const file = path.join(dataFolder, FILE);
  writeFileSync(`${file}.new`, `${secret}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function isLocal({ secret }: LocalAccessParts, token: string): boolean {
  // Compared in bytes: a character beyond ASCII has several.
  const [given, wanted] = [Buffer.from(token), Buffer.from(secret)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function sourceFor(
  parts: LocalAccessParts,
  tenant: string | undefined,
  scope: string | undefined,
): Promise<{ readonly source: IngestSource } | { readonly message: string }> {
  const all = await scopes(parts);
  const fitting = all.filter(
    (one) =>
      (tenant === undefined || names(tenant, one.cluster_id, one.cluster_name)) &&
      (scope === undefined || names(scope, one.scope_id, one.scope_name)),
  );
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return { source: await sourceAt(parts, only) };
  if (all.length === 0) return { message: 'there is no tenant yet' };
  return {
    message: `${fitting.length === 0 ? 'no such tenant and scope' : 'name a tenant and scope'}; there are: ${all
      .map((one) => `${one.cluster_name} / ${one.scope_name} (${one.cluster_id} / ${one.scope_id})`)
      .join(', ')}`,
  };
}
