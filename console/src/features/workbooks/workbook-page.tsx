import {
  Autocomplete,
  Button,
  Group,
  Menu,
  Select,
  Skeleton,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconNotebook, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Block, listDirectories, STAGES } from '@tyrian/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { serverText } from '../../lib/server-text.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { callQuery } from '../../lib/use-call.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { undoLast } from '../../ui/undo-toast.tsx';
import { useUndoKey } from '../../ui/use-undo-key.ts';
import { RuleHealthPanel, ScheduleDialog } from '../detections/public.ts';
import { type BlockRunner, KqlBlockView } from './kql-block-view.tsx';
import { SaveWorkbookDialog } from './save-workbook-dialog.tsx';
import { SignalBlockView } from './signal-block-view.tsx';
import { TextBlockView } from './text-block-view.tsx';
import { useWorkbookEditor, type WorkbookEditor } from './use-workbook-editor.ts';
import { VersionPanel } from './version-panel.tsx';
import { WorkbookBanner } from './workbook-banner.tsx';
import { insertBlock, kqlBlock, signalBlock, textBlock } from './workbook-draft.ts';
import { WorkbookHeadActions } from './workbook-head-actions.tsx';
import { useWorkbookPaths, type WorkbookMode } from './workbook-links.ts';
import styles from './workbook-page.module.css';

const MODES: readonly WorkbookMode[] = ['new', 'edit', 'view', 'version', 'run'];

/** A workbook: its blocks down the page, each with its result. */
export function WorkbookPage() {
  const { type = 'edit', data = '' } = useParams();
  const mode = MODES.find((one) => one === type) ?? 'edit';
  const { editor, error, retry } = useWorkbookEditor(mode, data);
  const { t } = useTranslation('workbooks');
  if (error) {
    return (
      <PageLayout head={<PageHead icon={IconNotebook} title={t('title')} />}>
        <ErrorPanel title={t('page.failed')} error={error} onRetry={retry} />
      </PageLayout>
    );
  }
  if (!editor) {
    return (
      <PageLayout head={<PageHead icon={IconNotebook} title={t('title')} />} scrolls>
        <Skeleton height={200} maw={960} mx="auto" />
      </PageLayout>
    );
  }
  return <OpenWorkbook key={`${data} ${mode}`} editor={editor} mode={mode} />;
}

type Panel = 'versions' | 'health' | null;

function OpenWorkbook({ editor, mode }: { readonly editor: WorkbookEditor; readonly mode: WorkbookMode }) {
  const { t } = useTranslation('workbooks');
  const paths = useWorkbookPaths();
  const [params] = useSearchParams();
  const [panel, setPanel] = useState<Panel>(mode === 'version' ? 'versions' : null);
  const [dialog, setDialog] = useState<'save' | 'schedule' | null>(null);
  const runners = useRef(new Map<string, BlockRunner>());
  const { isRunning, onRunning } = useRunningBlocks();
  const { workbook, draft, isDirty } = editor;
  useUndoKey(undoLast);
  // Saving leads to the address of what was saved.
  useUnsavedWork(isDirty && dialog !== 'save');
  const runFrom = (index: number) => {
    for (const block of draft.blocks.slice(index)) runners.current.get(block.block_id)?.run();
  };
  const stopAll = () => {
    for (const runner of runners.current.values()) runner.stop();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `run` in the address runs once, when the page opens
  useEffect(() => {
    if (mode === 'run') runFrom(0);
  }, []);
  const close = () => setPanel(null);
  return (
    <PageLayout
      scrolls
      head={
        <PageHead
          icon={IconNotebook}
          title={draft.name || t('unnamed')}
          parents={[{ title: t('title'), to: paths.list }]}
          actions={
            <WorkbookHeadActions
              editor={editor}
              isRunning={isRunning}
              onRunAll={() => runFrom(0)}
              onStopAll={stopAll}
              onSave={() => setDialog('save')}
              onSchedule={() => setDialog('schedule')}
              onHealth={() => setPanel('health')}
            />
          }
        >
          {workbook && (
            <Button
              variant="default"
              size="compact-xs"
              onClick={() => setPanel('versions')}
              aria-label={t('version.open', { version: workbook.properties.version })}
            >
              v{workbook.properties.version}
            </Button>
          )}
          {isDirty && (
            <Text size="xs" c="dimmed" component="span">
              {t('head.unsaved')}
            </Text>
          )}
        </PageHead>
      }
      aside={
        workbook && panel === 'versions' ? (
          <VersionPanel
            editor={editor}
            id={workbook.ID}
            first={Number(params.get('v')) || null}
            onClose={close}
          />
        ) : workbook && panel === 'health' ? (
          <RuleHealthPanel
            clusterId={editor.clusterId}
            scopeId={editor.scopeId}
            id={workbook.ID}
            onClose={close}
          />
        ) : null
      }
    >
      <div className={styles.frame}>
        <Outline blocks={draft.blocks} />
        <div className={styles.page}>
          <WorkbookBanner editor={editor} />
          <Properties editor={editor} />
          <Blocks editor={editor} runners={runners.current} onRunning={onRunning} onRunFrom={runFrom} />
        </div>
      </div>
      {dialog === 'save' && <SaveWorkbookDialog editor={editor} onClose={() => setDialog(null)} />}
      {dialog === 'schedule' && (
        <ScheduleDialog
          clusterId={editor.clusterId}
          scopeId={editor.scopeId}
          schedule={draft.schedule}
          isFixed={editor.fixed !== null}
          onClose={() => setDialog(null)}
          onChange={(schedule) => editor.setDraft((now) => ({ ...now, schedule }))}
        />
      )}
    </PageLayout>
  );
}

/** Whether any block runs, as the blocks themselves tell. */
function useRunningBlocks() {
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set());
  const onRunning = useCallback((blockId: string, isRunning: boolean) => {
    setRunning((now) => {
      if (now.has(blockId) === isRunning) return now;
      const next = new Set(now);
      if (isRunning) next.add(blockId);
      else next.delete(blockId);
      return next;
    });
  }, []);
  return { isRunning: running.size > 0, onRunning };
}

