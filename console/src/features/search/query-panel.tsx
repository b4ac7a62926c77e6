import { Button, Group } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlayerPlay, IconPlayerStop, IconWand } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { estimateCost } from '@tyrian/contract';
import type { Diagnostic } from '@tyrian/diagnostics';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { callQuery } from '../../lib/use-call.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { TimeRangePicker } from '../../ui/time-range-picker.tsx';
import { DiagnosticList } from './diagnostic-list.tsx';
import { KqlEditor, type KqlEditorHandle } from './kql-editor.tsx';
import type { OnDiagnostics } from './kql-editor-services.ts';
import { PlanButton } from './plan-button.tsx';
import styles from './query-panel.module.css';
import { costText } from './search-progress-text.ts';
import type { SearchPageState } from './use-search-page.ts';

const QUIET_MS = 600;

/** What the query would read, asked a moment after the last change and never while it runs. */
export function useCost(page: SearchPageState, isSound: (query: string) => boolean) {
  const { clusterId, scopeId, link, zone, draft } = page;
  const [query] = useDebouncedValue(draft, QUIET_MS);
  const input = { scope_id: scopeId, query, from: link.from, to: link.to, query_timezone: zone };
  const isIdle = page.run.snapshot.status !== 'running';
  return useQuery({
    ...callQuery(estimateCost, input, { params: { clusterId }, quiet: true, keep: true }),
    enabled: query.trim() !== '' && isSound(query) && isIdle && !page.isRangeWrong,
    staleTime: 30_000,
    retry: false,
  });
}

interface QueryPanelProps {
  readonly page: SearchPageState;
  readonly cost: ReturnType<typeof useCost>;
  readonly found: readonly Diagnostic[];
  readonly onDiagnostics: OnDiagnostics;
}

/** Editor, time range, run and stop; under it the mistakes and what the query would read. */
export function QueryPanel({ page, cost, found, onDiagnostics }: QueryPanelProps) {
  const { t } = useTranslation('search');
  const { draft, link, run } = page;
  const editor = useRef<KqlEditorHandle>(null);
  const { snapshot } = run;
  const isRunning = snapshot.status === 'running';
  const ofServer = draft === link.query ? snapshot.diagnostics : [];
  const errors = ofServer.some((each) => each.severity === 'error') ? ofServer : found;
  return (
    <section className={styles.panel} aria-label={t('query.title')}>
      <div className={styles.editor}>
        <KqlEditor
          value={draft}
          onChange={page.setDraft}
          onRun={(query, text) => page.runPart(query, text)}
          onDiagnostics={onDiagnostics}
          serverDiagnostics={ofServer}
          ariaLabel={t('query.label')}
          hint={t('query.hint')}
          handle={editor}
        />
      </div>
      <DiagnosticList
        text={draft}
        diagnostics={errors}
        onGo={(each) => editor.current?.select(each.span)}
        onFix={(fix) => editor.current?.fix(fix)}
      />
      <div className={styles.bar}>
        <span className={styles.cost} data-testid="search-cost">
          {page.isRangeWrong ? t('query.wrongRange') : cost.data && !isRunning ? costText(cost.data, t) : ''}
        </span>
        <Group gap={8} wrap="nowrap">
          <PlanButton page={page} query={() => editor.current?.query() ?? draft} />
          <IconButton label={t('query.format')} onClick={() => editor.current?.format()}>
            <IconWand size={16} />
          </IconButton>
          <TimeRangePicker
            value={{ from: link.from, to: link.to }}
            onChange={(range) =>
              link.query === ''
                ? page.show(range)
                : page.runPart(editor.current?.query() ?? draft, draft, range)
            }
          />
          {isRunning ? (
            <Button variant="default" leftSection={<IconPlayerStop size={14} />} onClick={run.stop} w={96}>
              {t('query.stop')}
            </Button>
          ) : (
            <Button
              leftSection={<IconPlayerPlay size={14} />}
              onClick={() => page.runPart(editor.current?.query() ?? draft, draft)}
              disabled={draft.trim() === '' || page.isRangeWrong}
              title={t('query.runKeys')}
              w={96}
            >
              {t('query.run')}
            </Button>
          )}
        </Group>
      </div>
    </section>
  );
}
