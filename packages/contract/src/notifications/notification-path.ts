import { isPackRuleId } from '../rules/rule.ts';
import type { Notification } from './notification-endpoints.ts';

type Linked = Pick<Notification, 'kind' | 'clusterId' | 'scope_id' | 'object_id' | 'count' | 'details'>;

/** Path of the page, within the console, where the object of a notification is. */
export function notificationPath({ kind, clusterId, scope_id, object_id, count, details }: Linked): string {
  const base = `/${encodeURIComponent(clusterId)}/${encodeURIComponent(scope_id)}`;
  const id = encodeURIComponent(object_id);
  switch (kind) {
    case 'critical_signal': {
      // Several of a rule: the queue with its signals alone, the newest one opened.
      const query = new URLSearchParams({ from: 'now-7d', to: 'now' });
      if (count > 1 && details.workbook_name) query.set('workbook_name', details.workbook_name);
      query.set('signal', object_id);
      return `${base}/incident/signals?${query}`;
    }
    case 'case_assigned':
      return `${base}/incident/cases/${id}`;
    case 'case_mention':
      return `${base}/incident/cases/${id}?notes=open`;
    case 'rule_failing':
      return isPackRuleId(object_id) ? `${base}/rules/${id}` : `${base}/workbook/view/${id}`;
    case 'rule_quarantined':
      return `${base}/rules/health?${new URLSearchParams({ q: details.name })}`;
    case 'rule_tuning':
      return `${base}/rules/health?${new URLSearchParams({ tab: 'tuning', rule: object_id })}`;
    case 'data_model_decided':
      return `${base}/system/streamfieldaddition?${new URLSearchParams({ tab: 'requests' })}`;
    case 'connector_failed':
      return `${base}/system/connectors?${new URLSearchParams({ connector: object_id })}`;
    case 'source_silent':
    case 'source_back':
    case 'source_volume':
      return `${base}/system/collection_status?${new URLSearchParams({ source: object_id })}`;
  }
}
