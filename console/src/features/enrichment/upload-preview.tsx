import { Alert, List, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { previewEnrichment, type UploadedKind } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery } from '../../lib/use-call.ts';
import { CallProblem } from '../../ui/form-problem.tsx';
import { partsOf } from './enrichment-words.ts';
import { EntryTable } from './entry-table.tsx';
import type { UploadDraft } from './upload-form.tsx';

const PAUSE_MS = 500;
const SHOWN = 8;

/** How an upload is read, before it is saved: how many entries, what cannot be read, and the first of them. */
export function UploadPreview({ kind, draft }: { readonly kind: UploadedKind; readonly draft: UploadDraft }) {
  const { t } = useTranslation('enrichment');
  const { locale } = useSettings();
  const { clusterId, scopeId } = useScope();
  const [{ content, format, keyColumn, confidence, expires }] = useDebouncedValue(draft, PAUSE_MS);
  const preview = useQuery(
    callQuery(
      previewEnrichment,
      {
        ...{ scope_id: scopeId, kind, format, confidence, expires },
        key_column: keyColumn,
        content: partsOf(content),
      },
      { params: { clusterId }, enabled: content !== '', quiet: true, keep: true },
    ),
  );
  if (content === '') return null;
  if (preview.error) return <CallProblem error={preview.error} />;
  if (!preview.data) return <Text size="sm">{t('reading')}</Text>;
  const { rows, faults, fault_count, samples } = preview.data;
  const number = (count: number) => formatInteger(count, locale);
  const isClean = fault_count === 0 && rows > 0;
  return (
    <>
      <Alert color={isClean ? 'gray' : 'yellow'} variant="light" aria-live="polite">
        <Text size="sm">{t('read', { rows: number(rows), faults: number(fault_count) })}</Text>
        <List size="sm" mt={4}>
          {faults.slice(0, SHOWN).map(({ line, reason, text }) => (
            <List.Item key={`${line} ${text}`}>
              {t('fault', { line: number(line), reason: t(`faults.${reason}`), text })}
            </List.Item>
          ))}
        </List>
      </Alert>
      <EntryTable title={t('preview')} samples={samples} />
    </>
  );
}
