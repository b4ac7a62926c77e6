import { Button, Loader, Select, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { previewDetection, type SignalBlock } from '@tyrian/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import { lastRange, QUICK_RANGES } from '../../lib/time-range.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { EntityChip } from '../../ui/entity-chip.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { useRangeLabel } from '../../ui/use-range-label.ts';
import { BlockFrame } from './block-frame.tsx';
import styles from './signal-block-view.module.css';
import { SignalForm } from './signal-form.tsx';
import type { WorkbookEditor } from './use-workbook-editor.ts';
import { changeBlock } from './workbook-draft.ts';

const HOUR_MS = 3_600_000;
const SPAN_HOURS: Readonly<Record<string, number>> = { '1h': 1, '6h': 6, '24h': 24, '7d': 168, '30d': 720 };

interface SignalBlockViewProps {
  readonly editor: WorkbookEditor;
  readonly block: SignalBlock;
  readonly index: number;
}

/** What a row of the query above raises, and what it would have raised lately. */
export function SignalBlockView({ editor, block, index }: SignalBlockViewProps) {
  const { t } = useTranslation('workbooks');
  const label = useRangeLabel();
  const [span, setSpan] = useState('24h');
  const preview = useCallMutation(previewDetection);
  const asking = useRef<AbortController>(null);
  const cancel = () => {
    asking.current?.abort();
    preview.reset();
  };
  useEffect(() => () => asking.current?.abort(), []);
  const ask = () => {
    const end = Date.now();
    asking.current = new AbortController();
    const start = end - (SPAN_HOURS[span] ?? 24) * HOUR_MS;
    const properties = { ...editor.draft, name: editor.draft.name.trim() || t('unnamed') };
    preview.mutate({
      params: { clusterId: editor.clusterId },
      input: { scope_id: editor.scopeId, properties, start, end },
      signal: asking.current.signal,
    });
  };
  return (
    <BlockFrame
      editor={editor}
      block={block}
      index={index}
      title={t('block.signal')}
      tools={
        <>
          <Select
            aria-label={t('preview.range')}
            data={QUICK_RANGES.filter((each) => each in SPAN_HOURS).map((each) => ({
              value: each,
              label: label(lastRange(each)),
            }))}
            value={span}
            onChange={(next) => next && setSpan(next)}
            allowDeselect={false}
            w={168}
          />
          <Button
            variant="default"
            leftSection={preview.isPending ? <Loader size={12} /> : <IconEye size={14} />}
            onClick={preview.isPending ? cancel : ask}
          >
            {t(preview.isPending ? 'preview.cancel' : 'preview.button')}
          </Button>
        </>
      }
    >
      <SignalForm
        clusterId={editor.clusterId}
        body={block.body}
        fields={editor.columns}
        problems={editor.problems.filter((each) => each.block_id === block.block_id)}
        isFixed={editor.fixed !== null}
        onChange={(body) =>
          editor.setDraft((now) =>
            changeBlock(now, block.block_id, (each) => (each.type === 'signal' ? { ...each, body } : each)),
          )
        }
      />
      {preview.data && <PreviewResult {...preview.data} />}
    </BlockFrame>
  );
}

type Preview = NonNullable<ReturnType<typeof useCallMutation<typeof previewDetection>>['data']>;

function PreviewResult({ rows, signals, capped, samples, ...how }: Preview) {
  const { t } = useTranslation('workbooks');
  const { locale } = useSettings();
  return (
    <div className={styles.preview} role="status">
      <Text size="sm" fw={600}>
        {capped ? t('preview.atLeast') : ''}
        {t('preview.result', {
          count: signals,
          signals: formatInteger(signals, locale),
          rows: formatInteger(rows, locale),
        })}
      </Text>
      <Text size="xs" c="dimmed">
        {t('preview.windows', { count: how.windows, windows: formatInteger(how.windows, locale) })}{' '}
        <TimeStamp time={how.covered.from} /> – <TimeStamp time={how.covered.to} />
      </Text>
      {how.cut && (
        <Text size="xs" c="dimmed">
          {t('preview.cut')}
        </Text>
      )}
      {how.uses_now && (
        <Text size="xs" c="dimmed">
          {t('preview.usesNow')}
        </Text>
      )}
      {samples.map((sample) => (
        <div
          key={`${sample.name} ${sample.first_time} ${JSON.stringify(sample.suspects)}`}
          className={styles.sample}
        >
          <TimeStamp time={sample.last_time} />
          <span className={styles.name}>{sample.name}</span>
          <span className={styles.chips}>
            {sample.suspects.map((each) => (
              <EntityChip key={`s ${each.type} ${each.value}`} {...each} part="suspect" />
            ))}
            {sample.targets.map((each) => (
              <EntityChip key={`t ${each.type} ${each.value}`} {...each} part="target" />
            ))}
          </span>
          <span className={styles.times}>×{formatInteger(sample.occurrences, locale)}</span>
        </div>
      ))}
    </div>
  );
}
