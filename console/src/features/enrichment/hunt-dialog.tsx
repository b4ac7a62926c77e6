import { Text } from '@mantine/core';
import { type EnrichmentTable, listHunts, startHunt } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { lastRange, resolveRange } from '../../lib/time-range.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TimeRangePicker } from '../../ui/time-range-picker.tsx';
import { useEnrichmentPaths } from './enrichment-words.ts';

interface HuntDialogProps {
  readonly table: EnrichmentTable;
  readonly onClose: () => void;
}

/** Asks for which time the indicators of a list are looked for in stored events. */
export function HuntDialog({ table, onClose }: HuntDialogProps) {
  const { t } = useTranslation('enrichment');
  const { clusterId, scopeId } = useScope();
  const { timeZone } = useSettings();
  const navigate = useNavigate();
  const paths = useEnrichmentPaths();
  const [range, setRange] = useState(() => lastRange('30d'));
  const begin = useCallMutation(startHunt, { stale: [listHunts], quiet: true });
  const submit = () => {
    const wanted = resolveRange(range, Date.now(), timeZone);
    if (!wanted) return;
    const input = { scope_id: scopeId, table_id: table.table_id, start: wanted.from, end: wanted.to };
    const onSuccess = ({ hunt_id }: { readonly hunt_id: string }) => void navigate(paths.hunts(hunt_id));
    begin.mutate({ params: { clusterId }, input }, { onSuccess });
  };
  return (
    <FormDialog
      title={t('hunts.ask', { name: table.name })}
      submitLabel={t('hunts.start')}
      isBusy={begin.isPending}
      error={begin.error}
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm">{t('hunts.help')}</Text>
      <div>
        <TimeRangePicker value={range} onChange={setRange} />
      </div>
    </FormDialog>
  );
}
