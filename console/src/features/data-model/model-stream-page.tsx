import { Button } from '@mantine/core';
import { IconPlus, IconSchema } from '@tabler/icons-react';
import type { ModelField } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useScope } from '../../lib/session-store.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { FieldTable } from './field-table.tsx';
import { FieldDialog, type FieldDraft, newField } from './model-dialogs.tsx';
import { useDataModel } from './use-data-model.ts';

/** One stream: the fields that were added to it. For content managers. */
export function ModelStreamPage() {
  const { t } = useTranslation('data-model');
  const { clusterId, scopeId } = useScope();
  const { stream = '' } = useParams();
  const [draft, setDraft] = useState<FieldDraft | null>(null);
  const model = useDataModel();
  const isThere = model.data?.streams.some(({ name }) => name === stream) ?? true;
  const add = (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setDraft(newField(stream))}>
      {t('addField')}
    </Button>
  );
  const edit = (field: ModelField) => setDraft({ ...field, is_new: false });
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconSchema}
          title={stream}
          parents={[
            { title: t('title'), to: `/${clusterId}/${scopeId}/system/streamfieldaddition?part=streams` },
          ]}
          actions={isThere ? add : null}
        />
      }
    >
      {isThere ? (
        <FieldTable
          rows={model.data?.fields.filter((field) => field.stream === stream)}
          isOfStream
          mayChange
          onEdit={edit}
          failed={
            model.isLoadingError ? (
              <ErrorPanel error={model.error} onRetry={() => void model.refetch()} />
            ) : null
          }
          empty={
            <EmptyState kind="nothing-yet" title={t('noFields')} text={t('noFieldsText')}>
              {add}
            </EmptyState>
          }
        />
      ) : (
        <EmptyState kind="nothing-yet" title={t('noStream', { name: stream })} />
      )}
      {draft && <FieldDialog draft={draft} onClose={() => setDraft(null)} />}
    </PageLayout>
  );
}
