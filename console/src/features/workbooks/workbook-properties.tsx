import { Select, Textarea, TextInput } from '@mantine/core';
import { STAGES, type WorkbookDraft } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { serverText } from '../../lib/server-text.ts';
import { FolderInput } from './folder-input.tsx';
import type { WorkbookEditor } from './use-workbook-editor.ts';
import styles from './workbook-page.module.css';

/** Name, folder, stage, description: what a list shows of a workbook. */
export function WorkbookProperties({ editor }: { readonly editor: WorkbookEditor }) {
  const { t } = useTranslation('workbooks');
  const { draft, setDraft, fixed, problems } = editor;
  const isFixed = fixed !== null;
  const change = (part: Partial<WorkbookDraft>) => setDraft((now) => ({ ...now, ...part }));
  const wrongName = problems.find((each) => each.block_id === null && each.field === 'name');
  return (
    <div className={isFixed ? `${styles.properties} read-only` : styles.properties}>
      <TextInput
        label={t('name')}
        value={draft.name}
        required
        maxLength={200}
        readOnly={isFixed}
        error={draft.name !== '' && wrongName ? serverText(wrongName) : undefined}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <FolderInput
        value={draft.directory}
        readOnly={isFixed}
        onChange={(directory) => change({ directory })}
      />
      <Select
        label={t('stage')}
        data={STAGES.map((stage) => ({ value: stage, label: t(`stages.${stage}`) }))}
        value={draft.stage}
        allowDeselect={false}
        readOnly={isFixed}
        onChange={(stage) => stage && change({ stage })}
      />
      <Textarea
        autosize
        minRows={1}
        maxRows={4}
        className={styles.wide}
        label={t('description')}
        value={draft.description}
        readOnly={isFixed}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
    </div>
  );
}
