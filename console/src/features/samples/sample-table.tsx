import { Button, Group, Table, Text } from '@mantine/core';
import { IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react';
import {
  type KeptSample,
  provesRule,
  type RuleSample,
  SAMPLE_LIMITS,
  type SampleReport,
  type SampleResult,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverText } from '../../lib/server-text.ts';
import { askToConfirm } from '../../ui/confirm-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { SampleDialog } from './sample-dialog.tsx';
import { expectKey, outcomeKey, SAMPLE_TONES } from './sample-words.ts';

interface SampleTableProps {
  readonly samples: readonly KeptSample[];
  readonly report: SampleReport;
  readonly mayChange: boolean;
  /** Whether somebody may run them. */
  readonly mayRun: boolean;
  readonly isBusy: boolean;
  /** With the own samples as they are to be. */
  readonly onChange: (own: RuleSample[]) => void;
  readonly onRun: () => void;
}

const plain = ({ name, expect, events }: RuleSample): RuleSample => ({ name, expect, events });

/** The samples of a rule with what came of each, and the buttons that add, change and run them. */
export function SampleTable(props: SampleTableProps) {
  const { samples, report, mayChange, onChange } = props;
  const { t } = useTranslation('samples');
  /** The name of the sample that is open; null: a new one. */
  const [open, setOpen] = useState<{ readonly name: string | null } | null>(null);
  const own = samples.filter(({ origin }) => origin === 'own').map(plain);
  const opened = samples.find(({ name }) => name === open?.name) ?? null;
  const remove = (name: string) =>
    askToConfirm({
      title: t('remove.title', { name }),
      consequence: t('remove.text'),
      confirmLabel: t('remove.button'),
      onConfirm: () => onChange(own.filter((one) => one.name !== name)),
    });
  const save = (sample: RuleSample) => {
    onChange(opened ? own.map((one) => (one.name === opened.name ? sample : one)) : [...own, sample]);
    setOpen(null);
  };
  return (
    <>
      <Head {...props} onAdd={() => setOpen({ name: null })} />
      {samples.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t(mayChange ? 'none' : 'noneHere')}
        </Text>
      ) : (
        <Rows
          samples={samples}
          results={report.results}
          mayChange={mayChange}
          onOpen={(name) => setOpen({ name })}
          onRemove={remove}
        />
      )}
      {open && (
        <SampleDialog
          sample={opened}
          taken={samples.filter((one) => one !== opened).map(({ name }) => name)}
          isFixed={!mayChange || opened?.origin === 'pack'}
          onSave={save}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

type HeadProps = SampleTableProps & { readonly onAdd: () => void };

/** The state of all, when they ran, and what to do with them. */
function Head({ samples, report, mayChange, mayRun, isBusy, onRun, onAdd }: HeadProps) {
  const { t } = useTranslation('samples');
  const isOneSided =
    report.state === 'failed' && report.results.every(({ passed }) => passed) && !provesRule(report.results);
  return (
    <>
      <Group gap={8}>
        <StateMark tone={SAMPLE_TONES[report.state]} label={t(`states.${report.state}`)} />
        {report.tested !== null && (
          <Text size="xs" c="dimmed" component="span">
            <TimeStamp time={report.tested} form="seconds" />
          </Text>
        )}
        {mayRun && samples.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlayerPlay size={14} aria-hidden />}
            loading={isBusy}
            onClick={onRun}
          >
            {t('run')}
          </Button>
        )}
        {mayChange && samples.length < SAMPLE_LIMITS.samples && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={isBusy}
            onClick={onAdd}
          >
            {t('add')}
          </Button>
        )}
      </Group>
      {isOneSided && <Text size="sm">{t('oneSided')}</Text>}
    </>
  );
}

interface RowsProps {
  readonly samples: readonly KeptSample[];
  readonly results: readonly SampleResult[];
  readonly mayChange: boolean;
  readonly onOpen: (name: string) => void;
  readonly onRemove: (name: string) => void;
}

function Rows({ samples, results, mayChange, onOpen, onRemove }: RowsProps) {
  const { t } = useTranslation('samples');
  const byName = new Map(results.map((result) => [result.name, result]));
  return (
    <WideTable label={t('title')} minWidth={560}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('columns.name')}</Table.Th>
          <Table.Th>{t('columns.expect')}</Table.Th>
          <Table.Th>{t('columns.outcome')}</Table.Th>
          <Table.Th ta="right">{t('columns.events')}</Table.Th>
          <Table.Th>{t('columns.origin')}</Table.Th>
          <Table.Th aria-label={t('columns.acts')} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {samples.map(({ name, expect, events, origin }) => (
          <Table.Tr key={name}>
            <Table.Td>
              <Button variant="transparent" size="compact-sm" p={0} onClick={() => onOpen(name)}>
                {name}
              </Button>
            </Table.Td>
            <Table.Td>{t(expectKey(expect))}</Table.Td>
            <Table.Td>
              <Outcome result={byName.get(name)} />
            </Table.Td>
            <Table.Td ta="right">{events.length}</Table.Td>
            <Table.Td>{t(`origins.${origin}`)}</Table.Td>
            <Table.Td ta="right">
              {mayChange && origin === 'own' && (
                <IconButton label={t('remove.label', { name })} onClick={() => onRemove(name)}>
                  <IconTrash size={15} />
                </IconButton>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

function Outcome({ result }: { readonly result: SampleResult | undefined }) {
  const { t } = useTranslation('samples');
  if (!result) return <StateMark tone="quiet" label={t('states.untested')} />;
  const label = result.problem ? serverText(result.problem) : t(outcomeKey(result));
  return <StateMark tone={result.passed ? 'good' : 'bad'} label={label} />;
}
