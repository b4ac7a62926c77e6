import { Button, ScrollArea, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { viewWorkbookVersion, workbookVersionList } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { diffLines, foldDiff } from '../../lib/line-diff.ts';
import { serverText } from '../../lib/server-text.ts';
import { callQuery } from '../../lib/use-call.ts';
import { DetailFlyout } from '../../ui/detail-flyout.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { RestoreVersionDialog } from './restore-version-dialog.tsx';
import type { WorkbookEditor } from './use-workbook-editor.ts';
import styles from './version-panel.module.css';
import { draftText } from './workbook-draft.ts';

/** Versions with author and message; choosing one shows what differs from the page, and can bring it back. */
export function VersionPanel(props: {
  readonly editor: WorkbookEditor;
  readonly id: string;
  /** Version to open first. */
  readonly first: number | null;
  readonly onClose: () => void;
}) {
  const { editor, id, onClose } = props;
  const { t } = useTranslation('workbooks');
  const place = { scope_id: editor.scopeId, ID: id };
  const params = { clusterId: editor.clusterId };
  const versions = useQuery(callQuery(workbookVersionList, place, { params, quiet: true }));
  const [chosen, setChosen] = useState<number | null>(props.first);
  return (
    <DetailFlyout title={t('version.title')} label={t('version.title')} onClose={onClose}>
      {versions.isError && <ErrorPanel error={versions.error} onRetry={() => void versions.refetch()} />}
      <ul className={styles.list}>
        {versions.data?.map((version) => (
          <li key={version.version}>
            <button
              type="button"
              className={styles.item}
              aria-pressed={chosen === version.version}
              onClick={() => setChosen((now) => (now === version.version ? null : version.version))}
            >
              <strong>v{version.version}</strong>
              <span className={styles.message}>
                {serverText({ ...version, message: version.commit_message }) || t('version.noMessage')}
              </span>
              <span className={styles.who}>
                {version.author} · <TimeStamp time={version.cnam_time} />
              </span>
            </button>
            {chosen === version.version && (
              <VersionDiff
                editor={editor}
                id={id}
                version={version.version}
                isNewest={version === versions.data?.[0]}
              />
            )}
          </li>
        ))}
      </ul>
    </DetailFlyout>
  );
}

function VersionDiff(props: {
  readonly editor: WorkbookEditor;
  readonly id: string;
  readonly version: number;
  readonly isNewest: boolean;
}) {
  const { editor, id, version, isNewest } = props;
  const { t } = useTranslation('workbooks');
  const params = { clusterId: editor.clusterId };
  const input = { scope_id: editor.scopeId, ID: id, version };
  const old = useQuery(callQuery(viewWorkbookVersion, input, { params, quiet: true }));
  const [isAsking, setAsking] = useState(false);
  if (old.isError) return <ErrorPanel error={old.error} onRetry={() => void old.refetch()} />;
  if (!old.data) return null;
  const lines = foldDiff(diffLines(draftText(old.data.properties), draftText(editor.draft)));
  const isSame = lines.every((line) => line.kind === 'gap' || line.kind === 'same');
  return (
    <div className={styles.diff}>
      <Text size="xs" c="dimmed">
        {isSame ? t('version.same') : t('version.diff', { version })}
      </Text>
      {!isSame && (
        <ScrollArea.Autosize mah={420} type="auto">
          <pre className={styles.lines}>
            {lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
              <div key={index} data-kind={line.kind}>
                {line.kind === 'gap'
                  ? t('version.unchanged', { count: line.count })
                  : `${SIGNS[line.kind]} ${line.text}`}
              </div>
            ))}
          </pre>
        </ScrollArea.Autosize>
      )}
      {!isNewest && !isSame && !editor.fixed && (
        <Button
          variant="default"
          disabled={editor.isDirty}
          title={editor.isDirty ? t('version.dirty') : undefined}
          onClick={() => setAsking(true)}
        >
          {t('version.restore', { version })}
        </Button>
      )}
      {isAsking && (
        <RestoreVersionDialog
          editor={editor}
          id={id}
          version={version}
          old={old.data.properties}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;
