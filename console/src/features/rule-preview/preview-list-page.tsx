import { Button, SegmentedControl } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { listRulePreviews, PREVIEW_KINDS, PREVIEW_LIMITS } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { usePreviewPaths } from './preview-words.ts';
import { usePreviewColumns } from './use-preview-columns.tsx';

/** The previews and retro-hunts of the scope that are kept: who asked for them, and what they found. */
export function PreviewListPage() {
  const { t } = useTranslation('rule-preview');
  const { locale } = useSettings();
  const navigate = useNavigate();
  const paths = usePreviewPaths();
  const { list, isFiltered } = usePreviewList();
  const columns = usePreviewColumns();
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconHistory}
          title={t('title')}
          parents={[{ title: t('rules'), to: paths.rules }]}
          {...(list.data ? { count: formatInteger(list.data.total_count, locale) } : {})}
        />
      }
      filters={<Filters />}
    >
      <DataTable
        label={t('title')}
        rows={list.data?.data}
        columns={columns}
        rowId={(one) => one.preview_id}
        isRefetching={list.isPlaceholderData}
        onOpen={(one) => void navigate(paths.page(one.preview_id))}
        storageName="rule-previews"
        failed={
          list.isLoadingError ? (
            <ErrorPanel title={t('listFailed')} error={list.error} onRetry={() => void list.refetch()} />
          ) : undefined
        }
        empty={
          isFiltered ? (
            <EmptyState kind="filtered-out" title={t('noMatch')} />
          ) : (
            <EmptyState kind="nothing-yet" title={t('none')} text={t('noneText')} />
          )
        }
      />
    </PageLayout>
  );
}

/** The previews that the address asks for. */
function usePreviewList() {
  const { clusterId, scopeId } = useScope();
  const [ruleId] = useAddressParam('rule');
  const [kindName] = useAddressParam('kind');
  const kind = PREVIEW_KINDS.find((one) => one === kindName);
  const filter = { ...(ruleId ? { rule_id: ruleId } : {}), ...(kind ? { kind } : {}) };
  const list = useQuery(
    callQuery(
      listRulePreviews,
      { scope_id: scopeId, pagesize: PREVIEW_LIMITS.kept, ...filter },
      { params: { clusterId }, quiet: true, keep: true, every: 5_000 },
    ),
  );
  return { list, isFiltered: ruleId !== '' || kind !== undefined };
}

function Filters() {
  const { t } = useTranslation('rule-preview');
  const [ruleId, setRuleId] = useAddressParam('rule');
  const [kind, setKind] = useAddressParam('kind');
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={t('columns.kind')}
        value={PREVIEW_KINDS.find((one) => one === kind) ?? ''}
        onChange={setKind}
        data={[
          { value: '', label: t('kinds.all') },
          ...PREVIEW_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) })),
        ]}
      />
      {ruleId !== '' && (
        <Button size="compact-sm" variant="default" onClick={() => setRuleId('')}>
          {t('allRules')}
        </Button>
      )}
    </>
  );
}
