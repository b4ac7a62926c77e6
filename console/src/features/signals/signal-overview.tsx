import { Anchor } from '@mantine/core';
import type { SignalDetail } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import { useSettings } from '../../lib/settings.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { FIELD_NAMES, orderFields, timeOf } from './field-order.ts';
import styles from './signal-flyout.module.css';
import { useValueMenu, ValueWithMenu } from './use-value-menu.tsx';

type Field = SignalDetail['fields'][number];

/** Values of a field that are shown before the rest is asked for. */
const SHOWN_VALUES = 5;

/** What the rows of a signal said, in the order and words of an analyst, and what was done with it. */
export function SignalOverview({ signal }: { readonly signal: SignalDetail }) {
  const { t } = useTranslation('signals');
  const [isAll, setAll] = useState(false);
  const menu = useValueMenu(signal);
  const { first, counted, record } = orderFields(signal.fields);
  const list = (fields: readonly Field[]) =>
    fields.map((field) => <FieldRow key={field.field} field={field} onMenu={menu.open} />);
  return (
    <>
      <dl className={styles.fields}>
        {list(first)}
        {list(counted)}
        {isAll || first.length + counted.length === 0 ? list(record) : null}
      </dl>
      {record.length > 0 && first.length + counted.length > 0 ? (
        <Anchor component="button" type="button" size="xs" mt={8} onClick={() => setAll((now) => !now)}>
          {isAll ? t('flyout.fewerFields') : t('flyout.moreFields', { count: record.length })}
        </Anchor>
      ) : null}
      <h3 className={styles.caption}>{t('flyout.history')}</h3>
      <ol className={styles.history}>
        {signal.history.map((entry) => (
          <li key={`${entry.cnam_time} ${entry.action} ${entry.detail}`}>
            <TimeStamp time={entry.cnam_time} /> {entry.author} · {t(`history.${entry.action}`)}{' '}
            {serverText({ ...entry, message: entry.detail })}
          </li>
        ))}
      </ol>
      {menu.element}
    </>
  );
}

interface FieldRowProps {
  readonly field: Field;
  readonly onMenu: ReturnType<typeof useValueMenu>['open'];
}

function FieldRow({ field, onMenu }: FieldRowProps) {
  const { t } = useTranslation('signals');
  const { locale } = useSettings();
  const [isAll, setAll] = useState(false);
  const values = isAll ? field.values : field.values.slice(0, SHOWN_VALUES);
  const hidden = field.values.length - values.length;
  const beyond = field.distinct - field.values.length;
  return (
    <div className={styles.field}>
      <dt title={field.field}>{FIELD_NAMES.has(field.field) ? t(`field.${field.field}`) : field.field}</dt>
      <dd className="mono">
        {values.map(({ value, count }) => {
          const time = timeOf(value);
          return (
            <ValueWithMenu key={value} field={field.field} value={value} onMenu={onMenu}>
              {time === null ? value : <TimeStamp time={time} />}
              {field.distinct > 1 && <span className={styles.count}> ×{formatInteger(count, locale)}</span>}
            </ValueWithMenu>
          );
        })}
        {hidden > 0 ? (
          <Anchor component="button" type="button" size="xs" onClick={() => setAll(true)}>
            {t('flyout.showValues', { count: hidden })}
          </Anchor>
        ) : null}
        {isAll || hidden === 0 ? (
          beyond > 0 ? (
            <span className={styles.count}>{t('flyout.moreValues', { count: beyond })}</span>
          ) : null
        ) : null}
      </dd>
    </div>
  );
}
