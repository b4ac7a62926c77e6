import { Button, Select } from '@mantine/core';
import { IconPlugConnected, IconPlus, IconRefresh, IconUpload } from '@tabler/icons-react';
import { CONNECTOR_STATES, type Connector } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../lib/session-store.ts';
import { useAddress, useAddressParam, withParams } from '../../lib/use-address.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { ListFrame } from '../../ui/list-frame.tsx';
import { UploadEvents } from '../uploads/public.ts';
import { ConnectorCatalogue } from './connector-catalogue.tsx';
import { ConnectorFlyout } from './connector-flyout.tsx';
import { ConnectorForm } from './connector-form.tsx';
import { type Issued, PushSettingsDialog } from './push-settings.tsx';
import { useConnectorColumns } from './use-connector-columns.tsx';
import { useConnectorKinds, useConnectors, useMayChange } from './use-connectors.ts';

/** In the address: the dialog of uploads is open, and no source is chosen. */
const CHOOSE = 'choose';

/** What brings events into the scope: its connectors with their state, and the catalogue of what can be connected. */
export function ConnectorListPage() {
  const { t } = useTranslation('connectors');
  const [query, setQuery] = useAddressParam('q');
  const [state, setState] = useAddressParam('state');
  const [openId, setOpenId] = useAddressParam('connector');
  const [added, setAdded] = useAddressParam('add');
  const made = useOpenAdded();
  const mayChange = useMayChange();
  const all = useConnectors();
  const columns = useConnectorColumns(mayChange);
  const rows = all.data?.data.filter((one) => (state === '' || one.state === state) && fits(one, query));
  const open = all.data?.data.find(({ id }) => id === openId);
  return (
    <>
      <ListFrame
        icon={IconPlugConnected}
        title={t('title')}
        name="connectors"
        list={{
          data: rows && { data: rows, total_count: rows.length },
          isPlaceholderData: false,
          isLoadingError: all.isLoadingError,
          error: all.error,
          refetch: () => all.refetch(),
        }}
        columns={columns}
        rowId={({ id }) => id}
        onOpen={({ id }) => setOpenId(id)}
        openId={open?.id}
        query={query}
        onQuery={setQuery}
        isFiltered={state !== ''}
        searchLabel={t('search')}
        emptyTitle={t('none')}
        emptyText={t(mayChange ? 'noneText' : 'noneReadOnly')}
        noMatch={t('noMatch')}
        filters={<StateSelect value={state} onChange={setState} />}
        actions={<Actions onRefresh={() => void all.refetch()} onAdd={() => setAdded('catalogue')} />}
        aside={
          open ? <ConnectorFlyout key={open.id} connector={open} onClose={() => setOpenId('')} /> : undefined
        }
      />
      {mayChange && added !== '' ? <Adding kind={added} onKind={setAdded} onMade={made} /> : null}
      <Uploading />
    </>
  );
}

/** Opens what was added; once it is done, the dialog that added it is closed in the same step. */
function useOpenAdded() {
  const [, changeAddress] = useAddress();
  return (id: string, isDone: boolean) =>
    changeAddress((now) => withParams(now, { connector: id, ...(isDone ? { add: '' } : {}) }), {
      replace: true,
    });
}

interface ActionsProps {
  readonly onRefresh: () => void;
  readonly onAdd: () => void;
}

/** The upload that the address names: '' for none, else `choose` or the id of a source. */
function useUpload() {
  const [upload, setUpload] = useAddressParam('upload');
  return { upload, setUpload, mayUpload: useSignedIn().tags.includes('engineer') };
}

function Uploading() {
  const { upload, setUpload, mayUpload } = useUpload();
  if (!mayUpload || upload === '') return null;
  const sourceId = upload === CHOOSE ? '' : upload;
  return <UploadEvents sourceId={sourceId} onSource={setUpload} onClose={() => setUpload('')} />;
}

function Actions({ onRefresh, onAdd }: ActionsProps) {
  const { t } = useTranslation('connectors');
  const { setUpload, mayUpload } = useUpload();
  const mayChange = useMayChange();
  return (
    <>
      <IconButton label={t('refresh')} variant="default" size={30} onClick={onRefresh}>
        <IconRefresh size={15} />
      </IconButton>
      {mayUpload ? (
        <Button
          variant="default"
          leftSection={<IconUpload size={14} aria-hidden />}
          onClick={() => setUpload(CHOOSE)}
        >
          {t('upload')}
        </Button>
      ) : null}
      {mayChange ? (
        <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={onAdd}>
          {t('add')}
        </Button>
      ) : null}
    </>
  );
}

const fits = (one: Connector, query: string): boolean =>
  `${one.name} ${one.kind} ${one.created_by}`.toLowerCase().includes(query.trim().toLowerCase());

interface AddingProps {
  /** `catalogue`, or the kind whose form is filled in. */
  readonly kind: string;
  readonly onKind: (kind: string) => void;
  /** `isDone`: nothing more is to be shown of the adding. */
  readonly onMade: (id: string, isDone: boolean) => void;
}

/** From the catalogue to the form, and for senders that push to the token, which is shown once. */
function Adding({ kind, onKind, onMade }: AddingProps) {
  const kinds = useConnectorKinds();
  const [issued, setIssued] = useState<Issued | null>(null);
  const chosen = kinds.data?.data.find((one) => one.kind === kind);
  const close = () => onKind('');
  if (issued !== null) return <PushSettingsDialog issued={issued} onClose={close} />;
  if (chosen === undefined) return <ConnectorCatalogue kinds={kinds} onChoose={onKind} onClose={close} />;
  return (
    <ConnectorForm
      kind={chosen}
      onClose={close}
      onSaved={(connector, token) => {
        const isPush = connector.engine === 'push';
        if (isPush) setIssued({ kind: connector.kind, token });
        onMade(connector.id, !isPush);
      }}
    />
  );
}

interface StateSelectProps {
  readonly value: string;
  readonly onChange: (state: string) => void;
}

function StateSelect({ value, onChange }: StateSelectProps) {
  const { t } = useTranslation('connectors');
  return (
    <Select
      aria-label={t('state')}
      placeholder={t('state')}
      clearable
      w={150}
      value={value || null}
      onChange={(next) => onChange(next ?? '')}
      data={CONNECTOR_STATES.map((one) => ({ value: one, label: t(`states.${one}`) }))}
    />
  );
}
