import type { EngineNodes } from './engine-nodes.ts';
import type { EventStore } from './event-store.ts';

// What the engines write down of themselves, added up over all of them: nothing of a tenant is read for it.

const PARTITIONS = `SELECT partition_id AS id, sum(rows) AS held FROM system.parts
  WHERE database = {database:String} AND table = 'events' AND active GROUP BY id ORDER BY id`;
const OPEN_MUTATIONS = `SELECT table AS name, parts_to_do AS parts FROM system.mutations
  WHERE database = {database:String} AND NOT is_done`;
const DISK =
  'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = {database:String} AND active';

type Figures = Pick<EventStore, 'systemRows' | 'nodeRows' | 'diskBytes' | 'partitions' | 'openMutations'> & {
  /** What an engine allows one query of the reading user; 0 for no limit. Asked once. */
  maxMemory(): Promise<number>;
};

function memoryOf(nodes: EngineNodes): () => Promise<number> {
  let memory: Promise<number> | null = null;
  const ask = () =>
    nodes.any(async ({ reader }) => {
      const query = "SELECT getSetting('max_memory_usage') AS most";
      const result = await reader.query({ query, format: 'JSONEachRow' });
      const [row] = await result.json<{ most: string | number }>();
      return Number(row?.most ?? 0);
    });
  return () => {
    memory ??= ask().catch((error: unknown) => {
      memory = null;
      throw error;
    });
    return memory;
  };
}

/** `tablesOf`: the database that holds the rows of a tenant. */
export function engineFigures(nodes: EngineNodes, tablesOf: (clusterId: string) => string): Figures {
  const systemRows = async <T>(
    query: string,
    params: Readonly<Record<string, unknown>> = {},
  ): Promise<T[]> => {
    const rows = await nodes.each(async ({ writer }) => {
      const result = await writer.query({ query, query_params: { ...params }, format: 'JSONEachRow' });
      return result.json<T>();
    });
    return rows.flat();
  };
  const ofTenant = <T>(query: string, clusterId: string) =>
    systemRows<T>(query, { database: tablesOf(clusterId) });
  return {
    systemRows,
    nodeRows: <T>(query: string, _clusterId: string | null, signal?: AbortSignal) =>
      nodes.settled(async ({ writer }) => {
        const abort = signal ? { abort_signal: signal } : {};
        const result = await writer.query({ query, format: 'JSONEachRow', ...abort });
        return result.json<T>();
      }),
    maxMemory: memoryOf(nodes),
    diskBytes: async (clusterId) => {
      const found = await ofTenant<{ bytes: string | number }>(DISK, clusterId);
      return found.reduce((sum, { bytes }) => sum + Number(bytes), 0);
    },
    partitions: async (clusterId) => {
      const rows = new Map<string, number>();
      for (const { id, held } of await ofTenant<{ id: string; held: string | number }>(PARTITIONS, clusterId))
        rows.set(id, (rows.get(id) ?? 0) + Number(held));
      return [...rows].map(([id, sum]) => ({ id, rows: sum }));
    },
    openMutations: async (clusterId) => {
      const found = await ofTenant<{ name: string; parts: string | number }>(OPEN_MUTATIONS, clusterId);
      return found.map(({ name, parts }) => ({ table: name, parts: Number(parts) }));
    },
  };
}
