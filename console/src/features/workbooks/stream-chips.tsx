import { useTranslation } from 'react-i18next';
import styles from './stream-chips.module.css';

/** The first stream that a workbook reads and the number of others; a dot says whether they receive events. */
export function StreamChips({
  streams,
  alive,
}: {
  readonly streams: readonly string[];
  readonly alive: ReadonlySet<string>;
}) {
  const { t } = useTranslation('workbooks');
  const [first, ...rest] = streams;
  const said = (stream: string) => t(alive.has(stream) ? 'stream.alive' : 'stream.silent', { stream });
  return (
    <span className={styles.chips}>
      {first && (
        <span className={styles.chip} title={said(first)}>
          <span className={styles.dot} data-alive={alive.has(first) || undefined} aria-hidden />
          {first}
          <span className="visually-hidden">{t(alive.has(first) ? 'stream.hasData' : 'stream.noData')}</span>
        </span>
      )}
      {rest.length > 0 && (
        <span className={styles.more} title={rest.map(said).join('\n')}>
          <span
            className={styles.dot}
            data-alive={rest.every((stream) => alive.has(stream)) || undefined}
            aria-hidden
          />
          +{rest.length}
          <span className="visually-hidden">{rest.map(said).join(', ')}</span>
        </span>
      )}
    </span>
  );
}
