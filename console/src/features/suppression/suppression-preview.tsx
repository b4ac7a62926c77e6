import { Alert, List, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { previewSuppression, type SuppressionCondition } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery } from '../../lib/use-call.ts';

const SHOWN = 5;
const PAUSE_MS = 400;

interface SuppressionPreviewProps {
  readonly workbookId: string;
  /** Empty while they are incomplete. */
  readonly conditions: readonly SuppressionCondition[];
}

/** What the conditions would have suppressed of the last thirty days. */
export function SuppressionPreview({ workbookId, conditions }: SuppressionPreviewProps) {
  const { t } = useTranslation('suppression');
  const { locale } = useSettings();
  const { clusterId, scopeId } = useScope();
  const [asked] = useDebouncedValue(JSON.stringify({ workbook_id: workbookId, conditions }), PAUSE_MS);
  const isAsked = workbookId !== '' && conditions.length > 0;
  const preview = useQuery(
    callQuery(
      previewSuppression,
      { scope_id: scopeId, ...JSON.parse(asked) },
      { params: { clusterId }, enabled: isAsked, quiet: true, keep: true },
    ),
  );
  if (!isAsked) return null;
  if (preview.error)
    return (
      <Alert color="red" variant="light">
        {serverText(preview.error)}
      </Alert>
    );
  if (!preview.data) return <Text size="sm">{t('previewing')}</Text>;
  const { suppressed, signals, is_cut, samples } = preview.data;
  const number = (count: number) => formatInteger(count, locale);
  const key = is_cut ? 'previewCut' : 'preview';
  return (
    <Alert color={suppressed === 0 ? 'gray' : 'blue'} variant="light" aria-live="polite">
      <Text size="sm">{t(key, { suppressed: number(suppressed), signals: number(signals) })}</Text>
      <List size="sm" mt={4}>
        {samples.slice(0, SHOWN).map((one) => (
          <List.Item key={`${one.name} ${one.last_time}`}>{one.name}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
