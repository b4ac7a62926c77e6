import { Code, Loader, Modal, Tabs } from '@mantine/core';
import { IconBinaryTree } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { explainSearch } from '@tyrian/contract';
import type { BoundStage } from '@tyrian/kql';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callQuery } from '../../lib/use-call.ts';
import { askKqlWorker } from '../../query-kit/editor/kql-worker-client.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { SearchPageState } from './use-search-page.ts';

const STAGES = ['bound', 'columns', 'unscoped', 'scoped', 'sql', 'params', 'engine'] as const;

/** Shows what a query becomes, stage by stage, down to the SQL. It reads no event and changes nothing. */
export function PlanButton({
  page,
  query,
}: {
  readonly page: SearchPageState;
  readonly query: () => string;
}) {
  const { t } = useTranslation('search');
  const [shown, setShown] = useState<string | null>(null);
  return (
    <>
      <IconButton
        label={t('plan.button')}
        onClick={() => setShown(query())}
        disabled={page.draft.trim() === ''}
      >
        <IconBinaryTree size={16} />
      </IconButton>
      <Modal
        opened={shown !== null}
        onClose={() => setShown(null)}
        title={t('plan.title')}
        size={960}
        closeButtonProps={{ 'aria-label': t('ui:close') }}
      >
        {shown !== null && <Stages page={page} query={shown} />}
      </Modal>
    </>
  );
}

function Stages({ page, query }: { readonly page: SearchPageState; readonly query: string }) {
  const { t } = useTranslation('search');
  const { clusterId, scopeId, link, zone } = page;
  const input = { scope_id: scopeId, query, from: link.from, to: link.to, query_timezone: zone };
  const answer = useQuery({
    ...callQuery(explainSearch, input, { params: { clusterId }, quiet: true }),
    retry: false,
  });
  const bound = useQuery({
    queryKey: ['kql bound', query],
    queryFn: () => askKqlWorker({ kind: 'bound', text: query }),
    retry: false,
    meta: { quiet: true },
  });
  if (answer.isError) return <ErrorPanel title={t('plan.failed')} error={answer.error} />;
  if (!answer.data) return <Loader size="sm" aria-label={t('plan.title')} />;
  const { columns, unscoped_plan, plan, sql, params, engine_plan } = answer.data;
  const texts: Readonly<Record<(typeof STAGES)[number], string>> = {
    bound: boundText(bound.data ?? [], (count) => t('plan.boundTo', { count })),
    columns: columns.map(({ name, type }) => `${name}: ${type}`).join('\n'),
    unscoped: JSON.stringify(unscoped_plan, null, 2),
    scoped: JSON.stringify(plan, null, 2),
    sql,
    params: JSON.stringify(params, null, 2),
    engine: engine_plan,
  };
  return (
    <Tabs defaultValue="sql">
      <Tabs.List>
        {STAGES.map((stage) => (
          <Tabs.Tab key={stage} value={stage}>
            {t(`plan.${stage}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {STAGES.map((stage) => (
        <Tabs.Panel key={stage} value={stage} pt={8}>
          <CopyButton value={texts[stage]} label={t('plan.copy')} />
          <Code block mt={8} mah="60vh" style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }} tabIndex={0}>
            {texts[stage]}
          </Code>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

const MAX_NAMED = 12;

/** Every step as it is bound, and behind it the columns that it gives. */
function boundText(stages: readonly BoundStage[], count: (columns: number) => string): string {
  return stages
    .map(({ text, columns }, index) => {
      const step = index === 0 ? text : `| ${text}`;
      if (columns === null) return step;
      const named = columns.slice(0, MAX_NAMED).map(({ name, type }) => `${name}: ${type}`);
      const rest = columns.length > MAX_NAMED ? ', …' : '';
      return `${step}\n    // ${count(columns.length)}: ${named.join(', ')}${rest}`;
    })
    .join('\n');
}
