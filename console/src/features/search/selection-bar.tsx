import { Button } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { MOST_DRAFT_EVENTS } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DraftRuleDialog } from '../rules/public.ts';
import styles from './result-panel.module.css';
import type { EventSelection } from './use-event-selection.ts';

/** What can be done with the selected events. */
export function SelectionBar({ selection }: { readonly selection: EventSelection }) {
  const { t } = useTranslation('search');
  const [isDrafting, setDrafting] = useState(false);
  const { events, clear } = selection;
  const count = events.length;
  if (count === 0) return null;
  const isTooMany = count > MOST_DRAFT_EVENTS;
  return (
    <div className={styles.selection} role="toolbar" aria-label={t('select.bar')}>
      <span role="status">{t('select.selected', { count })}</span>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconWand size={14} aria-hidden />}
        disabled={isTooMany}
        onClick={() => setDrafting(true)}
      >
        {t('select.draft', { count })}
      </Button>
      <Button size="compact-xs" variant="subtle" onClick={clear}>
        {t('select.clear')}
      </Button>
      {isTooMany && <span>{t('select.tooMany', { most: MOST_DRAFT_EVENTS })}</span>}
      {isDrafting && <DraftRuleDialog events={events} onClose={() => setDrafting(false)} />}
    </div>
  );
}
