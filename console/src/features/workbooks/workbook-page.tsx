import { Button, Group, Menu, Skeleton, Text } from '@mantine/core';
import { IconNotebook, IconPlus } from '@tabler/icons-react';
import type { Block } from '@tyrian/contract';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { undoLast } from '../../ui/undo-toast.tsx';
import { useUndoKey } from '../../ui/use-undo-key.ts';
import { WorkbookAttackPanel } from '../attack/public.ts';
import { RuleHealthPanel, ScheduleDialog } from '../detections/public.ts';
import { type BlockRunner, KqlBlockView } from './kql-block-view.tsx';
import { SamplesSection } from './samples-section.tsx';
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
import { WorkbookProperties } from './workbook-properties.tsx';

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

type Panel = 'versions' | 'health' | 'attack' | null;

interface OpenWorkbookProps {
  readonly editor: WorkbookEditor;
  readonly mode: WorkbookMode;
}

function OpenWorkbook({ editor, mode }: OpenWorkbookProps) {
  const [panel, setPanel] = useState<Panel>(mode === 'version' ? 'versions' : null);
  const [dialog, setDialog] = useState<'save' | 'schedule' | null>(null);
  const { runners, isRunning, onRunning, runFrom, stopAll } = useRunners(editor, mode === 'run');
  useUndoKey(undoLast);
  // Saving leads to the address of what was saved.
  useUnsavedWork(editor.isDirty && dialog !== 'save');
  return (
    <PageLayout
      scrolls
      head={
        <Head editor={editor} onVersions={() => setPanel('versions')}>
          <WorkbookHeadActions
            editor={editor}
            isRunning={isRunning}
            onRunAll={() => runFrom(0)}
            onStopAll={stopAll}
            onSave={() => setDialog('save')}
            onSchedule={() => setDialog('schedule')}
            onHealth={() => setPanel('health')}
            onAttack={() => setPanel('attack')}
          />
        </Head>
      }
      aside={<Aside editor={editor} panel={panel} onClose={() => setPanel(null)} />}
    >
      <div className={styles.frame}>
        <Outline blocks={editor.draft.blocks} />
        <div className={styles.page}>
          <WorkbookBanner editor={editor} />
          <WorkbookProperties editor={editor} />
          <Blocks editor={editor} runners={runners} onRunning={onRunning} onRunFrom={runFrom} />
          <SamplesSection editor={editor} />
        </div>
      </div>
      {dialog === 'save' && <SaveWorkbookDialog editor={editor} onClose={() => setDialog(null)} />}
      {dialog === 'schedule' && (
        <ScheduleDialog
          clusterId={editor.clusterId}
          scopeId={editor.scopeId}
          schedule={editor.draft.schedule}
          isFixed={editor.fixed !== null}
          onClose={() => setDialog(null)}
          onChange={(schedule) => editor.setDraft((now) => ({ ...now, schedule }))}
        />
      )}
    </PageLayout>
  );
}

interface HeadProps {
  readonly editor: WorkbookEditor;
  readonly onVersions: () => void;
  /** The buttons of the page. */
  readonly children: ReactNode;
}

/** Name, version, and whether something is not saved yet. */
function Head({ editor, onVersions, children }: HeadProps) {
  const { t } = useTranslation('workbooks');
  const paths = useWorkbookPaths();
  const version = editor.workbook?.properties.version;
  return (
    <PageHead
      icon={IconNotebook}
      title={editor.draft.name || t('unnamed')}
      parents={[{ title: t('title'), to: paths.list }]}
      actions={children}
    >
      {version !== undefined && (
        <Button
          variant="default"
          size="compact-xs"
          onClick={onVersions}
          aria-label={t('version.open', { version })}
        >
          v{version}
        </Button>
      )}
      {editor.isDirty && (
        <Text size="xs" c="dimmed" component="span">
          {t('head.unsaved')}
        </Text>
      )}
    </PageHead>
  );
}

interface AsideProps {
  readonly editor: WorkbookEditor;
  readonly panel: Panel;
  readonly onClose: () => void;
}

/** What stands beside a saved workbook: its versions, the health of its rule, or what ATT&CK says of it. */
function Aside({ editor, panel, onClose }: AsideProps) {
  const [params] = useSearchParams();
  if (!editor.workbook || panel === null) return null;
  const { clusterId, scopeId } = editor;
  const { ID } = editor.workbook;
  if (panel === 'attack')
    return (
      <WorkbookAttackPanel
        id={ID}
        draft={editor.draft}
        onClose={onClose}
        {...(editor.fixed === null ? { onInsert: (markdown: string) => insertText(editor, markdown) } : {})}
      />
    );
  if (panel === 'health') return <RuleHealthPanel {...{ clusterId, scopeId, onClose }} id={ID} />;
  return <VersionPanel editor={editor} id={ID} first={Number(params.get('v')) || null} onClose={onClose} />;
}

/** Puts a text before all other blocks. */
function insertText(editor: WorkbookEditor, markdown: string): void {
  const { block_id } = textBlock();
  const block: Block = { block_id, type: 'text', collapsed: false, body: { markdown } };
  editor.setDraft((now) => insertBlock(now, 0, block));
}

/** The blocks run together; with `runsAtOnce`, for an address that says so, when the page opens. */
function useRunners(editor: WorkbookEditor, runsAtOnce: boolean) {
  const runners = useRef(new Map<string, BlockRunner>()).current;
  const running = useRunningBlocks();
  const runFrom = (index: number) => {
    for (const block of editor.draft.blocks.slice(index)) runners.get(block.block_id)?.run();
  };
  const stopAll = () => {
    for (const runner of runners.values()) runner.stop();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    if (runsAtOnce) runFrom(0);
  }, []);
  return { runners, ...running, runFrom, stopAll };
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
