import type { ConnectorKind } from './connector-kind.ts';

// Audit logs of services, as prepared settings of the HTTP poller. Parts in angle brackets are to be filled in. They
// follow the public documentation of each service; docs/connectors.md says how they were tried.

const kind = (
  name: string,
  group: ConnectorKind['group'],
  title: string,
  needs: string,
  config: Readonly<Record<string, unknown>>,
): ConnectorKind => ({ kind: name, engine: 'http', group, name: title, needs, config });

const q = (name: string, value: string) => ({ name, value });
/** Microsoft's client credentials. */
const entra = (scope: string) => ({
  auth: 'oauth',
  token_url: 'https://login.microsoftonline.com/<tenant-id>/oauth2/v2.0/token',
  oauth_scope: scope,
});
const byTime = (path: string, format = 'iso', overlap = 120) => ({
  ...{ cursor: 'time', cursor_path: path, time_format: format, overlap_s: overlap },
});
const graph = (path: string, time: string) => ({
  url: `https://graph.microsoft.com/v1.0/${path}`,
  query: [q('$filter', `${time} ge {since}`), q('$orderby', time), q('$top', '{limit}')],
  ...entra('https://graph.microsoft.com/.default'),
  ...{ records_path: 'value', pagination: 'next-link', next_path: '@odata.nextLink', page_size: 500 },
  ...byTime(time, 'iso', 600),
});
const google = (application: string) => ({
  url: `https://admin.googleapis.com/admin/reports/v1/activity/users/all/applications/${application}`,
  query: [q('startTime', '{since}'), q('maxResults', '{limit}'), q('pageToken', '{cursor}')],
  ...{
    auth: 'bearer',
    records_path: 'items',
    pagination: 'cursor',
    next_path: 'nextPageToken',
    page_size: 500,
  },
  ...byTime('id.time', 'iso', 900),
});
const onePassword = (path: string) => ({
  url: `https://events.1password.com/api/v2/${path}`,
  method: 'POST',
  body: '{"limit":"{limit}","start_time":"{since}","cursor":"{cursor}"}',
  ...{ auth: 'bearer', records_path: 'items', pagination: 'cursor', next_path: 'cursor', page_size: 500 },
  ...{ keep_cursor: true, ...byTime('timestamp') },
});
const management = (content: string) => ({
  url: 'https://manage.office.com/api/v1.0/<tenant-id>/activity/feed/subscriptions/content',
  query: [q('contentType', content), q('startTime', '{since}'), q('endTime', '{until}')],
  ...entra('https://manage.office.com/.default'),
  ...{
    follow_path: 'contentUri',
    ...byTime('contentCreated', 'iso-seconds', 300),
    window_h: 23,
    first_days: 1,
  },
});

