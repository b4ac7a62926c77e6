import type { Notification } from '@tyrian/contract';
import type { TFunction } from 'i18next';

/** A notification in one line. */
export function notificationText(t: TFunction<'notifications'>, one: Notification): string {
  const isMany = one.kind === 'critical_signal' && one.count > 1;
  return t(isMany ? 'text.critical_signals' : `text.${one.kind}`, {
    object: one.details.name,
    key: one.details.case_key,
    rule: one.details.workbook_name,
    actor: one.actor ?? 'Tyrian',
    count: one.count,
  });
}
