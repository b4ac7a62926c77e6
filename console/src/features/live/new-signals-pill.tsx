import { type InputOf, listSignals, type Signal } from '@tyrian/contract';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../lib/call.ts';
import { formatInteger } from '../../lib/format-number.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { NewRowsPill } from '../../ui/new-rows-pill.tsx';
import { signalsShown, useNews } from './news-store.ts';
import { useMatchingNews } from './use-new-rows.ts';

/** As many as the server names in one answer; of more nobody needs the number. */
const MOST = 200;

interface NewSignalsPillProps {
  /** What the queue shows. */
  readonly selection: Omit<InputOf<typeof listSignals>, 'pageno' | 'pagesize' | 'sort' | 'order'>;
  readonly rows: readonly Signal[] | undefined;
  /** The range goes up to now, so that what comes is in it. */
  readonly isOpenEnded: boolean;
  readonly onLoad: () => void;
}

/** Signals of the queue's filters that were raised since it was read. */
export function NewSignalsPill({ selection, rows, isOpenEnded, onLoad }: NewSignalsPillProps) {
  const { t } = useTranslation('live');
  const { locale } = useSettings();
  const { clusterId } = useScope();
  const news = useNews();
  useEffect(signalsShown, []);
  const { start, end, ...filters } = selection;
  // Read by the list before it was heard of.
  const shown = new Set(rows?.map((one) => one.signal_id));
  const unlisted = news.signalIds.filter((id) => !shown.has(id));
  const count = useMatchingNews(unlisted, JSON.stringify(filters), async () => {
    const range = isOpenEnded ? { start } : { start, end };
    const newest = { sort: 'created', order: 'desc', pagesize: MOST } as const;
    const input = { ...filters, ...range, ...newest };
    const { data } = await call(listSignals, { params: { clusterId }, input });
    return data.map((one) => one.signal_id);
  });
  const text =
    count === 0
      ? null
      : count >= MOST || news.hasMoreSignals
        ? t('manyNew', { count: formatInteger(count, locale) })
        : t('new', { count });
  return (
    <NewRowsPill
      text={text}
      isEmpty={rows?.length === 0}
      onLoad={() => {
        signalsShown();
        onLoad();
      }}
    />
  );
}
