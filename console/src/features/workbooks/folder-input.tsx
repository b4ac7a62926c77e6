import { Autocomplete } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listDirectories } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';

interface FolderInputProps {
  readonly value: string;
  readonly onChange: (path: string) => void;
  readonly readOnly?: boolean;
  readonly 'data-autofocus'?: boolean;
}

/** The folder of a workbook: one that is there, or a new one by its path. The folders of shipped workbooks take none. */
export function FolderInput(props: FolderInputProps) {
  const { t } = useTranslation('workbooks');
  const { clusterId, scopeId } = useScope();
  const { data = [] } = useQuery(
    callQuery(listDirectories, { scope_id: scopeId }, { params: { clusterId }, quiet: true }),
  );
  return (
    <Autocomplete
      {...props}
      label={t('folder')}
      placeholder={t('folderRoot')}
      size="xs"
      data={data.filter((folder) => !folder.native).map((folder) => folder.path)}
    />
  );
}
