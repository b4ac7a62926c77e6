import { Button, Group, SegmentedControl, Select, Text, Textarea } from '@mantine/core';
import type { SimulatedRow } from '@tyrian/contract';
import { EXTRACTOR_LIMITS } from '@tyrian/contract';
import { type Ref, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../../lib/format-number.ts';
import { useSettings } from '../../../lib/settings.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import styles from './extractor-editor.module.css';
import { SimulatedRowDialog } from './simulated-row-dialog.tsx';
import { SimulationTable } from './simulation-table.tsx';
import { type ExtractorDraft, type Unparsed, useSimulation } from './use-extractor-draft.ts';

interface SimulationPaneProps {
  readonly draft: ExtractorDraft;
  readonly unparsed: Unparsed;
  readonly isReadOnly: boolean;
  readonly handle: Ref<HTMLTextAreaElement>;
}

/** What the definition makes of samples, or of the last events of a source that nothing could read. */
export function SimulationPane(props: SimulationPaneProps) {
  const { draft, unparsed } = props;
  const { t } = useTranslation('extraction');
  const [on, setOn] = useState<'samples' | 'source'>(unparsed.source === '' ? 'samples' : 'source');
  const events = unparsed.events?.data ?? [];
  const lines = on === 'samples' ? draft.lines : events.map(({ raw }) => raw);
  return (
    <section className={styles.simulation} aria-label={t('simulation.title')}>
      <div className={styles.bar}>
        <h2>{t('simulation.title')}</h2>
        <SegmentedControl
          size="xs"
          aria-label={t('simulation.on')}
          value={on}
          onChange={(next) => setOn(next === 'source' ? 'source' : 'samples')}
          data={[
            { value: 'samples', label: t('simulation.samples') },
            { value: 'source', label: t('simulation.source') },
          ]}
        />
        {on === 'source' && <SourceChoice {...props} />}
      </div>
      {on === 'samples' && <SamplePane {...props} />}
      {on === 'source' && unparsed.events?.isError && (
        <ErrorPanel error={unparsed.events.error} onRetry={() => void unparsed.events?.refetch()} />
      )}
      <Simulated yaml={draft.yaml} lines={lines} emptyText={t(`simulation.empty.${on}`)} />
    </section>
  );
}

function SourceChoice({ draft, unparsed, isReadOnly }: SimulationPaneProps) {
  const { t } = useTranslation('extraction');
  const { locale } = useSettings();
  const { source, setSource, sources, events } = unparsed;
  const known = sources.data ?? [];
  const data = known.map((one) => ({
    value: one.source,
    label: t('simulation.sourceOf', {
      source: one.source,
      count: formatInteger(one.unparsed, locale) as never,
    }),
  }));
  const isKnown = source === '' || known.some((one) => one.source === source);
  const found = events?.data ?? [];
  const take = () => {
    const before = draft.lines.filter((line) => line.trim() !== '');
    const more = found.map(({ raw }) => raw.replaceAll('\n', ' ')).filter((line) => !before.includes(line));
    draft.setSamples([...before, ...more].slice(0, EXTRACTOR_LIMITS.samples).join('\n'));
  };
  return (
    <>
      <Select
        size="xs"
        w={280}
        aria-label={t('simulation.chooseSource')}
        placeholder={t('simulation.chooseSource')}
        data={isKnown ? data : [{ value: source, label: source }, ...data]}
        value={source || null}
        onChange={(next) => setSource(next ?? '')}
        searchable
        nothingFoundMessage={t('simulation.noSources')}
      />
      {!isReadOnly && found.length > 0 && (
        <Button size="compact-sm" variant="default" onClick={take}>
          {t('simulation.take')}
        </Button>
      )}
    </>
  );
}

function SamplePane({ draft, handle }: SimulationPaneProps) {
  const { t } = useTranslation('extraction');
  const { locale } = useSettings();
  const count = draft.lines.filter((line) => line.trim() !== '').length;
  const most = EXTRACTOR_LIMITS.samples;
  return (
    <Textarea
      ref={handle}
      label={t('simulation.pane')}
      description={t('simulation.paneText', {
        count: formatInteger(count, locale) as never,
        most: formatInteger(most, locale),
      })}
      error={count > most ? t('simulation.tooMany', { most }) : undefined}
      value={draft.samples}
      onChange={(event) => draft.setSamples(event.currentTarget.value)}
      autosize
      minRows={3}
      maxRows={10}
      classNames={{ input: styles.samples }}
      wrap="off"
      spellCheck={false}
    />
  );
}

interface SimulatedProps {
  readonly yaml: string;
  readonly lines: readonly string[];
  readonly emptyText: string;
}

function Simulated({ yaml, lines, emptyText }: SimulatedProps) {
  const { t } = useTranslation('extraction');
  const { locale } = useSettings();
  const simulation = useSimulation(yaml, lines);
  const [shown, setShown] = useState<SimulatedRow | null>(null);
  const found = simulation.data;
  if (lines.length === 0)
    return <EmptyState kind="nothing-yet" title={t('simulation.nothing')} text={emptyText} />;
  if (simulation.isError && !found)
    return <ErrorPanel error={simulation.error} onRetry={() => void simulation.refetch()} />;
  if (!found) return null;
  if (!found.ok) return <Text size="sm">{t('simulation.broken')}</Text>;
  const number = (count: number) => formatInteger(count, locale);
  return (
    <>
      <Group gap={8} role="status">
        <Text size="sm">
          {t('simulation.result', { parsed: number(found.parsed), all: number(found.rows.length) })}
        </Text>
      </Group>
      <SimulationTable simulation={found} onOpen={setShown} />
      {shown && <SimulatedRowDialog row={shown} onClose={() => setShown(null)} />}
    </>
  );
}
