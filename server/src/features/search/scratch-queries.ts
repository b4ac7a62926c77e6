import { openScratchClickhouse, type ScratchClickhouse } from '../../engines/scratch-clickhouse.ts';
import { systemClock } from '../../platform/clock.ts';
import { createEventsStored } from './events-stored.ts';
import { createKqlCompiler } from './kql-compiler.ts';
import { createQueryService, type QueryService } from './query-service.ts';
import { createQuerySlots } from './query-slots.ts';

export interface ScratchQueries extends ScratchClickhouse {
  readonly queries: QueryService;
}

/** The query service on an engine of its own, with the tables of one tenant: there, empty, and without found fields. */
export async function openScratchQueries(prefix: string, clusterId: string): Promise<ScratchQueries> {
  const { events, access, close } = await openScratchClickhouse(prefix);
  const compiler = createKqlCompiler();
  const noFields = async () => ({ version: 'none', fields: [], extFields: [] });
  const queries = createQueryService({
    events,
    compiler,
    seenFields: { fieldsOf: noFields, sampledFieldsOf: noFields },
    slots: createQuerySlots(),
    stored: createEventsStored(events),
    clock: systemClock,
  });
  const closeAll = async () => {
    await compiler.close();
    await close();
  };
  try {
    await events.ensureTenant(clusterId);
  } catch (error) {
    await closeAll();
    throw error;
  }
  return { events, access, queries, close: closeAll };
}
