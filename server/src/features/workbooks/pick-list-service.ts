import { ALL_EVENTS } from '@tyrian/catalog';
import { SCHEDULE_MODES, SECURITY, STAGES, type WORKBOOK_META_TYPES } from '@tyrian/contract';
import type { Caller } from '../../platform/http/caller.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { StreamNames } from '../../platform/stream-names.ts';
import { attackIndex } from './attack-index.ts';
import { workbooksInScope } from './workbook-store.ts';

export interface PickListItem {
  id: string;
  name: string;
  tactics?: string[];
  parent?: string;
}

/** The lists that editor and filters offer. */
export interface PickListService {
  list(
    caller: Caller,
    clusterId: string,
    type: (typeof WORKBOOK_META_TYPES)[number],
  ): Promise<PickListItem[]>;
}

const plain = (values: readonly string[]): PickListItem[] => values.map((id) => ({ id, name: id }));

export function createPickListService(postgres: Postgres, streamNames: StreamNames): PickListService {
  const tags = async (caller: Caller, clusterId: string): Promise<PickListItem[]> => {
    const found = new Set<string>();
    for (const scopeId of caller.scopesWith(clusterId, SECURITY)) {
      const rows = await postgres.inTenant(clusterId, (trx) => workbooksInScope(trx, clusterId, scopeId));
      for (const tag of rows.flatMap((row) => row.tags)) found.add(tag);
    }
    return plain([...found].sort());
  };
  return {
    list: async (caller, clusterId, type) => {
      switch (type) {
        case 'stages':
          return plain(STAGES);
        case 'modes':
          return plain(SCHEDULE_MODES);
        case 'streams':
          return plain([ALL_EVENTS, ...(await streamNames(clusterId))]);
        case 'tactics':
          return attackIndex().tactics.map(({ id, name }) => ({ id, name }));
        case 'techniques':
          return attackIndex().techniques.map((technique) => ({
            ...technique,
            ...(technique.id.includes('.') ? { parent: technique.id.split('.')[0] ?? '' } : {}),
          }));
        case 'tags':
          return tags(caller, clusterId);
      }
    },
  };
}
