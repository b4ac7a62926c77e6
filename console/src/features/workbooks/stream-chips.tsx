import { useTranslation } from 'react-i18next';
import styles from './stream-chips.module.css';

const SHOWN = 2;

/** Streams that a workbook reads, each with a dot that says whether it receives events. */
export function StreamChips({
  streams,
  alive,
}: {
  readonly streams: readonly string[];
  readonly alive: ReadonlySet<string>;
}) {
  const { t } = useTranslation('workbooks');
  const rest = streams.slice(SHOWN);
  return (
    <span className={styles.chips}>
      {streams.slice(0, SHOWN).map((stream) => (
        <span
          key={stream}
          className={styles.chip}
          title={t(alive.has(stream) ? 'stream.alive' : 'stream.silent', { stream })}
        >
          <span className={styles.dot} data-alive={alive.has(stream) || undefined} aria-hidden />
          {stream}
          <span className="visually-hidden">{t(alive.has(stream) ? 'stream.hasData' : 'stream.noData')}</span>
        </span>
      ))}
      {rest.length > 0 && (
        <span className={styles.more} title={rest.join(', ')}>
          +{rest.length}
        </span>
      )}
    </span>
  );
}
