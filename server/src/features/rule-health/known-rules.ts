import type { Schedule } from '@tyrian/contract';

// The rules of a scope by their content: workbooks that are detections, and rules of packs that are on.

export interface KnownRule {
  readonly name: string;
  readonly kind: 'workbook' | 'pack';
  readonly schedule: Schedule;
  /** Null: any stream. */
  readonly streams: readonly string[] | null;
  /** No event of the tenant has a field that it needs. */
  readonly missesFields: boolean;
}

export type KnownRules = (clusterId: string, scopeId: string) => Promise<ReadonlyMap<string, KnownRule>>;

type Content = Pick<KnownRule, 'name' | 'schedule' | 'streams'>;
type ContentOf<T> = (clusterId: string, scopeId: string) => Promise<ReadonlyMap<string, T>>;

/** Both kinds in one list, by id. */
export function createKnownRules(deps: {
  readonly workbooks: ContentOf<Content>;
  readonly packs: ContentOf<Content & Pick<KnownRule, 'missesFields'>>;
}): KnownRules {
  return async (clusterId, scopeId) => {
    const [workbooks, packs] = [
      await deps.workbooks(clusterId, scopeId),
      await deps.packs(clusterId, scopeId),
    ];
    const all = new Map<string, KnownRule>();
    for (const [id, { name, schedule, streams }] of workbooks) {
      const reads = streams?.length ? streams : null;
      all.set(id, { name, schedule, streams: reads, kind: 'workbook', missesFields: false });
    }
    for (const [id, { name, schedule, streams, missesFields }] of packs)
      all.set(id, { name, schedule, streams, missesFields, kind: 'pack' });
    return all;
  };
}
