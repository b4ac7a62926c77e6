import type { ConnectorKind } from './connector-kinds.ts';

// Audit logs of services, as prepared settings of the HTTP poller. Parts in angle brackets are to be filled in. They
// follow the public documentation of each service; docs/connectors.md says how they were tried.

const kind = (
  name: string,
  group: ConnectorKind['group'],
  title: string,
  needs: string,
  config: Readonly<Record<string, unknown>>,
): ConnectorKind => ({ kind: name, engine: 'http', group, name: title, needs, config });

export const SAAS_KINDS: readonly ConnectorKind[] = [
  kind('okta', 'identity', 'Okta System Log', 'API token of a read-only administrator', {
    url: 'https://<your-org>.okta.com/api/v1/logs',
    query: [
      { name: 'since', value: '{since}' },
      { name: 'sortOrder', value: 'ASCENDING' },
      { name: 'limit', value: '{limit}' },
    ],
    ...{ auth: 'header', auth_header: 'Authorization' },
    ...{ pagination: 'link-header', page_size: 1000 },
    ...{ cursor: 'time', cursor_path: 'published', time_format: 'iso', overlap_s: 120 },
  }),
];
