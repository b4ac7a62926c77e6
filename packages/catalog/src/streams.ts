// The streams are the tables of KQL. Each holds events of one kind, whatever product wrote them.

export interface Stream {
  readonly name: string;
  readonly description: string;
}

/** The streams that every tenant has. `Signals` holds one event for every signal raised. */
export const STREAMS = [
  { name: 'Authentication', description: 'Sign-ins, sign-outs and failures to sign in' },
  { name: 'ProcessEvent', description: 'Processes started, ended, opened or injected into; script blocks' },
  { name: 'NetworkSession', description: 'Connections and flows: firewalls, hosts, cloud networks' },
  { name: 'Dns', description: 'Name look-ups and answers' },
  { name: 'WebSession', description: 'Requests through proxies and to web servers' },
  { name: 'FileEvent', description: 'Files created, changed, renamed, read or deleted' },
  { name: 'RegistryEvent', description: 'Registry keys and values created, set or deleted' },
  { name: 'ModuleLoad', description: 'Modules and drivers loaded' },
  { name: 'AuditEvent', description: 'Changes to configuration, services, tasks, policies and logs' },
  { name: 'UserManagement', description: 'Accounts and groups created, changed or deleted' },
  { name: 'Dhcp', description: 'Address leases' },
  { name: 'Alert', description: 'Findings of other security products' },
  { name: 'CloudAudit', description: 'Calls to the management interfaces of clouds' },
  { name: 'Email', description: 'Mail delivered, blocked or reported' },
  { name: 'Syslog', description: 'Syslog messages without a stream of their own' },
  { name: 'WindowsEvent', description: 'Windows events without a stream of their own' },
  { name: 'Generic', description: 'Everything else, and what could not be parsed' },
  { name: 'Signals', description: 'Signals raised by detections' },
] as const satisfies readonly Stream[];

export type StreamName = (typeof STREAMS)[number]['name'];

/** The union of all streams, as a table of KQL. */
export const ALL_EVENTS = 'Events';
