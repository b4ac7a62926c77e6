import { CASE_ACTS, type CaseChange, type liveNews, type OutputOf, SECURITY } from '@tyrian/contract';
import type { Caller } from '../../platform/http/caller.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { type NewsRow, selectNews } from './live-store.ts';

// What is new since a console last asked: read from the events of one scope, whichever process wrote them.

type News = OutputOf<typeof liveNews>;

export interface LiveService {
  news(
    caller: Caller,
    asked: {
      readonly clusterId?: string | undefined;
      readonly scope_id?: string | undefined;
      readonly since?: string | undefined;
    },
  ): Promise<News>;
}

const MAX_ENTRIES = 200;

function actOf({ kind, details }: NewsRow): CaseChange['act'] {
  if (kind === 'case.created') return 'create';
  return CASE_ACTS.find((act) => act === details.act) ?? 'edit';
}

function changeOf(row: NewsRow): CaseChange {
  const { details, actor_id, actor_name } = row;
  return {
    event_id: row.event_id,
    case_id: row.object_id,
    case_key: String(details.case_key ?? ''),
    act: actOf(row),
    to: typeof details.to === 'string' ? details.to : null,
    actor: actor_id === null ? null : { user_id: actor_id, name: actor_name ?? '' },
    time: row.created_at,
  };
}

export function createLiveService(deps: {
  readonly postgres: Postgres;
  readonly unreadOf: (caller: Caller) => Promise<{ unread: number; newest: number | null }>;
}): LiveService {
  return {
    news: async (caller, { clusterId, scope_id: scopeId, since }) => {
      const { unread, newest } = await deps.unreadOf(caller);
      const own = { unread, newest };
      const isReached =
        clusterId !== undefined &&
        scopeId !== undefined &&
        caller.scopesWith(clusterId, SECURITY).includes(scopeId);
      if (!isReached) return { ...own, cursor: '0', signal_ids: [], case_changes: [], has_more: false };
      const { cursor, rows } = await deps.postgres.inTenant(clusterId, (trx) =>
        selectNews(trx, { clusterId, scopeId }, since, MAX_ENTRIES + 1),
      );
      const some = rows.slice(0, MAX_ENTRIES);
      return {
        ...own,
        cursor,
        signal_ids: some.filter((row) => row.kind === 'signal.raised').map((row) => row.object_id),
        case_changes: some.filter((row) => row.kind !== 'signal.raised').map(changeOf),
        has_more: rows.length > MAX_ENTRIES,
      };
    },
  };
}
