import { SegmentedControl, Textarea } from '@mantine/core';
import type { Block } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BlockFrame } from './block-frame.tsx';
import { MarkdownView } from './markdown-view.tsx';
import styles from './text-block-view.module.css';
import type { WorkbookEditor } from './use-workbook-editor.ts';
import { changeBlock } from './workbook-draft.ts';

interface TextBlockViewProps {
  readonly editor: WorkbookEditor;
  readonly block: Extract<Block, { type: 'text' }>;
  readonly index: number;
}

/** Notes between the queries, written in Markdown. */
export function TextBlockView({ editor, block, index }: TextBlockViewProps) {
  const { t } = useTranslation('workbooks');
  const { markdown } = block.body;
  const [view, setView] = useState(editor.fixed || markdown !== '' ? 'preview' : 'write');
  const write = (text: string) =>
    editor.setDraft((now) =>
      changeBlock(now, block.block_id, (each) =>
        each.type === 'text' ? { ...each, body: { markdown: text } } : each,
      ),
    );
  const tools = !editor.fixed && (
    <SegmentedControl
      aria-label={t('signal.kbView')}
      data={[
        { value: 'write', label: t('signal.write') },
        { value: 'preview', label: t('signal.preview') },
      ]}
      value={view}
      onChange={setView}
    />
  );
  return (
    <BlockFrame editor={editor} block={block} index={index} title={t('block.text')} tools={tools}>
      <div className={styles.body}>
        {view === 'write' ? (
          <Textarea
            aria-label={t('block.text')}
            placeholder={t('block.textHint')}
            autosize
            minRows={3}
            value={markdown}
            onChange={(event) => write(event.currentTarget.value)}
            styles={{ input: { fontFamily: 'var(--font-mono)' } }}
          />
        ) : (
          <MarkdownView text={markdown || t('block.textEmpty')} />
        )}
      </div>
    </BlockFrame>
  );
}
