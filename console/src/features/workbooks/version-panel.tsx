import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type OutputOf, viewWorkbookVersion, workbookVersionList } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverText } from '../../lib/server-text.ts';
import { callQuery } from '../../lib/use-call.ts';
import { DetailFlyout } from '../../ui/detail-flyout.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { VersionDiff, VersionList } from '../../ui/version-list.tsx';
import { RestoreVersionDialog } from './restore-version-dialog.tsx';
import type { WorkbookEditor } from './use-workbook-editor.ts';
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
  return (
    <DetailFlyout title={t('version.title')} label={t('version.title')} onClose={onClose}>
      {versions.isError && <ErrorPanel error={versions.error} onRetry={() => void versions.refetch()} />}
      <VersionList first={props.first} versions={versions.data?.map(entryOf)}>
        {(version) => (
          <OldWorkbook
            editor={editor}
            id={id}
            version={version}
            isNewest={version === versions.data?.[0]?.version}
          />
        )}
      </VersionList>
    </DetailFlyout>
  );
}

const entryOf = (version: OutputOf<typeof workbookVersionList>[number]) => ({
  ...{ version: version.version, author: version.author, time: version.cnam_time },
  comment: serverText({ ...version, message: version.commit_message }),
});

function OldWorkbook(props: {
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
  return (
    <VersionDiff version={version} before={draftText(old.data.properties)} after={draftText(editor.draft)}>
      {!isNewest && !editor.fixed && (
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
    </VersionDiff>
  );
}
