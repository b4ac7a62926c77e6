import { ScrollArea, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Extractor, listExtractorVersions, viewExtractorVersion } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { diffLines, foldDiff } from '../../../lib/line-diff.ts';
import { useScope } from '../../../lib/session-store.ts';
import { callQuery } from '../../../lib/use-call.ts';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { DetailFlyout } from '../../../ui/detail-flyout.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import styles from './extractor-versions.module.css';
import type { ExtractorActs } from './use-extractor-acts.ts';
import type { ExtractorDraft } from './use-extractor-draft.ts';

interface ExtractorVersionsProps {
  readonly extractor: Extractor;
  readonly draft: ExtractorDraft;
  readonly acts: ExtractorActs;
  readonly onClose: () => void;
}

/** Versions with author and comment; one that is chosen shows how the text differs from it, and can come back. */
export function ExtractorVersions(props: ExtractorVersionsProps) {
  const { t } = useTranslation('extraction');
  const { clusterId, scopeId } = useScope();
  const [chosen, setChosen] = useState<number | null>(null);
  const input = { scope_id: scopeId, extractor_id: props.extractor.extractor_id };
  const list = useQuery(callQuery(listExtractorVersions, input, { params: { clusterId }, quiet: true }));
  return (
    <DetailFlyout title={t('versions.title')} label={t('versions.title')} onClose={props.onClose}>
      {list.isError && <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />}
      <ul className={styles.list}>
        {list.data?.map(({ version, comment, author, created }) => (
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
                {author} · <TimeStamp time={created} />
              </span>
            </button>
            {chosen === version && <VersionDiff {...props} version={version} />}
          </li>
        ))}
      </ul>
    </DetailFlyout>
  );
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

function VersionDiff(props: ExtractorVersionsProps & { readonly version: number }) {
  const { extractor, draft, acts, version } = props;
  const { t } = useTranslation('extraction');
  const { clusterId, scopeId } = useScope();
  const input = { scope_id: scopeId, extractor_id: extractor.extractor_id, version };
  const old = useQuery(callQuery(viewExtractorVersion, input, { params: { clusterId }, quiet: true }));
  if (old.isError) return <ErrorPanel error={old.error} onRetry={() => void old.refetch()} />;
  if (!old.data) return null;
  const lines = foldDiff(diffLines(old.data.yaml, draft.yaml)).map((line, at) => ({ ...line, at }));
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
      {!isSame && (
        <ConfirmButton
          size="xs"
          variant="default"
          isHarmless
          loading={acts.isBusy}
          disabled={draft.isDirty}
          title={t('versions.ask', { version })}
          consequence={t('versions.askText')}
          confirmLabel={t('versions.restore', { version })}
          onConfirm={() => acts.restore(version)}
        />
      )}
    </div>
  );
}
