import { Button } from '@mantine/core';
import { IconEyeOff, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { listSuppressionRules, type SuppressionRule } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ListPanel } from '../../ui/list-frame.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { SuppressedList } from './suppressed-list.tsx';
import { draftOfRule, EMPTY_DRAFT, SuppressionDialog, type SuppressionDraft } from './suppression-dialog.tsx';
import { conditionText } from './suppression-words.ts';
import { useSuppressionColumns } from './use-suppression-columns.tsx';

const DAY_MS = 86_400_000;

/** Rules that keep signals out of the queue, with their hits; and what they kept out of it. */
export function SuppressionPage() {
  const { t } = useTranslation('suppression');
  const [range] = useState(() => ({ start: Date.now() - 30 * DAY_MS, end: Date.now() + DAY_MS }));
  const [draft, setDraft] = useState<SuppressionDraft | null>(null);
  const [shownRule, setShownRule] = useAddressParam('rule');
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconEyeOff}
          title={t('title')}
          actions={
            <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setDraft(EMPTY_DRAFT)}>
              {t('add')}
            </Button>
          }
        />
      }
    >
      <PageTabs
        tabs={[
          { name: 'rules', label: t('rules'), fills: true, panel: <RuleList onEdit={setDraft} /> },
          {
            name: 'signals',
            label: t('suppressed'),
            fills: true,
            panel: (
              <SuppressedList
                {...range}
                {...(shownRule === '' ? {} : { ruleId: shownRule, onAllRules: () => setShownRule('') })}
              />
            ),
          },
        ]}
      />
      {draft && <SuppressionDialog draft={draft} onClose={() => setDraft(null)} />}
    </PageLayout>
  );
}

function RuleList({ onEdit }: { readonly onEdit: (draft: SuppressionDraft) => void }) {
  const { t } = useTranslation('suppression');
  const { clusterId, scopeId } = useScope();
  const [query, setQuery] = useAddressParam('q');
  const all = useQuery(
    callQuery(
      listSuppressionRules,
      { scope_id: scopeId },
      { params: { clusterId }, quiet: true, keep: true, every: 60_000 },
    ),
  );
  const edit = (rule: SuppressionRule) => onEdit(draftOfRule(rule));
  const columns = useSuppressionColumns(edit);
  const text = query.trim().toLowerCase();
  const rows = all.data?.data.filter((rule) =>
    [
      rule.workbook_name,
      rule.reason,
      rule.modified_by,
      ...rule.conditions.map((one) => conditionText(t, one)),
    ]
      .join(' ')
      .toLowerCase()
      .includes(text),
  );
  return (
    <ListPanel
      title={t('rules')}
      name="suppression"
      list={{
        data: rows && { data: rows, total_count: rows.length },
        isPlaceholderData: all.isPlaceholderData,
        isLoadingError: all.isLoadingError,
        error: all.error,
        refetch: () => all.refetch(),
      }}
      columns={columns}
      rowId={(rule) => rule.rule_id}
      onOpen={edit}
      query={query}
      onQuery={setQuery}
      searchLabel={t('search')}
      emptyTitle={t('none')}
      emptyText={t('noneText')}
      noMatch={t('noMatch')}
    />
  );
}
