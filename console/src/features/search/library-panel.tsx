import { Button, SegmentedControl } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { SavedQuery } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { SHIPPED_SNIPPETS } from '../../query-kit/editor/kql-snippets.ts';
import styles from '../../query-kit/library/library.module.css';
import { LIBRARY_PANELS, type LibraryPanel as Panel } from '../../query-kit/runs/search-link.ts';
import { DetailFlyout } from '../../ui/detail-flyout.tsx';
import { FunctionsList } from '../functions/public.ts';
import { HistoryList, type PastSearch } from './history-list.tsx';
import type { SaveTarget } from './save-query-dialog.tsx';
import { SavedList } from './saved-list.tsx';

interface LibraryPanelProps {
  /** The text of the editor. */
  readonly text: string;
  readonly panel: Panel;
  readonly onPanel: (panel: Panel | '') => void;
  /** Puts a text into the editor. */
  readonly onTakePast: (search: PastSearch) => void;
  readonly onRunPast: (search: PastSearch) => void;
  readonly onAppendPast: (search: PastSearch) => void;
  readonly onTakeSaved: (entry: SavedQuery) => void;
  readonly onRunSaved: (entry: SavedQuery) => void;
  readonly onInsertSnippet: (template: string) => void;
  readonly onSave: (target: SaveTarget) => void;
}

/** History, saved queries, snippets and functions, beside the results. */
export function LibraryPanel(props: LibraryPanelProps) {
  const { panel, onPanel } = props;
  const { t } = useTranslation('search');
  return (
    <DetailFlyout title={t('library.title')} label={t('library.title')} onClose={() => onPanel('')}>
      <div className={styles.tabs}>
        <SegmentedControl
          fullWidth
          value={panel}
          onChange={(next) => onPanel(next as Panel)}
          aria-label={t('library.title')}
          data={LIBRARY_PANELS.map((value) => ({ value, label: t(`library.panels.${value}`) }))}
        />
      </div>
      {panel === 'history' && (
        <HistoryList onTake={props.onTakePast} onRun={props.onRunPast} onAppend={props.onAppendPast} />
      )}
      {panel === 'saved' && (
        <SavedList
          kind="query"
          onTake={props.onTakeSaved}
          onRun={props.onRunSaved}
          onEdit={(entry) => props.onSave({ kind: 'query', text: entry.text, entry })}
        />
      )}
      {panel === 'snippets' && <Snippets {...props} />}
      {panel === 'functions' && <FunctionsList text={props.text} onInsert={props.onInsertSnippet} />}
      <p className={styles.keys}>{t(`library.keys.${panel}`)}</p>
    </DetailFlyout>
  );
}

/** The caller's snippets, shared ones, and those that are shipped. */
function Snippets({ onInsertSnippet, onSave }: LibraryPanelProps) {
  const { t } = useTranslation('search');
  const shipped = useMemo(
    () =>
      SHIPPED_SNIPPETS.map(({ name, text }) =>
        shippedEntry(name, text, t(`snippets.notes.${name}`), t('snippets.shipped')),
      ),
    [t],
  );
  return (
    <>
      <SavedList
        kind="snippet"
        extra={shipped}
        onTake={({ text }) => onInsertSnippet(text)}
        onEdit={(entry) => onSave({ kind: 'snippet', text: entry.text, entry })}
      />
      <Button
        variant="default"
        mx={12}
        mb={12}
        leftSection={<IconPlus size={14} />}
        onClick={() => onSave({ kind: 'snippet', text: '', entry: null })}
      >
        {t('snippets.add')}
      </Button>
    </>
  );
}

/** A shipped snippet as the list shows entries: nobody's, and not to be changed. */
const shippedEntry = (name: string, text: string, description: string, folder: string): SavedQuery => ({
  id: `shipped ${name}`,
  kind: 'snippet',
  name,
  text,
  description,
  folder,
  tags: [],
  range: null,
  shared: false,
  owner: '',
  owner_name: '',
  editable: false,
  version: 0,
  created: 0,
  updated: 0,
});
