import { Text } from '@mantine/core';
import type { Block } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { DraftSamples } from '../samples/public.ts';
import type { WorkbookEditor } from './use-workbook-editor.ts';
import { sameDraft } from './workbook-draft.ts';
import styles from './workbook-page.module.css';

/** The queries of a draft from which signals come: of each signal block the nearest KQL block above it. */
function detectionQueries(blocks: readonly Block[]): string[] {
  const queries: string[] = [];
  let query: string | null = null;
  for (const block of blocks) {
    if (block.type === 'kql') ({ query } = block.body);
    if (block.type === 'signal' && query?.trim()) queries.push(query);
  }
  return queries;
}

/** The samples of a workbook that raises signals. */
export function SamplesSection({ editor }: { readonly editor: WorkbookEditor }) {
  const { t } = useTranslation('samples');
  const { draft, workbook, fixed, setDraft } = editor;
  const queries = detectionQueries(draft.blocks);
  const samples = draft.samples ?? [];
  if (queries.length === 0 && samples.length === 0) return null;
  const isSaved = workbook !== null && sameDraft(draft, workbook.properties);
  return (
    <section className={styles.samples} aria-label={t('title')}>
      <h2>{t('title')}</h2>
      <Text size="sm" c="dimmed">
        {t('help')}
      </Text>
      <DraftSamples
        clusterId={editor.clusterId}
        scopeId={editor.scopeId}
        queries={queries}
        samples={samples}
        isShipped={workbook?.properties.native ?? false}
        mayChange={fixed === null}
        saved={isSaved ? { id: workbook.ID, version: workbook.properties.version } : null}
        onChange={(next) =>
          setDraft(({ samples: _before, ...now }) => (next.length > 0 ? { ...now, samples: next } : now))
        }
      />
    </section>
  );
}
