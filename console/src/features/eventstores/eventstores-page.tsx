import { Button } from '@mantine/core';
import { IconTableImport, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Eventstore, listEventstores } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ListFrame } from '../../ui/list-frame.tsx';
import { EventstoreFlyout } from './eventstore-flyout.tsx';
import { UploadTableDialog } from './upload-table-dialog.tsx';
import { useEventstoreColumns } from './use-eventstore-columns.tsx';
import type { UploadTarget } from './use-upload.ts';

const NEW: UploadTarget = { mode: 'create' };
const SOON_MS = 2_000;
const LATER_MS = 60_000;

const isOpen = ({ upload }: Eventstore): boolean =>
  upload?.state === 'waiting' || upload?.state === 'running';

/** Tables that were uploaded into the scope, and what can be done to them. */
export function EventstoresPage() {
  const { t } = useTranslation('eventstores');
  const { clusterId, scopeId } = useScope();
  const [query, setQuery] = useAddressParam('q');
  const [shown, setShown] = useAddressParam('table');
  const [target, setTarget] = useState<UploadTarget | null>(null);
  const input = { scope_id: scopeId, pagesize: 200, search: query };
  const options = callQuery(listEventstores, input, { params: { clusterId }, quiet: true, keep: true });
  const list = useQuery({
    ...options,
    // What is being stored is looked at until it is there.
    refetchInterval: ({ state }) => (state.data?.data.some(isOpen) ? SOON_MS : LATER_MS),
  });
  const columns = useEventstoreColumns(setTarget);
  return (
    <>
      <ListFrame
        icon={IconTableImport}
        title={t('title')}
        name="eventstores"
        list={list}
        columns={columns}
        rowId={(store) => store.store_id}
        onOpen={(store) => setShown(store.store_id)}
        openId={shown || null}
        query={query}
        onQuery={setQuery}
        searchLabel={t('search')}
        emptyTitle={t('none')}
        emptyText={t('noneText')}
        noMatch={t('noMatch')}
        actions={
          <Button leftSection={<IconUpload size={14} aria-hidden />} onClick={() => setTarget(NEW)}>
            {t('upload.button')}
          </Button>
        }
        aside={
          shown === '' ? null : (
            <EventstoreFlyout key={shown} storeId={shown} onClose={() => setShown('')} onUpload={setTarget} />
          )
        }
      />
      {target && <UploadTableDialog target={target} onClose={() => setTarget(null)} />}
    </>
  );
}
