import { say, sayOfField } from '@tyrian/contract';
import { AppError } from '../../../platform/app-error.ts';
import type { EventStore } from '../../../platform/clickhouse/event-store.ts';
import { openTenantEngine, type TenantEngine } from '../../../platform/clickhouse/route-event-store.ts';
import type { Logger } from '../../../platform/log.ts';
import { saidOf } from '../../../platform/said-of-failure.ts';

const VERSION_OF_ENGINE = 'SELECT version()';

/** Makes the tenant's database and reads from it: both accounts must be let in. Answers the engine's version. */
export async function tryEngine(store: EventStore, clusterId: string): Promise<string> {
  await store.ensureTenant(clusterId);
  const { rows } = await store.rows(clusterId, { sql: VERSION_OF_ENGINE, scopes: [] });
  return String(rows[0]?.[0] ?? '');
}

/** The same on an engine of the tenant's own. Throws AppError `bad-input` of the field `engine` with the reason. */
export async function tryOwnEngine(engine: TenantEngine, clusterId: string, log: Logger): Promise<string> {
  const store = openTenantEngine(engine, log);
  try {
    return await tryEngine(store, clusterId);
  } catch (error) {
    throw new AppError(
      'bad-input',
      sayOfField(
        'engine',
        saidOf(error, (reason) => say('tenants.engineFailed', { reason })),
      ),
      { field: 'engine' },
    );
  } finally {
    await store.close();
  }
}
