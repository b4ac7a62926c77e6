import { Loader } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { checkExtractor, ExtractorCheck, ExtractorFinding, OutputOf } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallError } from '../../../lib/call.ts';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { RequestField } from '../../data-model/public.ts';
import styles from './extractor-editor.module.css';
import { useFindingText } from './finding-text.ts';
import { OF_SAMPLES } from './use-marks.ts';

export type ChecksQuery = UseQueryResult<OutputOf<typeof checkExtractor>, CallError>;

interface CheckColumnProps {
  readonly checks: ChecksQuery;
  readonly onShow: (line: number, column: number) => void;
  readonly onShowSample: (line: number) => void;
  readonly yaml: string;
}

const SIGNS: Readonly<Record<ExtractorCheck['result'], string>> = {
  pass: '✓',
  fail: '✗',
  warn: '⚠',
  skip: '–',
};

/** What is looked at before an extractor is published, in order, and what was found. */
export function CheckColumn({ checks, onShow, onShowSample, yaml }: CheckColumnProps) {
  const { t } = useTranslation('extraction');
  const needs = useMemo(() => whatNeeds(yaml), [yaml]);
  return (
    <aside className={styles.checks} aria-label={t('checks.title')}>
      <div className={styles.checksHead}>
        <h2>{t('checks.title')}</h2>
        {checks.isFetching && <Loader size={14} aria-label={t('checks.running')} />}
      </div>
      {checks.isError && !checks.data && (
        <ErrorPanel error={checks.error} onRetry={() => void checks.refetch()} />
      )}
      <ol className={styles.checkList}>
        {checks.data?.checks.map((check) => (
          <Check
            key={check.check}
            check={check}
            needs={needs}
            onApproved={() => void checks.refetch()}
            onShow={OF_SAMPLES.includes(check.check) ? onShowSample : onShow}
          />
        ))}
      </ol>
    </aside>
  );
}

/** Findings of one check that are listed. */
const SHOWN = 20;

interface CheckProps {
  readonly check: ExtractorCheck;
  readonly onShow: (line: number, column: number) => void;
  readonly needs: ReturnType<typeof whatNeeds>;
  readonly onApproved: () => void;
}

/** The streams and the name of a definition, which may be broken. */
function whatNeeds(yaml: string): { readonly streams: readonly string[]; readonly source: string } {
  const listed = /^streams:(.*(?:\r?\n[ \t-].*)*)/m.exec(yaml)?.[1] ?? '';
  const [, source = ''] = /^source-name:[ \t]*(.*)$/m.exec(yaml) ?? [];
  const names = listed.replace(/#.*$/gm, '').match(/[A-Za-z_]\w*/g) ?? [];
  return { streams: [...new Set(names)], source: source.trim().slice(0, 64) };
}

/** The column that a finding says is not there, and that may be asked for. */
function missingColumn({ fault }: ExtractorFinding): string | null {
  if (fault?.code !== 'unknown-column' && fault?.code !== 'unknown-column-meant') return null;
  return String(fault.values.column ?? '');
}

function Check({ check: { check, result, findings }, onShow, needs, onApproved }: CheckProps) {
  const { t } = useTranslation('extraction');
  const textOf = useFindingText();
  const listed = findings.slice(0, SHOWN).map((one, at) => ({ ...one, at }));
  return (
    <li data-result={result} data-check={check}>
      <span className={styles.sign} role="img" aria-label={t(`checks.results.${result}`)}>
        {SIGNS[result]}
      </span>
      <span>{t(`checks.of.${check}`)}</span>
      {listed.length > 0 && (
        <ul className={styles.findings}>
          {listed.map((one) => (
            <li key={one.at} data-result={one.result}>
              {one.line === null ? (
                textOf(one)
              ) : (
                <button
                  type="button"
                  className={styles.show}
                  onClick={() => onShow(one.line ?? 1, one.column ?? 1)}
                >
                  <span className={styles.line}>{t('checks.line', { line: one.line })}</span> {textOf(one)}
                </button>
              )}
              {check === 'new-names' && missingColumn(one) !== null && (
                <div className={styles.ask}>
                  <RequestField {...needs} field={missingColumn(one) ?? ''} onApproved={onApproved} />
                </div>
              )}
            </li>
          ))}
          {findings.length > SHOWN && <li>{t('checks.more', { count: findings.length - SHOWN })}</li>}
        </ul>
      )}
    </li>
  );
}