export const SAAS_KINDS: readonly ConnectorKind[] = [
  kind('okta', 'identity', 'Okta System Log', 'API token of a read-only administrator, as SSWS <token>', {
    url: 'https://<your-org>.okta.com/api/v1/logs',
    query: [q('since', '{since}'), q('sortOrder', 'ASCENDING'), q('limit', '{limit}')],
    ...{ auth: 'header', auth_header: 'Authorization', pagination: 'link-header', page_size: 1000 },
    ...byTime('published'),
  }),
  kind(
    'entra-sign-ins',
    'identity',
    'Microsoft Entra sign-ins',
    'AuditLog.Read.All',
    graph('auditLogs/signIns', 'createdDateTime'),
  ),
  kind(
    'entra-audit',
    'identity',
    'Microsoft Entra audit',
    'AuditLog.Read.All',
    graph('auditLogs/directoryAudits', 'activityDateTime'),
  ),
  kind(
    'defender-alerts',
    'identity',
    'Microsoft Defender alerts',
    'SecurityAlert.Read.All',
    graph('security/alerts_v2', 'lastUpdateDateTime'),
  ),
  kind(
    'm365-general',
    'saas',
    'Microsoft 365 audit: general',
    'ActivityFeed.Read',
    management('Audit.General'),
  ),
  kind(
    'm365-exchange',
    'saas',
    'Microsoft 365 audit: Exchange',
    'ActivityFeed.Read',
    management('Audit.Exchange'),
  ),
  kind(
    'm365-sharepoint',
    'saas',
    'Microsoft 365 audit: SharePoint',
    'ActivityFeed.Read',
    management('Audit.SharePoint'),
  ),
  kind(
    'google-login',
    'identity',
    'Google Workspace: login',
    'admin.reports.audit.readonly',
    google('login'),
  ),
  kind('google-admin', 'saas', 'Google Workspace: admin', 'admin.reports.audit.readonly', google('admin')),
  kind('google-drive', 'saas', 'Google Workspace: Drive', 'admin.reports.audit.readonly', google('drive')),
  kind('github-audit', 'saas', 'GitHub audit log', 'read:audit_log', {
    url: 'https://api.github.com/orgs/<organization>/audit-log',
    query: [
      q('phrase', 'created:>={since}'),
      q('include', 'all'),
      q('order', 'asc'),
      q('per_page', '{limit}'),
    ],
    headers: [q('X-GitHub-Api-Version', '2022-11-28'), q('User-Agent', 'tyrian')],
    ...{ auth: 'bearer', pagination: 'link-header', page_size: 100 },
    ...{ ...byTime('@timestamp', 'iso-seconds'), per_minute: 25 },
  }),
  kind('gitlab-audit', 'saas', 'GitLab audit events', 'api, of an owner', {
    url: 'https://gitlab.com/api/v4/groups/<group-id>/audit_events',
    query: [q('created_after', '{since}'), q('per_page', '{limit}')],
    ...{ auth: 'header', auth_header: 'PRIVATE-TOKEN', pagination: 'link-header', page_size: 100 },
    ...byTime('created_at'),
  }),
  kind('slack-audit', 'saas', 'Slack audit logs', 'auditlogs:read', {
    url: 'https://api.slack.com/audit/v1/logs',
    query: [q('oldest', '{since}'), q('limit', '{limit}'), q('cursor', '{cursor}')],
    ...{ auth: 'bearer', records_path: 'entries', page_size: 1000 },
    ...{ pagination: 'cursor', next_path: 'response_metadata.next_cursor' },
    ...{ ...byTime('date_create', 'epoch-s'), per_minute: 40 },
  }),
  kind(
    '1password-sign-ins',
    'identity',
    '1Password sign-in attempts',
    'signinattempts',
    onePassword('signinattempts'),
  ),
  kind('1password-audit', 'saas', '1Password audit events', 'auditevents', onePassword('auditevents')),
  kind('cloudflare-audit', 'cloud', 'Cloudflare audit logs', 'Account Settings: Read', {
    url: 'https://api.cloudflare.com/client/v4/accounts/<account-id>/audit_logs',
    query: [q('since', '{since}'), q('direction', 'asc'), q('per_page', '{limit}'), q('page', '{page}')],
    ...{ auth: 'bearer', records_path: 'result', pagination: 'page', page_size: 1000 },
    ...byTime('when'),
  }),
  kind('atlassian-audit', 'saas', 'Atlassian organization audit log', 'API key of the organization', {
    url: 'https://api.atlassian.com/admin/v1/orgs/<organization-id>/events',
    query: [q('from', '{since}')],
    ...{ auth: 'bearer', records_path: 'data', pagination: 'next-link', next_path: 'links.next' },
    ...byTime('attributes.time', 'epoch-ms'),
  }),
  kind('auth0', 'identity', 'Auth0 tenant logs', 'read:logs', {
    url: 'https://<tenant>.auth0.com/api/v2/logs',
    query: [q('from', '{since}'), q('take', '{limit}'), q('sort', 'date:1')],
    ...{ auth: 'bearer', page_size: 100, cursor: 'field', cursor_path: 'log_id' },
  }),
  kind('zoom', 'saas', 'Zoom operation logs', 'report:read:operation_logs:admin', {
    url: 'https://api.zoom.us/v2/report/operationlogs',
    query: [
      q('from', '{since}'),
      q('to', '{until}'),
      q('page_size', '{limit}'),
      q('next_page_token', '{cursor}'),
    ],
    ...{ auth: 'bearer', records_path: 'operation_logs', page_size: 300 },
    ...{ pagination: 'cursor', next_path: 'next_page_token', ...byTime('time', 'iso-seconds', 3_600) },
  }),
  kind('jumpcloud', 'identity', 'JumpCloud Directory Insights', 'API key', {
    url: 'https://api.jumpcloud.com/insights/directory/v1/events',
    method: 'POST',
    body: '{"service":["all"],"start_time":"{since}","limit":"{limit}","sort":"ASC"}',
    ...{ auth: 'header', auth_header: 'x-api-key', page_size: 10_000, ...byTime('timestamp') },
  }),
  kind('sentinelone', 'cloud', 'SentinelOne activities', 'Viewer, as ApiToken <token>', {
    url: 'https://<console>.sentinelone.net/web/api/v2.1/activities',
    query: [
      q('createdAt__gte', '{since}'),
      q('sortBy', 'createdAt'),
      q('limit', '{limit}'),
      q('cursor', '{cursor}'),
    ],
    ...{ auth: 'header', records_path: 'data', pagination: 'cursor', next_path: 'pagination.nextCursor' },
    ...{ page_size: 1000, ...byTime('createdAt') },
  }),
  kind('tailscale', 'cloud', 'Tailscale configuration log', 'logs:configuration:read', {
    url: 'https://api.tailscale.com/api/v2/tailnet/<tailnet>/logging/configuration',
    query: [q('start', '{since}'), q('end', '{until}')],
    ...{ auth: 'oauth', token_url: 'https://api.tailscale.com/api/v2/oauth/token' },
    ...{ records_path: 'logs', ...byTime('eventTime') },
  }),
];
