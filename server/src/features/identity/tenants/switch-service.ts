import { SWITCH_NAMES, SWITCHES, type SwitchName, type SwitchRow, say, sayOfField } from '@tyrian/contract';
import { sql } from 'kysely';
import { AppError, notFound } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { Clock } from '../../../platform/clock.ts';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { AdministrationDb } from './administration-tables.ts';
import type { Actor } from './scope-service.ts';

// Switches of the platform. A value for one cluster wins over the value for all, which wins over the default. Who
// asks often is answered from a copy that is a few seconds old at most.

const FRESH_MS = 3_000;

type FlagName = Exclude<SwitchName, 'maintenance_banner'>;

interface ValueRow {
  readonly name: string;
  /** Empty: for all clusters. */
  readonly cluster_id: string;
  readonly cluster_name: string | null;
  readonly value: boolean | string;
  readonly changed_at: number;
  readonly changed_by: string;
}

export interface SwitchService {
  list(): Promise<SwitchRow[]>;
  /** A null value goes back to what holds above. */
  set(actor: Actor, name: string, clusterId: string | null, value: boolean | string | null): Promise<void>;
  /** Whether something is switched on for a cluster; for the platform when it is null. */
  isOn(name: FlagName, clusterId: string | null): Promise<boolean>;
  /** Those of the clusters for which it is on. */
  among<T extends { readonly clusterId: string }>(
    name: FlagName,
    clusters: readonly T[],
  ): Promise<readonly T[]>;
  /** The line above every page; empty for none. */
  banner(clusterId: string | null): Promise<string>;
}

function checkedName(name: string): SwitchName {
  const known = SWITCH_NAMES.find((one) => one === name);
  if (!known) throw notFound();
  return known;
}

interface SwitchServiceDeps {
  readonly db: AdministrationDb;
  readonly clock: Clock;
  readonly audit: AuditService;
}

interface SwitchServiceParts extends SwitchServiceDeps {
  copy: { readonly rows: readonly ValueRow[]; readonly readMs: number } | undefined;
  /** One reading serves all who ask meanwhile: a sweep asks for every tenant at once. */
  reading: Promise<readonly ValueRow[]> | undefined;
}

export function createSwitchService(deps: SwitchServiceDeps): SwitchService {
  const parts: SwitchServiceParts = { ...deps, copy: undefined, reading: undefined };
  return {
    among: (name, clusters) => among(parts, name, clusters),
    ...bindDeps(parts, { list, set, isOn, banner }),
  };
}

async function read(parts: SwitchServiceParts): Promise<readonly ValueRow[]> {
  const { rows } = await sql<ValueRow>`
      select v.name, v.cluster_id, t.cluster_name, v.value, v.changed_at, v.changed_by
      from switch_value v left join tenant t using (cluster_id)
      where v.cluster_id = '' or t.cluster_id is not null
      order by lower(t.cluster_name) nulls first`.execute(parts.db);
  parts.copy = { rows, readMs: Date.now() };
  return rows;
}

function readTogether(parts: SwitchServiceParts): Promise<readonly ValueRow[]> {
  if (parts.reading) return parts.reading;
  const reading = read(parts).finally(() => {
    if (parts.reading === reading) parts.reading = undefined;
  });
  parts.reading = reading;
  return reading;
}

async function settingOf(
  parts: SwitchServiceParts,
  name: SwitchName,
  clusterId: string | null,
): Promise<boolean | string> {
  const rows =
    parts.copy && Date.now() - parts.copy.readMs < FRESH_MS ? parts.copy.rows : await readTogether(parts);
  const at = (tenantId: string) => rows.find((row) => row.name === name && row.cluster_id === tenantId);
  const row = (clusterId === null ? undefined : at(clusterId)) ?? at('');
  return row?.value ?? SWITCHES[name].default;
}

async function write(
  parts: SwitchServiceParts,
  trx: AdministrationDb,
  key: { readonly name: SwitchName; readonly cluster_id: string },
  value: boolean | string | null,
  changed_by: string,
): Promise<void> {
  if (value === null) {
    await trx
      .deleteFrom('switch_value')
      .where('name', '=', key.name)
      .where('cluster_id', '=', key.cluster_id)
      .execute();
    return;
  }
  const change = { value: JSON.stringify(value), changed_at: timestamp(parts.clock.now()), changed_by };
  await trx
    .insertInto('switch_value')
    .values({ ...key, ...change })
    .onConflict((conflict) => conflict.columns(['name', 'cluster_id']).doUpdateSet(change))
    .execute();
}

async function list(parts: SwitchServiceParts): Promise<SwitchRow[]> {
  const rows = await read(parts);
  return SWITCH_NAMES.flatMap((name) => {
    const own = rows.filter((row) => row.name === name);
    const all = own.find((row) => row.cluster_id === '');
    const shown = own.filter((row) => row.cluster_id !== '');
    return [
      {
        name,
        clusterId: null,
        clusterName: null,
        value: all?.value ?? SWITCHES[name].default,
        is_default: all === undefined,
        changed: all?.changed_at ?? null,
        changed_by: all?.changed_by ?? null,
      },
      ...shown.map((row) => ({
        name,
        clusterId: row.cluster_id,
        clusterName: row.cluster_name,
        value: row.value,
        is_default: false,
        changed: row.changed_at,
        changed_by: row.changed_by,
      })),
    ];
  });
}

async function set(
  parts: SwitchServiceParts,
  actor: Actor,
  given: string,
  clusterId: string | null,
  value: boolean | string | null,
): Promise<void> {
  const name = checkedName(given);
  const kind = SWITCHES[name].kind === 'flag' ? 'boolean' : 'string';
  if (value !== null && typeof value !== kind) {
    throw new AppError(
      'bad-input',
      sayOfField('value', say(kind === 'boolean' ? 'tenants.switchFlag' : 'tenants.switchText')),
      { field: 'value' },
    );
  }
  if (clusterId !== null) {
    const { rows } = await sql`select from tenant where cluster_id = ${clusterId}`.execute(parts.db);
    if (rows.length === 0) throw notFound();
  }
  const before = await settingOf(parts, name, clusterId);
  await parts.db.transaction().execute(async (trx) => {
    const key = { name, cluster_id: clusterId ?? '' };
    await write(parts, trx, key, value, actor.caller.name);
    const act = { action: 'switch.set', who: actor.caller, source: actor.source, entity: name };
    const details = { from: before, to: value };
    await parts.audit.record({ ...act, ...(clusterId === null ? {} : { clusterId }), details }, trx);
  });
  parts.copy = undefined;
  parts.reading = undefined;
}

async function isOn(parts: SwitchServiceParts, name: FlagName, clusterId: string | null): Promise<boolean> {
  return (await settingOf(parts, name, clusterId)) === true;
}

async function among<T extends { readonly clusterId: string }>(
  parts: SwitchServiceParts,
  name: FlagName,
  clusters: readonly T[],
): Promise<readonly T[]> {
  const isOn = await Promise.all(clusters.map(({ clusterId }) => settingOf(parts, name, clusterId)));
  return clusters.filter((_, at) => isOn[at] === true);
}

async function banner(parts: SwitchServiceParts, clusterId: string | null): Promise<string> {
  return String(await settingOf(parts, 'maintenance_banner', clusterId));
}
