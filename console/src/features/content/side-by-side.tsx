import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type DiffLine, diffLines, foldDiff } from '../../lib/line-diff.ts';
import styles from './content.module.css';

type Folded = ReturnType<typeof foldDiff>[number];

/** A row of two texts that stand beside each other; a side without a line is null. */
interface Row {
  /** In the list of rows. */
  readonly at: number;
  readonly before: DiffLine | null;
  readonly after: DiffLine | null;
  readonly gap: number;
}

/** Lines that went beside those that came in their place. */
function rowsOf(lines: readonly Folded[]): readonly Row[] {
  const rows: Row[] = [];
  let [gone, come]: [DiffLine[], DiffLine[]] = [[], []];
  const flush = () => {
    for (let at = 0; at < Math.max(gone.length, come.length); at += 1)
      rows.push({ at: rows.length, before: gone[at] ?? null, after: come[at] ?? null, gap: 0 });
    [gone, come] = [[], []];
  };
  for (const line of lines) {
    if (line.kind === 'removed') gone.push(line);
    else if (line.kind === 'added') come.push(line);
    else {
      flush();
      const same = line.kind === 'gap' ? null : line;
      const gap = line.kind === 'gap' ? line.count : 0;
      rows.push({ at: rows.length, before: same, after: same, gap });
    }
  }
  flush();
  return rows;
}

interface SideBySideProps {
  readonly before: string | null;
  readonly after: string | null;
  readonly beforeTitle: string;
  readonly afterTitle: string;
}

/** Two texts, what differs marked; one under the other where there is no room. */
export function SideBySide({ before, after, beforeTitle, afterTitle }: SideBySideProps) {
  const { t } = useTranslation('content');
  const rows = useMemo(() => {
    const lines = diffLines(before ?? '', after ?? '');
    // Of a text that is new or gone everything is shown, and none of it as changed.
    return before === null || after === null ? null : rowsOf(foldDiff(lines));
  }, [before, after]);
  if (rows === null)
    return (
      <div className={styles.single}>
        <h3>{before === null ? afterTitle : beforeTitle}</h3>
        <pre>{after ?? before ?? t('noText')}</pre>
      </div>
    );
  if (rows.every(({ before: one, gap }) => gap > 0 || one?.kind === 'same'))
    return <p className={styles.same}>{t('sameText')}</p>;
  return (
    <table className={styles.sides}>
      <thead>
        <tr>
          <th scope="col">{beforeTitle}</th>
          <th scope="col">{afterTitle}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <SideRow key={row.at} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function SideRow({ row }: { readonly row: Row }) {
  const { t } = useTranslation('content');
  const { before, after, gap } = row;
  if (gap > 0)
    return (
      <tr data-kind="gap">
        <td colSpan={2}>{t('unchangedLines', { count: gap })}</td>
      </tr>
    );
  return (
    <tr data-kind={before?.kind === 'same' ? 'same' : 'changed'}>
      <td data-kind={before?.kind ?? 'none'}>{before && <code>{before.text || ' '}</code>}</td>
      <td data-kind={after?.kind ?? 'none'}>{after && <code>{after.text || ' '}</code>}</td>
    </tr>
  );
}
