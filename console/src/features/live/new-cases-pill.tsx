import { type Case, type InputOf, listCases } from '@tyrian/contract';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../lib/call.ts';
import { useScope } from '../../lib/session-store.ts';
import { NewRowsPill } from '../../ui/new-rows-pill.tsx';
import { casesShown, useNews } from './news-store.ts';
import { useMatchingNews } from './use-new-rows.ts';

const LOOKED_AT = 200;

interface NewCasesPillProps {
  readonly selection: Omit<InputOf<typeof listCases>, 'scope_id' | 'pageno' | 'pagesize'>;
  readonly rows: readonly Case[] | undefined;
  readonly onLoad: () => void;
}

/** Cases of the list's filters that others made, and rows that others changed, since it was read. */
export function NewCasesPill({ selection, rows, onLoad }: NewCasesPillProps) {
  const { t } = useTranslation('live');
  const { clusterId, scopeId } = useScope();
  const { caseChanges, casesSeen } = useNews();
  const unseen = caseChanges.filter((one) => one.seq > casesSeen);
  // A list that opens may hold rows that it read before: what was heard of since is read at once.
  const opening = useRef({ isOld: unseen.length > 0, onLoad });
  useEffect(() => {
    if (opening.current.isOld) opening.current.onLoad();
    casesShown();
  }, []);
  const shown = new Map(rows?.map((one) => [one.case_id, one.updated]));
  const ids = (some: typeof unseen) => [...new Set(some.map((one) => one.case_id))];
  const unlisted = ids(unseen.filter((one) => !shown.has(one.case_id)));
  // A row may have been read after the change, and before it was heard of.
  const changed = ids(unseen.filter((one) => one.time > (shown.get(one.case_id) ?? one.time))).length;
  // Also a case that somebody opened again is new to a list of open work.
  const fresh = useMatchingNews(unlisted, JSON.stringify(selection), async () => {
    const newest = { sort_by: 'updated', sort_order: 'desc', pagesize: LOOKED_AT } as const;
    const input = { ...selection, ...newest, scope_id: scopeId };
    return (await call(listCases, { params: { clusterId }, input })).data.map((one) => one.case_id);
  });
  const parts = [
    ...(fresh > 0 ? [t('new', { count: fresh })] : []),
    ...(changed > 0 ? [t('changed', { count: changed })] : []),
  ];
  return (
    <NewRowsPill
      text={parts.length === 0 ? null : parts.join(', ')}
      isEmpty={rows?.length === 0}
      onLoad={() => {
        casesShown();
        onLoad();
      }}
    />
  );
}
