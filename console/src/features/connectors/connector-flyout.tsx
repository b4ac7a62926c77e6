import { Alert, Button, Group } from '@mantine/core';
import type { Connector } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import { useSettings } from '../../lib/settings.ts';
import { DetailFlyout } from '../../ui/detail-flyout.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { ConnectorForm } from './connector-form.tsx';
import { ConnectorTest } from './connector-test.tsx';
import { STATE_TONES, VALIDATION_TONES } from './connector-words.ts';
import classes from './connectors.module.css';
import { PushSettings } from './push-settings.tsx';
import { problemOf } from './use-connector-columns.tsx';
import { useConnectorActs, useConnectorKinds, useMayChange } from './use-connectors.ts';

interface ConnectorFlyoutProps {
  readonly connector: Connector;
  readonly onClose: () => void;
}

/** One connector: what is wrong with it, how it is, what it gives, and what can be done about it. */
export function ConnectorFlyout({ connector, onClose }: ConnectorFlyoutProps) {
  const { t } = useTranslation('connectors');
  const mayChange = useMayChange();
  const problem = problemOf(connector);
  return (
    <DetailFlyout title={connector.name} label={t('connector', { name: connector.name })} onClose={onClose}>
      <div className={classes.detail}>
        {problem ? (
          <Alert
            color="red"
            variant="light"
            p={10}
            role="alert"
            title={t(connector.validation.status === 'failed' ? 'validationFailed' : 'failed')}
          >
            {serverText(problem)}
          </Alert>
        ) : null}
        {problem === null && connector.reason ? (
          <Alert color="gray" variant="light" p={10} role="status">
            {serverText(connector.reason)}
          </Alert>
        ) : null}
        <Facts connector={connector} />
        {mayChange ? <Acts connector={connector} onClose={onClose} /> : null}
        {connector.engine === 'push' ? <PushSettings kind={connector.kind} token={null} /> : null}
        {mayChange && connector.engine !== 'push' ? <ConnectorTest connector={connector} /> : null}
      </div>
    </DetailFlyout>
  );
}

function Facts({ connector: one }: { readonly connector: Connector }) {
  const { t } = useTranslation('connectors');
  const { locale } = useSettings();
  const kinds = useConnectorKinds();
  const kind = kinds.data?.data.find(({ kind: name }) => name === one.kind)?.name ?? one.kind;
  const time = (value: number | null) => (value === null ? '–' : <TimeStamp time={value} form="seconds" />);
  return (
    <FactList
      facts={[
        { label: t('columns.kind'), value: kind },
        {
          label: t('columns.state'),
          value: <StateMark tone={STATE_TONES[one.state]} label={t(`states.${one.state}`)} />,
        },
        {
          label: t('validation'),
          value: (
            <StateMark
              tone={VALIDATION_TONES[one.validation.status]}
              label={t(`validations.${one.validation.status}`)}
            />
          ),
        },
        { label: t('validated'), value: time(one.validation.time) },
        { label: t('columns.last'), value: time(one.last_event) },
        {
          label: t('columns.events'),
          value: one.events_24h === null ? '–' : formatInteger(one.events_24h, locale),
        },
        ...(one.next_try === null ? [] : [{ label: t('nextTry'), value: time(one.next_try) }]),
        { label: t('createdBy'), value: one.created_by },
        { label: t('changed'), value: time(one.changed) },
      ]}
    />
  );
}

interface ActsProps {
  readonly connector: Connector;
  readonly onClose: () => void;
}

function Acts({ connector, onClose }: ActsProps) {
  const { t } = useTranslation('connectors');
  const acts = useConnectorActs();
  const kinds = useConnectorKinds();
  const [isEdited, setEdited] = useState(false);
  const kind = kinds.data?.data.find((one) => one.kind === connector.kind);
  const isPush = connector.engine === 'push';
  const isStopped = connector.state === 'stopped';
  return (
    <Group gap={8}>
      <Button variant="default" onClick={() => acts.setState(connector, isStopped ? 'start' : 'stop')}>
        {t(isStopped ? 'start' : 'stop')}
      </Button>
      {isPush ? null : (
        <>
          {isStopped ? null : (
            <Button variant="default" onClick={() => acts.setState(connector, 'restart')}>
              {t('restart')}
            </Button>
          )}
          <Button variant="default" onClick={() => acts.validate(connector)}>
            {t('validate')}
          </Button>
          <Button variant="default" disabled={kind === undefined} onClick={() => setEdited(true)}>
            {t('edit')}
          </Button>
        </>
      )}
      <Button variant="default" color="red" c="red" onClick={() => acts.remove(connector, onClose)}>
        {t('remove')}
      </Button>
      {isEdited && kind ? (
        <ConnectorForm
          {...{ kind, connector }}
          onClose={() => setEdited(false)}
          onSaved={() => setEdited(false)}
        />
      ) : null}
    </Group>
  );
}