/** Name, folder, stage, tags: what a list shows of a workbook. */
function Properties({ editor }: { readonly editor: WorkbookEditor }) {
  const { t } = useTranslation('workbooks');
  const { draft, setDraft, fixed, problems, clusterId, scopeId } = editor;
  const folders =
    useQuery(callQuery(listDirectories, { scope_id: scopeId }, { params: { clusterId }, quiet: true }))
      .data ?? [];
  const isFixed = fixed !== null;
  const errorOf = (field: string) => {
    const found = problems.find((each) => each.block_id === null && each.field === field);
    return found && serverText(found);
  };
  return (
    <div className={isFixed ? `${styles.properties} read-only` : styles.properties}>
      <TextInput
        label={t('name')}
        value={draft.name}
        required
        maxLength={200}
        readOnly={isFixed}
        error={draft.name === '' ? undefined : errorOf('name')}
        onChange={(event) => {
          const name = event.currentTarget.value;
          setDraft((now) => ({ ...now, name }));
        }}
      />
      <Autocomplete
        label={t('folder')}
        placeholder={t('folderRoot')}
        size="xs"
        data={folders.map((folder) => folder.path)}
        value={draft.directory}
        readOnly={isFixed}
        onChange={(directory) => setDraft((now) => ({ ...now, directory }))}
      />
      <Select
        label={t('stage')}
        data={STAGES.map((stage) => ({ value: stage, label: t(`stages.${stage}`) }))}
        value={draft.stage}
        allowDeselect={false}
        readOnly={isFixed}
        onChange={(choice) =>
          setDraft((now) => ({ ...now, stage: STAGES.find((stage) => stage === choice) ?? now.stage }))
        }
      />
      <Textarea
        autosize
        minRows={1}
        maxRows={4}
        className={styles.wide}
        label={t('description')}
        value={draft.description}
        readOnly={isFixed}
        onChange={(event) => {
          const description = event.currentTarget.value;
          setDraft((now) => ({ ...now, description }));
        }}
      />
    </div>
  );
}

function Outline({ blocks }: { readonly blocks: readonly Block[] }) {
  const { t } = useTranslation('workbooks');
  const show = (id: string) =>
    document.getElementById(`block-${id}`)?.scrollIntoView({ block: 'start', behavior: 'smooth' });
  const name = (block: Block) =>
    block.type === 'signal' ? block.body.name || t('block.signal') : t(`block.${block.type}`);
  return (
    <nav className={styles.outline} aria-label={t('page.outline')}>
      <ol>
        {blocks.map((block) => (
          <li key={block.block_id}>
            <button type="button" onClick={() => show(block.block_id)} title={name(block)}>
              {name(block)}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface BlocksProps {
  readonly editor: WorkbookEditor;
  readonly runners: Map<string, BlockRunner>;
  readonly onRunning: (blockId: string, isRunning: boolean) => void;
  readonly onRunFrom: (index: number) => void;
}

function Blocks({ editor, runners, onRunning, onRunFrom }: BlocksProps) {
  const { t } = useTranslation('workbooks');
  const { blocks } = editor.draft;
  const keep = (id: string) => (runner: BlockRunner | null) => {
    if (runner) runners.set(id, runner);
    else runners.delete(id);
  };
  return (
    <>
      {blocks.length === 0 && <EmptyState kind="nothing-yet" title={t('page.noBlocks')} />}
      {blocks.map((block, index) => (
        <div key={block.block_id}>
          {block.type === 'kql' && (
            <KqlBlockView
              {...{ editor, block, index, onRunning }}
              runner={keep(block.block_id)}
              onRunFrom={() => onRunFrom(index)}
            />
          )}
          {block.type === 'signal' && <SignalBlockView editor={editor} block={block} index={index} />}
          {block.type === 'text' && <TextBlockView editor={editor} block={block} index={index} />}
          <AddBlock editor={editor} at={index + 1} isLast={index === blocks.length - 1} />
        </div>
      ))}
      {blocks.length === 0 && <AddBlock editor={editor} at={0} isLast />}
    </>
  );
}

function AddBlock({
  editor,
  at,
  isLast,
}: {
  readonly editor: WorkbookEditor;
  readonly at: number;
  readonly isLast: boolean;
}) {
  const { t } = useTranslation('workbooks');
  if (editor.fixed) return <div className={styles.gap} />;
  const add = (block: Block) => editor.setDraft((now) => insertBlock(now, at, block));
  return (
    <Group justify="center" className={styles.add} data-last={isLast || undefined}>
      <Menu withinPortal>
        <Menu.Target>
          <Button variant="default" size="compact-xs" leftSection={<IconPlus size={12} />}>
            {t('block.add')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => add(kqlBlock())}>{t('block.kql')}</Menu.Item>
          <Menu.Item onClick={() => add(signalBlock(editor.draft.name))}>{t('block.signal')}</Menu.Item>
          <Menu.Item onClick={() => add(textBlock())}>{t('block.text')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
