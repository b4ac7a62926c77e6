import {
  IconBraces,
  IconCalendarTime,
  IconChevronRight,
  IconFilterMinus,
  IconFilterPlus,
  IconHash,
  IconLetterT,
  IconMinus,
  IconPlus,
  IconToggleLeft,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { fieldValues, type SearchField } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { catalogText } from '../../lib/catalog-text.ts';
import { formatCount } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery } from '../../lib/use-call.ts';
import { useValueWords, withWords } from '../../lib/value-words.ts';
import { valueText } from '../../query-kit/results/result-value.ts';
import type { ValueTarget } from '../../query-kit/results/value-target.ts';
import type { KqlJob } from '../../query-kit/runs/run-search.ts';
import styles from './field-side-bar.module.css';

interface FieldItemProps {
  readonly field: SearchField;
  readonly isColumn: boolean;
  readonly isOpen: boolean;
  /** Tab stops at this field of the list; the arrows lead to the others. */
  readonly isStop: boolean;
  readonly clusterId: string;
  readonly asked: KqlJob | null;
  readonly onOpen: () => void;
  readonly onFocus: () => void;
  readonly onToggleColumn: () => void;
  readonly onFilter: (target: ValueTarget, keep: boolean) => void;
}

const TYPE_ICONS = {
  string: IconLetterT,
  guid: IconLetterT,
  int: IconHash,
  long: IconHash,
  real: IconHash,
  decimal: IconHash,
  datetime: IconCalendarTime,
  timespan: IconCalendarTime,
  bool: IconToggleLeft,
  dynamic: IconBraces,
} as const;

/** A field of the side bar; open, it shows its five most frequent values. */
export function FieldItem(props: FieldItemProps) {
  const { field, isColumn, isOpen, isStop } = props;
  const { t, i18n } = useTranslation('search');
  const Icon = TYPE_ICONS[field.type as keyof typeof TYPE_ICONS] ?? IconLetterT;
  return (
    <li className={styles.item} data-open={isOpen || undefined} onFocus={props.onFocus}>
      <div className={styles.itemHead} data-roving-row>
        <button
          type="button"
          tabIndex={isStop ? 0 : -1}
          className={styles.name}
          aria-expanded={isOpen}
          onClick={props.onOpen}
          title={[`${field.name} (${field.type})`, catalogText(i18n.language, 'columns', field)]
            .filter(Boolean)
            .join('\n')}
        >
          <IconChevronRight size={12} className={styles.chevron} aria-hidden />
          <Icon size={14} className={styles.type} aria-label={field.type} />
          <span>{field.name}</span>
        </button>
        <button
          type="button"
          tabIndex={-1}
          className={styles.toggle}
          onClick={props.onToggleColumn}
          aria-label={t(isColumn ? 'fields.removeColumn' : 'fields.addColumn', { field: field.name })}
        >
          {isColumn ? <IconMinus size={14} aria-hidden /> : <IconPlus size={14} aria-hidden />}
        </button>
      </div>
      {isOpen && <TopValues {...props} />}
    </li>
  );
}

const TOP = 5;

function TopValues({ field, clusterId, asked, onFilter }: FieldItemProps) {
  const { t } = useTranslation('search');
  const { timeZone } = useSettings();
  const words = useValueWords();
  const { scope_id = '', query = '', from, to, query_timezone } = asked ?? {};
  const input = { scope_id, query, from, to, query_timezone, field: field.name, limit: TOP };
  const top = useQuery(
    callQuery(fieldValues, input, { params: { clusterId }, enabled: asked !== null, quiet: true }),
  );
  if (!asked) return <p className={styles.note}>{t('fields.runFirst')}</p>;
  if (top.isPending) return <p className={styles.note}>{t('fields.counting')}</p>;
  if (top.isError) return <p className={styles.note}>{serverText(top.error) || t('fields.failed')}</p>;
  const { values, total, with_value, distinct, applicable } = top.data;
  if (!applicable || values.length === 0) return <p className={styles.note}>{t('fields.noValues')}</p>;
  const column = {
    name: field.name,
    reference: field.name,
    type: field.kind === 'ext' ? 'dynamic' : field.type,
  };
  return (
    <div className={styles.values}>
      <ul className={styles.list}>
        {values.map(({ value, count }) => {
          const text = valueText(value, field.type, timeZone) || t('values.empty');
          const said = words(field.name, value);
          const share = total > 0 ? (100 * count) / total : 0;
          return (
            <li key={JSON.stringify(value)} className={styles.value} data-roving-row>
              <div className={styles.valueText} title={withWords(text, said)}>
                {text}
                {said !== null && <span className={styles.words}>{said}</span>}
              </div>
              <span className={styles.count}>
                {formatCount(count)} · {share < 1 ? '<1' : Math.round(share)} %
              </span>
              <div className={styles.track} aria-hidden>
                <div className={styles.fill} style={{ width: `${share}%` }} />
              </div>
              <span className={styles.valueKeys}>
                <button
                  type="button"
                  tabIndex={-1}
                  aria-label={t('values.keepOnly', { value: text })}
                  onClick={() => onFilter({ column, value }, true)}
                >
                  <IconFilterPlus size={14} aria-hidden />
                </button>
                <button
                  type="button"
                  tabIndex={-1}
                  aria-label={t('values.throwOut', { value: text })}
                  onClick={() => onFilter({ column, value }, false)}
                >
                  <IconFilterMinus size={14} aria-hidden />
                </button>
              </span>
            </li>
          );
        })}
      </ul>
      <p className={styles.note}>
        {t('fields.present', {
          share: total > 0 ? Math.round((100 * with_value) / total) : 0,
          count: distinct,
          distinct: formatCount(distinct),
        })}
      </p>
    </div>
  );
}
