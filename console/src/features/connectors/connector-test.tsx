import { Button, Text } from '@mantine/core';
import { type Connector, type ConnectorRecord, testConnector } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { CallProblem } from '../../ui/form-problem.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import classes from './connectors.module.css';

/** Fetches a few records with the saved settings and shows what they would become. */
export function ConnectorTest({ connector }: { readonly connector: Connector }) {
  const { t } = useTranslation('connectors');
  const { clusterId, scopeId } = useScope();
  const test = useCallMutation(testConnector, { quiet: true });
  const { data } = test;
  return (
    <section aria-label={t('test')}>
      <Button
        variant="light"
        loading={test.isPending}
        onClick={() =>
          test.mutate({ params: { clusterId }, input: { scope_id: scopeId, connector_id: connector.id } })
        }
      >
        {t('test')}
      </Button>
      <Text size="xs" c="dimmed" mt={4}>
        {t('testHelp')}
      </Text>
      <CallProblem error={test.error} />
      {data ? (
        <>
          <Text size="sm" mt={8} role="status">
            {t('testFound', { count: data.records.length, ms: data.ms })}
          </Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {data.asked}
          </Text>
          {keyed(data.records).map(({ key, record }) => (
            <TestRecord key={key} record={record} />
          ))}
        </>
      ) : null}
    </section>
  );
}

/** Two records may be equal. */
const keyed = (records: readonly ConnectorRecord[]) =>
  records.map((record, at) => ({ record, key: `record ${at}` }));

function TestRecord({ record }: { readonly record: ConnectorRecord }) {
  const { t } = useTranslation('connectors');
  return (
    <article className={classes.record} style={{ marginTop: 8 }}>
      <div className={classes.recordHead}>
        <span>{record.stream}</span>
        <span>{record.source_type}</span>
        <span>{record.parse_error ?? t(`parsed.${record.status}`)}</span>
        {record.time === null ? null : <TimeStamp time={record.time} form="seconds" />}
      </div>
      <dl className={classes.fields}>
        {Object.entries(record.fields).map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{String(value)}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary className={classes.kindNote}>{t('raw')}</summary>
        <pre className={classes.raw}>{record.raw}</pre>
      </details>
    </article>
  );
}
