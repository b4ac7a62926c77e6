import { IconAlertTriangle, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import type { Diagnostic, Fix } from '@tyrian/diagnostics';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import styles from './diagnostic-list.module.css';
import { diagnosticText } from './diagnostic-text.ts';

const ICONS = { error: IconCircleX, warning: IconAlertTriangle, info: IconInfoCircle } as const;
const MOST = 6;

/** Line and column of an offset, both from 1. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, Math.max(0, Math.min(offset, text.length)));
  const line = before.split('\n').length;
  return { line, column: before.length - before.lastIndexOf('\n') };
}

/** What stands on the button of a change that mends a mistake. */
export function fixName({ span, text, search }: Fix, t: TFunction<'search'>): string {
  if (search !== undefined) return t('diagnostics.searchFor', { text: search });
  if (text.trim() === '') return t('diagnostics.remove');
  return t(span.start === span.end ? 'diagnostics.insert' : 'diagnostics.write', { text: text.trim() });
}

/** Mistakes of a query under its editor; a click goes to the place. */
export function DiagnosticList(props: {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly onGo: (diagnostic: Diagnostic) => void;
  /** Mends a mistake; absent where the text can't be changed. */
  readonly onFix?: (fix: Fix) => void;
}) {
  const { t } = useTranslation('search');
  const { text, diagnostics } = props;
  if (diagnostics.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={t('diagnostics.title')} aria-live="polite">
      {diagnostics.slice(0, MOST).map((each) => {
        const Icon = ICONS[each.severity];
        const { line, column } = placeOf(text, each.span.start);
        const { message, hint } = diagnosticText(each);
        return (
          <li className={styles.row} key={`${each.code} ${each.span.start} ${each.message}`}>
            <button type="button" className={styles.item} onClick={() => props.onGo(each)}>
              <Icon
                size={14}
                className={styles.icon}
                data-severity={each.severity}
                aria-label={t(`diagnostics.${each.severity}`)}
              />
              <span className={styles.place}>
                {line}:{column}
              </span>
              <span>
                {message}
                {hint && <span className={styles.hint}> {hint}</span>}
              </span>
              <span className={styles.code}>{each.code}</span>
            </button>
            {props.onFix &&
              each.fixes?.slice(0, 2).map((fix) => (
                <button
                  key={fix.text}
                  type="button"
                  className={styles.fix}
                  data-search={fix.search !== undefined || undefined}
                  title="Ctrl+."
                  onClick={() => props.onFix?.(fix)}
                >
                  {fixName(fix, t)}
                  {fix.search !== undefined && <kbd>Ctrl+.</kbd>}
                </button>
              ))}
          </li>
        );
      })}
      {diagnostics.length > MOST && (
        <li className={styles.more}>{t('diagnostics.more', { count: diagnostics.length - MOST })}</li>
      )}
    </ul>
  );
}
