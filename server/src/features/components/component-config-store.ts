import type { ComponentConfig, ComponentEvent, ComponentState } from '@tyrian/contract';
import { sql } from 'kysely';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { AdministrationDb } from '../identity/tenants/administration-tables.ts';

export interface StoredConfig extends ComponentConfig {
  /** Empty: of the platform. */
  readonly cluster_id: string;
  readonly component: string;
  readonly told_state: string | null;
}

export const DEFAULT_CONFIG: ComponentConfig = {
  display_name: '',
  cpu_limit: 90,
  memory_limit: 90,
  disk_limit: 90,
  events: [],
  emails: [],
};

/** The settings of every component, of the platform and of tenants. */
export async function selectConfigs(db: AdministrationDb): Promise<StoredConfig[]> {
  const rows = await db.selectFrom('component_config').selectAll().execute();
  return rows.map((row) => ({ ...row, events: row.events as ComponentEvent[] }));
}

export async function upsertConfig(
  db: AdministrationDb,
  clusterId: string,
  component: string,
  config: ComponentConfig,
): Promise<void> {
  await db
    .insertInto('component_config')
    .values({ cluster_id: clusterId, component, told_state: null, ...config })
    .onConflict((conflict) => conflict.columns(['cluster_id', 'component']).doUpdateSet({ ...config }))
    .execute();
}

/** Claims the telling of a new state: of several processes that see it, one gets true. */
export async function claimState(
  db: AdministrationDb,
  clusterId: string,
  component: string,
  state: ComponentState,
): Promise<boolean> {
  const { rows } = await sql`
    update component_config set told_state = ${state}
    where cluster_id = ${clusterId} and component = ${component}
      and coalesce(told_state, 'active') is distinct from ${state}
    returning component`.execute(db);
  return rows.length > 0;
}

/** Takes a role that does not run off the list; false when it runs or is not there. */
export async function deleteRole(
  db: AdministrationDb,
  role: string,
  host: string,
  silentBefore: number,
): Promise<boolean> {
  const { rows } = await sql`
    delete from component where role = ${role} and host = ${host}
      and (state <> 'running' or heartbeat_at < ${timestamp(silentBefore)})
    returning id`.execute(db);
  return rows.length > 0;
}
