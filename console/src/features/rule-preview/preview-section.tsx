import { Anchor, Button, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { listRulePreviews, type PreviewItem } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery } from '../../lib/use-call.ts';
import { CallProblem } from '../../ui/form-problem.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { TimeRangePicker } from '../../ui/time-range-picker.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { DEFAULT_RANGE, STATE_TONES, usePreviewPaths } from './preview-words.ts';
import styles from './rule-preview.module.css';
import { useStartPreview } from './use-previews.ts';

const SHOWN = 5;

/** Of a rule: what it would have raised, asked for over a range, and what was asked before. */
export function PreviewSection({ ruleId }: { readonly ruleId: string }) {
  const { t } = useTranslation('rule-preview');
  const { tags } = useSignedIn();
  const { clusterId, scopeId } = useScope();
  const paths = usePreviewPaths();
  const past = useQuery(
    callQuery(
      listRulePreviews,
      { scope_id: scopeId, rule_id: ruleId, pagesize: SHOWN },
      { params: { clusterId }, quiet: true, every: 10_000 },
    ),
  ).data;
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('help')}
      </Text>
      {tags.includes('engineer') && <StartForm ruleId={ruleId} />}
      {past && past.data.length > 0 && (
        <ul className={styles.past} aria-label={t('past')}>
          {past.data.map((one) => (
            <Past key={one.preview_id} one={one} />
          ))}
        </ul>
      )}
      {past && past.total_count > SHOWN && (
        <Anchor component={Link} to={paths.ofRule(ruleId)} size="sm">
          {t('all')}
        </Anchor>
      )}
    </>
  );
}

function StartForm({ ruleId }: { readonly ruleId: string }) {
  const { t } = useTranslation('rule-preview');
  const [range, setRange] = useState(DEFAULT_RANGE);
  const { start, isPending, error } = useStartPreview();
  return (
    <>
      <CallProblem error={error} />
      <div className={styles.row}>
        <TimeRangePicker value={range} onChange={setRange} />
        <Button
          variant="default"
          loading={isPending}
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          onClick={() => start({ ruleIds: [ruleId], kind: 'preview', range })}
        >
          {t('start')}
        </Button>
      </div>
    </>
  );
}

function Past({ one }: { readonly one: PreviewItem }) {
  const { t } = useTranslation('rule-preview');
  const { locale } = useSettings();
  const paths = usePreviewPaths();
  return (
    <li>
      <Anchor component={Link} to={paths.page(one.preview_id)} size="sm">
        {t(`kinds.${one.kind}`)}
      </Anchor>
      <span className={styles.times}>
        <TimeStamp time={one.start} form="seconds" /> – <TimeStamp time={one.end} form="seconds" />
      </span>
      <StateMark tone={STATE_TONES[one.state]} label={t(`states.${one.state}`)} />
      <span>{t('foundSignals', { count: one.signals, number: formatInteger(one.signals, locale) })}</span>
      <Text size="sm" c="dimmed" span>
        {one.author}
      </Text>
    </li>
  );
}
