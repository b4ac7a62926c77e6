import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import {
  caseGraph,
  caseHistory,
  caseInfo,
  listCaseEntities,
  listCaseNotes,
  listCaseSignals,
} from '@tyrian/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { markStale } from '../../lib/use-call.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import classes from './case-news-line.module.css';
import { type HeardChange, readNews, useNews } from './news-store.ts';

const STATE = [caseInfo, caseHistory, listCaseNotes];
const EVIDENCE = [listCaseSignals, listCaseEntities, caseGraph];
const isOfEvidence = ({ act }: HeardChange) =>
  act === 'signals.add' || act === 'signals.remove' || act === 'entity.add';

/**
 * What others did to the case that is open. Its state, history and notes follow by themselves; its evidence stays as it
 * is being read until it is asked for.
 */
export function CaseNewsLine({
  caseId,
  updated,
}: {
  readonly caseId: string;
  /** When the case last changed, as the page has read it. */
  readonly updated: number | undefined;
}) {
  const { t } = useTranslation('live');
  const client = useQueryClient();
  const { caseChanges } = useNews();
  const [seen, setSeen] = useState(() => readNews().seq);
  // What the page has read before it was heard of is no news.
  const [readAt, setReadAt] = useState(updated);
  if (readAt === undefined && updated !== undefined) setReadAt(updated);
  const news = caseChanges.filter(
    (one) => one.case_id === caseId && one.seq > seen && one.time > (readAt ?? Number.POSITIVE_INFINITY),
  );
  const newest = news[0]?.seq ?? 0;
  useEffect(() => {
    if (newest > 0) void markStale(client, STATE);
  }, [newest, client]);
  const isEvidenceOld = news.some(isOfEvidence);
  const [latest] = news;
  return (
    <div role="status" className={classes.place}>
      {latest ? (
        <div className={classes.line}>
          <span className={classes.text}>
            {t(`act.${latest.act.replace('.', '_')}`, {
              name: latest.actor?.name ?? t('product'),
              to: latest.to ? t(`cases:status.${latest.to}`) : '',
            })}
            {news.length > 1 ? ` ${t('more', { count: news.length - 1 })}` : ''}
          </span>
          {isEvidenceOld ? (
            <Button
              variant="default"
              size="compact-xs"
              onClick={() => {
                setSeen(readNews().seq);
                void markStale(client, EVIDENCE);
              }}
            >
              {t('showEvidence')}
            </Button>
          ) : null}
          <IconButton
            label={t('ui:close')}
            size={22}
            onClick={() => {
              setSeen(readNews().seq);
              if (isEvidenceOld) void markStale(client, EVIDENCE);
            }}
          >
            <IconX size={14} />
          </IconButton>
        </div>
      ) : null}
    </div>
  );
}
