import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { listPeople, type PersonItem } from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddressParam } from '../../../lib/use-address.ts';
import { callQuery } from '../../../lib/use-call.ts';
import { EnabledMark } from '../../../ui/enabled-mark.tsx';
import { ListPanel } from '../../../ui/list-frame.tsx';
import type { DataColumn } from '../../../ui/table-model.ts';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { AddPersonDialog } from './add-person-dialog.tsx';
import { PersonFlyout } from './person-flyout.tsx';

interface PeopleListProps {
  readonly orgId: string;
  readonly mayChange: boolean;
}

const PAGE_SIZE = 1000;

/** The people of an organization; one opens in a flyout with everything that can be done. */
export function PeopleList({ orgId, mayChange }: PeopleListProps) {
  const { t } = useTranslation('organizations');
  const [query, setQuery] = useAddressParam('q');
  const [openId, setOpenId] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  const list = useQuery(
    callQuery(listPeople, { pageno: 1, pagesize: PAGE_SIZE, query }, { params: { orgId }, keep: true }),
  );
  const columns = useMemo(() => personColumns(t), [t]);
  const open = list.data?.data.find((one) => one.user_id === openId);
  return (
    <>
      <ListPanel
        title={t('tab.people')}
        name="people"
        exported={{ entity: 'people', orgId, selection: { query } }}
        list={list}
        columns={columns}
        rowId={(one) => one.user_id}
        openId={openId}
        onOpen={(one) => setOpenId(one.user_id)}
        query={query}
        onQuery={setQuery}
        searchLabel={t('person.search')}
        emptyTitle={t('person.none')}
        noMatch={t('person.noMatch')}
        actions={
          mayChange ? (
            <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setAdding(true)}>
              {t('person.add')}
            </Button>
          ) : null
        }
        aside={
          open ? (
            <PersonFlyout
              key={`${open.user_id}${open.name}${open.phone}${open.user_type}`}
              person={open}
              mayChange={mayChange}
              onClose={() => setOpenId(null)}
            />
          ) : null
        }
      />
      {isAdding ? <AddPersonDialog orgId={orgId} onClose={() => setAdding(false)} /> : null}
    </>
  );
}

function personColumns(t: (key: string) => string): readonly DataColumn<PersonItem>[] {
  return [
    { id: 'name', header: t('person.name'), width: 220, value: (one) => one.name },
    { id: 'email', header: t('person.email'), width: 260, value: (one) => one.email_id },
    {
      id: 'type',
      header: t('person.type'),
      width: 220,
      value: (one) => t(`type.${one.root_viewer ? 'root_viewer' : one.user_type}`),
    },
    {
      id: 'status',
      header: t('status'),
      width: 120,
      value: (one) => one.status,
      cell: (one) => <EnabledMark status={one.status} label={t(`state.${one.status}`)} />,
    },
    {
      id: 'mfa',
      header: t('person.mfa'),
      width: 140,
      value: (one) => t(one.mfa_flag === 'enabled' ? 'person.mfaOn' : 'person.mfaOff'),
    },
    { id: 'tenants', header: t('tenants'), width: 120, align: 'right', value: (one) => one.tenant_count },
    {
      id: 'login',
      header: t('person.lastLogin'),
      width: 200,
      value: (one) => one.last_login,
      cell: (one) => (one.last_login === null ? '–' : <TimeStamp time={one.last_login} form="seconds" />),
    },
  ];
}
