import { Checkbox, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  beginReparse,
  estimateReparse,
  listReparses,
  listUnparsedSources,
  REPARSE_WHICH,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { formatBytes, formatInteger } from '../../lib/format-number.ts';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { lastRange, resolveRange, type TimeRange } from '../../lib/time-range.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TimeRangePicker } from '../../ui/time-range-picker.tsx';
import { useExtractionPaths } from './extraction-paths.ts';

interface ReparseDialogProps {
  readonly source?: string;
  readonly onClose: () => void;
}

type Which = (typeof REPARSE_WHICH)[number];

/** What a run would read, said before it begins. */
function useWanted(source: string | null, which: Which, range: TimeRange) {
  const { clusterId, scopeId } = useScope();
  const { timeZone } = useSettings();
  const [now] = useState(() => Date.now());
  const resolved = resolveRange(range, now, timeZone) ?? { from: now - 1, to: now };
  const input = {
    ...{ scope_id: scopeId, which, start: resolved.from, end: resolved.to },
    ...(source === null ? {} : { source }),
  };
  const estimate = useQuery(
    callQuery(estimateReparse, input, { params: { clusterId }, quiet: true, keep: true }),
  );
  return { input, estimate };
}

/** What the form holds, and what it comes to. */
function useReparseForm(first: string | undefined, onClose: () => void) {
  const { t } = useTranslation('extraction');
  const { clusterId } = useScope();
  const navigate = useNavigate();
  const paths = useExtractionPaths();
  const [source, setSource] = useState<string | null>(first ?? null);
  const [which, setWhich] = useState<Which>('unparsed');
  const [range, setRange] = useState<TimeRange>(() => lastRange('24h'));
  const [withDetections, setWithDetections] = useState(false);
  const { input, estimate } = useWanted(source, which, range);
  const begin = useCallMutation(beginReparse, { stale: [listReparses], quiet: true });
  const submit = () =>
    begin.mutate(
      { params: { clusterId }, input: { ...input, with_detections: withDetections } },
      {
        onSuccess: () => {
          notify('done', t('reparse.begun'));
          onClose();
          void navigate(paths.runs);
        },
      },
    );
  return {
    ...{ source, setSource, which, setWhich, range, setRange, withDetections, setWithDetections },
    ...{ found: estimate.data, begin, submit },
  };
}

/** Asks which stored events are to be read again, says how many these are, and begins. */
export function ReparseDialog({ source, onClose }: ReparseDialogProps) {
  const { t } = useTranslation('extraction');
  const form = useReparseForm(source, onClose);
  const { found, begin } = form;
  return (
    <FormDialog
      title={t('reparse.title')}
      submitLabel={t('reparse.start')}
      isBusy={begin.isPending}
      isReady={found !== undefined && found.events > 0 && found.events <= found.most}
      error={begin.error}
      onClose={onClose}
      onSubmit={form.submit}
    >
      <Text size="sm">{t('reparse.text')}</Text>
      <SourceSelect source={form.source} onChange={form.setSource} />
      <Select
        label={t('reparse.which')}
        data={REPARSE_WHICH.map((value) => ({ value, label: t(`reparse.whichOf.${value}`) }))}
        value={form.which}
        allowDeselect={false}
        onChange={(next) => form.setWhich(next === 'all' ? 'all' : 'unparsed')}
      />
      <div>
        <Text size="sm" fw={500} mb={2}>
          {t('reparse.range')}
        </Text>
        <TimeRangePicker value={form.range} onChange={form.setRange} />
      </div>
      <Checkbox
        label={t('reparse.withDetections')}
        description={t('reparse.withDetectionsText')}
        checked={form.withDetections}
        onChange={(event) => form.setWithDetections(event.currentTarget.checked)}
      />
      <Estimate found={found} />
    </FormDialog>
  );
}

function Estimate({ found }: { readonly found: ReturnType<typeof useWanted>['estimate']['data'] }) {
  const { t } = useTranslation('extraction');
  const { locale } = useSettings();
  const number = (count: number) => formatInteger(count, locale);
  if (!found) return <Text size="sm">{t('reparse.counting')}</Text>;
  if (found.events === 0) return <Text size="sm">{t('reparse.nothing')}</Text>;
  const values = { events: number(found.events), most: number(found.most) };
  if (found.events > found.most)
    return (
      <Text size="sm" c="var(--bad)">
        {t('reparse.tooMany', values)}
      </Text>
    );
  return (
    <Text size="sm" fw={500} role="status">
      {t('reparse.estimate', { ...values, bytes: formatBytes(found.bytes) })}
    </Text>
  );
}

interface SourceSelectProps {
  readonly source: string | null;
  readonly onChange: (source: string | null) => void;
}

function SourceSelect({ source, onChange }: SourceSelectProps) {
  const { t } = useTranslation('extraction');
  const { clusterId, scopeId } = useScope();
  const known = useQuery(
    callQuery(listUnparsedSources, { scope_id: scopeId }, { params: { clusterId }, quiet: true }),
  );
  const names = new Set([
    ...(source === null ? [] : [source]),
    ...(known.data ?? []).map((one) => one.source),
  ]);
  return (
    <Select
      label={t('reparse.source')}
      placeholder={t('reparse.allSources')}
      data={[...names]}
      value={source}
      onChange={onChange}
      searchable
      clearable
      data-autofocus
    />
  );
}
