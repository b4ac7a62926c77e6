import { Skeleton } from '@mantine/core';
import { IconTransform } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Extractor, readExtractorRecord } from '@tyrian/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useScope } from '../../../lib/session-store.ts';
import { callQuery } from '../../../lib/use-call.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { PageLayout } from '../../../ui/page-layout.tsx';
import { useExtractionPaths } from '../extraction-paths.ts';
import { ReparseDialog } from '../reparse-dialog.tsx';
import { CheckColumn, type ChecksQuery } from './check-column.tsx';
import styles from './extractor-editor.module.css';
import { ExtractorHead } from './extractor-head.tsx';
import { templateFor } from './extractor-template.ts';
import { ExtractorVersions } from './extractor-versions.tsx';
import { ModelDrawer } from './model-drawer.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { SimulationPane } from './simulation-pane.tsx';
import { useExtractorActs } from './use-extractor-acts.ts';
import {
  type ExtractorDraft,
  type Panel,
  type Unparsed,
  useChecks,
  useExtractorDraft,
  useUnparsed,
} from './use-extractor-draft.ts';
import { useMarks } from './use-marks.ts';
import { YamlEditor, type YamlEditorHandle } from './yaml-editor.tsx';

/** An extractor, or a new one: for the source that the address names, where it names one. */
export function ExtractorPage() {
  const { type = '' } = useParams();
  if (type === 'new') return <NewExtractor />;
  return <StoredExtractor key={type} id={Number(type)} />;
}

function Frame({ children }: { readonly children: React.ReactNode }) {
  const { t } = useTranslation('extraction');
  const paths = useExtractionPaths();
  return (
    <PageLayout
      scrolls
      head={
        <PageHead
          icon={IconTransform}
          title={t('extractor')}
          parents={[{ title: t('title'), to: paths.list }]}
        />
      }
    >
      {children}
    </PageLayout>
  );
}

function StoredExtractor({ id }: { readonly id: number }) {
  const { t } = useTranslation('extraction');
  const { clusterId, scopeId } = useScope();
  const isNumber = Number.isInteger(id) && id > 0 && id < 2_147_483_647;
  const found = useQuery(
    callQuery(
      readExtractorRecord,
      { scope_id: scopeId, extractor_id: isNumber ? id : 1 },
      { params: { clusterId }, quiet: true, enabled: isNumber },
    ),
  );
  const isGone = !isNumber || found.error?.status === 404;
  if (isGone)
    return (
      <Frame>
        <EmptyState kind="nothing-yet" title={t('gone')} text={t('goneText')} />
      </Frame>
    );
  if (found.isLoadingError)
    return (
      <Frame>
        <ErrorPanel title={t('readFailed')} error={found.error} onRetry={() => void found.refetch()} />
      </Frame>
    );
  if (!found.data) return <Waiting />;
  return (
    <Editor
      extractor={found.data}
      first={{ yaml: found.data.draft ?? found.data.yaml, samples: found.data.samples }}
    />
  );
}

const Waiting = () => (
  <Frame>
    <Skeleton height={320} maw={1080} />
  </Frame>
);

function NewExtractor() {
  const { source, events } = useUnparsed();
  const [first, setFirst] = useState<string | null>(null);
  // The first text is made of the source's own lines; another source that is chosen later leaves it as it is.
  const isKnown = !events?.isLoading;
  useEffect(() => {
    if (first !== null || !isKnown) return;
    setFirst(
      templateFor(
        source,
        (events?.data ?? []).map(({ raw }) => raw),
      ),
    );
  }, [first, isKnown, source, events?.data]);
  return first === null ? <Waiting /> : <Editor first={{ yaml: first, samples: [] }} />;
}

interface EditorProps {
  readonly extractor?: Extractor;
  readonly first: { readonly yaml: string; readonly samples: readonly string[] };
}

function Editor({ extractor, first }: EditorProps) {
  const draft = useExtractorDraft(first);
  const unparsed = useUnparsed();
  const checks = useChecks(draft, extractor?.extractor_id);
  const acts = useExtractorActs(extractor, draft);
  const [panel, setPanel] = useState<Panel>(null);
  const [dialog, setDialog] = useState<'publish' | 'reparse' | null>(null);
  const closePanel = () => setPanel(null);
  return (
    <PageLayout
      scrolls
      head={
        <ExtractorHead
          {...{ extractor, draft, acts, checks }}
          onPanel={(next) => setPanel((now) => (now === next ? null : next))}
          onPublish={() => setDialog('publish')}
          onReparse={() => setDialog('reparse')}
        />
      }
      aside={
        panel === 'model' ? (
          <ModelDrawer onClose={closePanel} />
        ) : panel === 'versions' && extractor ? (
          <ExtractorVersions {...{ extractor, draft, acts }} onClose={closePanel} />
        ) : undefined
      }
    >
      <Parts {...{ draft, checks, unparsed }} isNative={extractor?.type === 'native'} onSave={acts.save} />
      {dialog === 'publish' && extractor && (
        <PublishDialog {...{ extractor, acts }} onClose={() => setDialog(null)} />
      )}
      {dialog === 'reparse' && (
        <ReparseDialog
          {...(unparsed.source === '' ? {} : { source: unparsed.source })}
          onClose={() => setDialog(null)}
        />
      )}
    </PageLayout>
  );
}

interface PartsProps {
  readonly draft: ExtractorDraft;
  readonly checks: ChecksQuery;
  readonly unparsed: Unparsed;
  readonly isNative: boolean;
  readonly onSave: () => void;
}

/** The definition, what the checks say of it, and what it makes of lines. */
function Parts({ draft, checks, unparsed, isNative, onSave }: PartsProps) {
  const { t } = useTranslation('extraction');
  const handle = useRef<YamlEditorHandle>(null);
  const samples = useRef<HTMLTextAreaElement>(null);
  return (
    <div className={styles.page}>
      <div className={styles.columns}>
        <div className={styles.editor}>
          <YamlEditor
            value={draft.yaml}
            onChange={draft.setYaml}
            onSave={onSave}
            marks={useMarks(checks.data)}
            readOnly={isNative}
            ariaLabel={t('definition')}
            handle={handle}
          />
        </div>
        <CheckColumn
          checks={checks}
          yaml={draft.yaml}
          onShow={(line, column) => handle.current?.showLine(line, column)}
          onShowSample={(line) => showLineOf(samples.current, line)}
        />
      </div>
      <SimulationPane draft={draft} unparsed={unparsed} isReadOnly={isNative} handle={samples} />
    </div>
  );
}

/** Selects a line of the sample pane. */
function showLineOf(area: HTMLTextAreaElement | null, line: number): void {
  if (!area) return;
  const lines = area.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
}
