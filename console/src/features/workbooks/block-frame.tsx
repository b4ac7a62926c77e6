import { ActionIcon, Menu } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconChevronRight,
  IconDots,
  IconTrash,
} from '@tabler/icons-react';
import type { Block } from '@tyrian/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { showUndo } from '../../ui/undo-toast.tsx';
import styles from './block-frame.module.css';
import type { WorkbookEditor } from './use-workbook-editor.ts';
import { changeBlock, moveBlock, removeBlock } from './workbook-draft.ts';

interface BlockFrameProps {
  readonly editor: WorkbookEditor;
  readonly block: Block;
  readonly index: number;
  readonly title: string;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** What every block has: its title, collapse, move, delete with undo. */
export function BlockFrame({ editor, block, index, title, tools, children }: BlockFrameProps) {
  const { t } = useTranslation('workbooks');
  const { setDraft, fixed, draft } = editor;
  const id = block.block_id;
  const Chevron = block.collapsed ? IconChevronRight : IconChevronDown;
  const remove = () => {
    const before = draft;
    setDraft((now) => removeBlock(now, id));
    showUndo(t('block.removed'), () => setDraft(() => before));
  };
  return (
    <section className={styles.block} id={`block-${id}`} aria-label={title}>
      <header className={styles.head}>
        <ActionIcon
          size={22}
          aria-label={t(block.collapsed ? 'block.expand' : 'block.collapse')}
          aria-expanded={!block.collapsed}
          onClick={() =>
            setDraft((now) => changeBlock(now, id, (each) => ({ ...each, collapsed: !each.collapsed })))
          }
        >
          <Chevron size={14} />
        </ActionIcon>
        <h2 className={styles.title}>{title}</h2>
        <div className={styles.tools}>
          {tools}
          {!fixed && (
            <Menu position="bottom-end" withinPortal>
              <Menu.Target>
                <ActionIcon size={24} aria-label={t('block.more')}>
                  <IconDots size={15} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  leftSection={<IconArrowUp size={14} />}
                  disabled={index === 0}
                  onClick={() => setDraft((now) => moveBlock(now, index, -1))}
                >
                  {t('block.up')}
                </Menu.Item>
                <Menu.Item
                  leftSection={<IconArrowDown size={14} />}
                  disabled={index === draft.blocks.length - 1}
                  onClick={() => setDraft((now) => moveBlock(now, index, 1))}
                >
                  {t('block.down')}
                </Menu.Item>
                <Menu.Item leftSection={<IconTrash size={14} />} onClick={remove}>
                  {t('block.remove')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </div>
      </header>
      {!block.collapsed && children}
    </section>
  );
}
