import { ActionIcon, Button, Group, Popover, ScrollArea, TextInput } from '@mantine/core';
import { IconFolder, IconFolderPlus, IconFolders, IconTrash } from '@tabler/icons-react';
import { addDirectory, type Directory, deleteDirectory, listDirectories } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../lib/use-call.ts';
import styles from './folder-tree.module.css';

interface FolderTreeProps {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly folders: readonly Directory[];
  /** Path of the chosen folder; empty: all. */
  readonly chosen: string;
  readonly onChoose: (path: string) => void;
}

const depthOf = (folder: Directory): number => folder.path.split('/').length - 1;

/** Workbooks of a folder and of all folders below it. */
function heldBy(folder: Directory, folders: readonly Directory[]): number {
  const inside = folders.filter(
    (each) => each.path === folder.path || each.path.startsWith(`${folder.path}/`),
  );
  return inside.reduce((sum, each) => sum + each.workbooks, 0);
}

/** Folders of workbooks; a folder shows what it and the folders below it hold. */
export function FolderTree({ clusterId, scopeId, folders, chosen, onChoose }: FolderTreeProps) {
  const { t } = useTranslation('workbooks');
  const remove = useCallMutation(deleteDirectory, { stale: [listDirectories] });
  const sorted = [...folders].sort((a, b) => a.path.localeCompare(b.path));
  return (
    <nav className={styles.tree} aria-label={t('folders.title')}>
      <div className={styles.head}>
        <span>{t('folders.title')}</span>
        <NewFolder clusterId={clusterId} scopeId={scopeId} parent={chosen} />
      </div>
      <ScrollArea className={styles.scroll} type="auto" scrollbarSize={8}>
        <ul className={styles.list}>
          <li className={styles.item} data-chosen={chosen === '' || undefined}>
            <button type="button" aria-current={chosen === ''} onClick={() => onChoose('')}>
              <IconFolders size={14} aria-hidden />
              <span>{t('folders.all')}</span>
            </button>
          </li>
          {sorted.map((folder) => (
            <li key={folder.path} className={styles.item} data-chosen={chosen === folder.path || undefined}>
              <button
                type="button"
                aria-current={chosen === folder.path}
                onClick={() => onChoose(folder.path)}
                style={{ paddingLeft: 8 + 14 * depthOf(folder) }}
                title={folder.path}
              >
                <IconFolder size={14} aria-hidden />
                <span>{folder.name}</span>
                <span className={styles.count}>{heldBy(folder, folders)}</span>
              </button>
              {!folder.native && heldBy(folder, folders) === 0 && (
                <ActionIcon
                  size={22}
                  aria-label={t('folders.delete', { folder: folder.path })}
                  onClick={() =>
                    remove.mutate({
                      params: { clusterId },
                      input: { scope_id: scopeId, name: folder.name, parent: folder.parent },
                    })
                  }
                >
                  <IconTrash size={13} />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      </ScrollArea>
    </nav>
  );
}

function NewFolder({
  clusterId,
  scopeId,
  parent,
}: {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly parent: string;
}) {
  const { t } = useTranslation('workbooks');
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const add = useCallMutation(addDirectory, { stale: [listDirectories] });
  const save = () =>
    add.mutate(
      { params: { clusterId }, input: { scope_id: scopeId, name: name.trim(), parent } },
      {
        onSuccess: () => {
          setOpen(false);
          setName('');
        },
      },
    );
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      withinPortal
      trapFocus
      returnFocus
      width={260}
    >
      <Popover.Target>
        <ActionIcon size={24} aria-label={t('folders.new')} onClick={() => setOpen((now) => !now)}>
          <IconFolderPlus size={15} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <TextInput
            label={t('folders.name')}
            description={parent === '' ? undefined : t('folders.inside', { folder: parent })}
            value={name}
            maxLength={80}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end" mt={8}>
            <Button type="submit" disabled={name.trim() === '' || name.includes('/')} loading={add.isPending}>
              {t('folders.create')}
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
