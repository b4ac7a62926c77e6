import { ScrollArea, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { diffLines, foldDiff } from '../lib/line-diff.ts';
import { TimeStamp } from './time-stamp.tsx';
import styles from './version-list.module.css';

interface VersionEntry {
  readonly version: number;
  /** Empty where the author left none. */
  readonly comment: string;
  readonly author: string;
  /** As TimeStamp takes it. */
  readonly time: number;
}

interface VersionListProps {
  readonly versions: readonly VersionEntry[] | undefined;
  /** Version to open first. */
  readonly first?: number | null;
  /** What stands under the version that is chosen. */
  readonly children: (version: number) => ReactNode;
}

/** Versions of a text, the newest first, with author and comment; one at a time is opened. */
export function VersionList({ versions, first = null, children }: VersionListProps) {
  const { t } = useTranslation('ui');
  const [chosen, setChosen] = useState<number | null>(first);
  return (
    <ul className={styles.list}>
      {versions?.map(({ version, comment, author, time }) => (
        <li key={version}>
          <button
            type="button"
            className={styles.item}
            aria-pressed={chosen === version}
            onClick={() => setChosen((now) => (now === version ? null : version))}
          >
            <strong>v{version}</strong>
            <span className={styles.comment}>{comment || t('versions.noComment')}</span>
            <span className={styles.who}>
              {author} · <TimeStamp time={time} />
            </span>
          </button>
          {chosen === version && children(version)}
        </li>
      ))}
    </ul>
  );
}

interface VersionDiffProps {
  readonly version: number;
  readonly before: string;
  readonly after: string;
  /** How to go back to the version, where the texts differ. */
  readonly children?: ReactNode;
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

/** How the text now differs from that of a version, line by line. */
export function VersionDiff({ version, before, after, children }: VersionDiffProps) {
  const { t } = useTranslation('ui');
  const lines = foldDiff(diffLines(before, after)).map((line, at) => ({ ...line, at }));
  const isSame = lines.every(({ kind }) => kind === 'gap' || kind === 'same');
  return (
    <div className={styles.diff}>
      <Text size="xs" c="dimmed">
        {isSame ? t('versions.same') : t('versions.diff', { version })}
      </Text>
      {!isSame && (
        <ScrollArea.Autosize mah={420} type="auto">
          <pre className={styles.lines}>
            {lines.map((line) => (
              <div key={line.at} data-kind={line.kind}>
                {line.kind === 'gap'
                  ? t('versions.unchanged', { count: line.count })
                  : `${SIGNS[line.kind]} ${line.text}`}
              </div>
            ))}
          </pre>
        </ScrollArea.Autosize>
      )}
      {!isSame && children}
    </div>
  );
}
