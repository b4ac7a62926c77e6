import { Button, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { readLedgerPicture, rerunRule, ruleLedger } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { lastRange, resolveRange, type TimeRange } from '../../lib/time-range.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { askToConfirm } from '../../ui/confirm-button.tsx';
import { TimeRangePicker } from '../../ui/time-range-picker.tsx';
import styles from './rule-health.module.css';

/** Runs the windows of a range again; for engineers. */
export function RerunForm({ ID }: { readonly ID: string }) {
  const { t } = useTranslation('rule-health');
  const { tags } = useSignedIn();
  const { timeZone } = useSettings();
  const { clusterId, scopeId } = useScope();
  const [range, setRange] = useState<TimeRange>(lastRange('1h'));
  const rerun = useCallMutation(rerunRule, { stale: [readLedgerPicture, ruleLedger] });
  if (!tags.includes('engineer')) return null;
  const run = () => {
    const times = resolveRange(range, Date.now(), timeZone);
    if (!times) return;
    const input = { scope_id: scopeId, ID, start: times.from, end: times.to };
    rerun.mutate(
      { params: { clusterId }, input },
      { onSuccess: ({ windows }) => notify('done', t('rerun.done', { count: windows })) },
    );
  };
  return (
    <section aria-label={t('rerun.title')}>
      <h3 className={styles.caption}>{t('rerun.title')}</h3>
      <Text size="xs" c="dimmed" mb={6}>
        {t('rerun.help')}
      </Text>
      <div className={styles.row}>
        <TimeRangePicker value={range} onChange={setRange} />
        <Button
          variant="default"
          loading={rerun.isPending}
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={() =>
            askToConfirm({
              title: t('rerun.ask'),
              consequence: t('rerun.consequence'),
              confirmLabel: t('rerun.run'),
              isHarmless: true,
              onConfirm: run,
            })
          }
        >
          {t('rerun.run')}
        </Button>
      </div>
    </section>
  );
}
