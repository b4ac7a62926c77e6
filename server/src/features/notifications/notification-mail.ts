import { type Locale, type NotificationKind, notificationPath } from '@tyrian/contract';
import { pageAddress } from '../identity/sign-in/public-address.ts';
import type { NotificationRow } from './notification-tables.ts';

// The mails of notifications, in the language of their reader. Plain text, and no event data: names and a link.

const TEXTS = {
  'en-US': {
    greeting: 'Hello {name},',
    digest: '{count} notifications',
    more: 'and {count} more in the console',
    why: 'You get these mails because you switched them on under Notifications in your settings.',
    critical_signal: 'Critical signal: {object}',
    critical_signals: '{count} critical signals from {rule}',
    case_assigned: '{actor} assigned {key} to you: {object}',
    case_mention: '{actor} mentioned you in {key}: {object}',
    rule_failing: 'Detection is failing: {object}',
    rule_quarantined: 'Rule was set aside: {object}',
    rule_tuning: '{actor} says a rule needs tuning: {object}',
    source_silent: 'Source stopped sending: {object}',
    data_model_decided: '{actor} decided on your request for {object}',
    source_back: 'Source sends again: {object}',
    source_volume: 'Source sends unusually much or little: {object}',
    connector_failed: 'Connector failed: {object}',
  },
  'fr-FR': {
    greeting: 'Bonjour {name},',
    digest: '{count} notifications',
    more: 'et {count} autres dans la console',
    why: 'Vous recevez ces e-mails parce que vous les avez activés sous Notifications dans vos paramètres.',
    critical_signal: 'Signal critique : {object}',
    critical_signals: '{count} signaux critiques de {rule}',
    case_assigned: '{actor} vous a attribué {key} : {object}',
    case_mention: '{actor} vous a mentionné dans {key} : {object}',
    rule_failing: 'Détection en échec : {object}',
    rule_quarantined: 'Règle mise à l’écart : {object}',
    rule_tuning: '{actor} demande d’ajuster une règle : {object}',
    source_silent: 'La source n’envoie plus d’événements : {object}',
    data_model_decided: '{actor} a tranché votre demande pour {object}',
    source_back: 'La source envoie de nouveau : {object}',
    source_volume: 'Volume inhabituel de la source : {object}',
    connector_failed: 'Connecteur en échec : {object}',
  },
  'ru-RU': {
    greeting: 'Здравствуйте, {name}!',
    digest: 'Уведомления: {count}',
    more: 'и ещё {count} в консоли',
    why: 'Вы получаете эти письма, потому что включили их в разделе «Уведомления» в настройках.',
    critical_signal: 'Критический сигнал: {object}',
    critical_signals: 'Критических сигналов: {count}, правило «{rule}»',
    case_assigned: '{actor} назначает вам {key}: {object}',
    case_mention: '{actor} упоминает вас в {key}: {object}',
    rule_failing: 'Сбой правила обнаружения: {object}',
    rule_quarantined: 'Правило отстранено: {object}',
    rule_tuning: '{actor} просит настроить правило: {object}',
    source_silent: 'Источник перестал отправлять события: {object}',
    data_model_decided: '{actor}: решение по вашему запросу {object}',
    source_back: 'Источник снова отправляет события: {object}',
    source_volume: 'Необычный объём событий источника: {object}',
    connector_failed: 'Сбой коннектора: {object}',
  },
  'zh-CN': {
    greeting: '{name}，您好：',
    digest: '{count} 条通知',
    more: '控制台中还有 {count} 条',
    why: '您收到这些邮件，是因为您在设置的“通知”中启用了它们。',
    critical_signal: '严重信号：{object}',
    critical_signals: '{rule} 产生了 {count} 个严重信号',
    case_assigned: '{actor} 将 {key} 分配给您：{object}',
    case_mention: '{actor} 在 {key} 中提到了您：{object}',
    rule_failing: '检测规则运行失败：{object}',
    rule_quarantined: '规则已被隔离：{object}',
    rule_tuning: '{actor} 认为规则需要调优：{object}',
    source_silent: '数据源停止发送：{object}',
    data_model_decided: '{actor} 已处理您对 {object} 的请求',
    source_back: '数据源恢复发送：{object}',
    source_volume: '数据源流量异常：{object}',
    connector_failed: '连接器运行失败：{object}',
  },
} as const satisfies Record<Locale, Record<string, string> & Record<NotificationKind, string>>;

const MAX_LINES = 50;
const MAX_NAME = 200;

type Values = Readonly<Record<string, string | number | null | undefined>>;

/** Names come from events and people: one line each, and none endless. */
const fill = (text: string, values: Values) =>
  text.replace(/\{(\w+)\}/g, (_, key: string) =>
    String(values[key] ?? '')
      .replace(/\s+/g, ' ')
      .slice(0, MAX_NAME),
  );

function lineOf(row: NotificationRow, locale: Locale): string {
  const texts = TEXTS[locale];
  const isMany = row.kind === 'critical_signal' && row.event_count > 1;
  return fill(texts[isMany ? 'critical_signals' : row.kind], {
    object: row.details.name,
    key: row.details.case_key,
    rule: row.details.workbook_name,
    actor: row.actor_name ?? 'Tyrian',
    count: row.event_count,
  });
}

function linkOf(row: NotificationRow, config: Parameters<typeof pageAddress>[0]): string {
  const { cluster_id: clusterId, event_count: count, ...rest } = row;
  return pageAddress(config, notificationPath({ ...rest, clusterId, count }));
}

/** One notification, or several in a digest, oldest first. */
export function notificationMail(
  rows: readonly NotificationRow[],
  reader: { readonly name: string; readonly locale: Locale },
  config: Parameters<typeof pageAddress>[0],
): { subject: string; text: string } {
  const texts = TEXTS[reader.locale];
  const [only] = rows;
  const subject =
    rows.length === 1 && only ? lineOf(only, reader.locale) : fill(texts.digest, { count: rows.length });
  const lines = rows.slice(-MAX_LINES).map((row) => `${lineOf(row, reader.locale)}\n${linkOf(row, config)}`);
  const more = rows.length > MAX_LINES ? [fill(texts.more, { count: rows.length - MAX_LINES })] : [];
  const text = [fill(texts.greeting, reader), ...lines, ...more, texts.why, '— Tyrian'].join('\n\n');
  return { subject: `Tyrian: ${subject}`, text: `${text}\n` };
}
