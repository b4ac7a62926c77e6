import { Badge, Group, Switch, Text, Tooltip } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconArrowBackUp, IconEye, IconPencil, IconTrash } from '@tabler/icons-react';
import {
  listSuppressedSignals,
  listSuppressionRules,
  removeSuppressionRule,
  type SuppressionRule,
  switchSuppressionRule,
} from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { askToConfirm } from '../../ui/confirm-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { AuthorAndTime, TimeStamp } from '../../ui/time-stamp.tsx';
import { conditionText, ruleSentence, stateOf } from './suppression-words.ts';
import { useRestore } from './use-restore.ts';

type Columns = readonly DataColumn<SuppressionRule>[];
type T = TFunction<'suppression'>;

interface Acts {
  readonly show: (rule: SuppressionRule) => void;
  readonly edit: (rule: SuppressionRule) => void;
  readonly setEnabled: (rule: SuppressionRule, enabled: boolean) => void;
  readonly remove: (rule: SuppressionRule) => void;
  readonly restore: (rule: SuppressionRule) => void;
}

/** The columns of the list of suppression rules, with what can be done to one. */
export function useSuppressionColumns(edit: Acts['edit']): Columns {
  const { t } = useTranslation('suppression');
  const { locale } = useSettings();
  const { clusterId, scopeId } = useScope();
  const stale = [listSuppressionRules, listSuppressedSignals];
  const { mutate: switchOne } = useCallMutation(switchSuppressionRule, { stale });
  const { mutate: removeOne } = useCallMutation(removeSuppressionRule, { stale });
  const restore = useRestore();
  return useMemo(() => {
    const call = (rule: SuppressionRule) => ({
      params: { clusterId },
      input: { scope_id: scopeId, rule_id: rule.rule_id },
    });
    const acts: Acts = {
      edit,
      restore,
      show: (rule) =>
        modals.open({
          title: rule.workbook_name,
          children: <Text size="sm">{ruleSentence(t, rule)}</Text>,
        }),
      setEnabled: (rule, enabled) => {
        const { params, input } = call(rule);
        switchOne({ params, input: { ...input, enabled } });
      },
      remove: (rule) =>
        askToConfirm({
          title: t('removeTitle', { workbook: rule.workbook_name }),
          consequence: t('removeText'),
          confirmLabel: t('remove'),
          onConfirm: () => removeOne(call(rule), { onSuccess: () => notify('done', t('removed')) }),
        }),
    };
    return [
      switchColumn(t, acts),
      ...contentColumns(t),
      ...figureColumns(t, (count) => formatInteger(count, locale)),
      actsColumn(t, acts),
    ];
  }, [t, locale, clusterId, scopeId, edit, restore, switchOne, removeOne]);
}

const switchColumn = (t: T, acts: Acts): DataColumn<SuppressionRule> => ({
  id: 'enabled',
  header: t('columns.enabled'),
  width: 70,
  cell: (rule) => (
    <Switch
      size="xs"
      aria-label={t('switch', { workbook: rule.workbook_name })}
      checked={rule.enabled}
      onClick={(event) => event.stopPropagation()}
      onChange={(event) => acts.setEnabled(rule, event.currentTarget.checked)}
    />
  ),
});

const contentColumns = (t: T): Columns => [
  {
    id: 'workbook',
    header: t('columns.workbook'),
    width: 230,
    value: (rule) => rule.workbook_name,
  },
  {
    id: 'conditions',
    header: t('columns.conditions'),
    width: 360,
    grows: true,
    cell: (rule) => (
      <Tooltip label={ruleSentence(t, rule)} multiline maw={480}>
        <Group gap={4} wrap="nowrap">
          {rule.conditions.map((one) => (
            <Badge key={`${one.role} ${one.type}`} variant="default" tt="none" fw={500}>
              {conditionText(t, one)}
            </Badge>
          ))}
        </Group>
      </Tooltip>
    ),
  },
  { id: 'reason', header: t('columns.reason'), width: 220, value: (rule) => rule.reason },
  {
    id: 'state',
    header: t('columns.expires'),
    width: 170,
    value: (rule) => rule.expires ?? Number.MAX_SAFE_INTEGER,
    cell: (rule) => <Expiry rule={rule} />,
  },
];

function Expiry({ rule }: { readonly rule: SuppressionRule }) {
  const { t } = useTranslation('suppression');
  if (stateOf(rule, Date.now()) === 'expired') return <StateMark tone="warn" label={t('expired')} />;
  if (rule.expires === null) return <Text size="sm">{t('never')}</Text>;
  return <TimeStamp time={rule.expires} />;
}

const figureColumns = (t: T, number: (count: number) => string): Columns => [
  {
    id: 'hits',
    header: t('columns.hits'),
    width: 110,
    align: 'right',
    value: (rule) => rule.hits_30d,
    cell: (rule) => number(rule.hits_30d),
  },
  {
    id: 'last',
    header: t('columns.lastHit'),
    width: 165,
    value: (rule) => rule.last_hit ?? 0,
    cell: (rule) => (rule.last_hit === null ? '–' : <TimeStamp time={rule.last_hit} form="seconds" />),
  },
  {
    id: 'modified',
    header: t('columns.modified'),
    width: 260,
    value: (rule) => rule.modified,
    cell: (rule) => <AuthorAndTime author={rule.modified_by} time={rule.modified} />,
  },
];

const actsColumn = (t: T, acts: Acts): DataColumn<SuppressionRule> => ({
  id: 'acts',
  header: t('columns.acts'),
  width: 130,
  cell: (rule) => {
    const act = (label: string, Icon: typeof IconEye, work: (rule: SuppressionRule) => void) => (
      <IconButton
        label={label}
        size={24}
        onClick={(event) => {
          // The row itself opens the rule.
          event.stopPropagation();
          work(rule);
        }}
      >
        <Icon size={15} />
      </IconButton>
    );
    return (
      <Group gap={2} wrap="nowrap">
        {act(t('show'), IconEye, acts.show)}
        {act(t('edit'), IconPencil, acts.edit)}
        {act(t('restore'), IconArrowBackUp, acts.restore)}
        {act(t('remove'), IconTrash, acts.remove)}
      </Group>
    );
  },
});
