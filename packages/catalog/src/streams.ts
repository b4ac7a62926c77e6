// The streams are the tables of KQL. Each holds events of one kind, whatever product wrote them.

export interface Stream {
  readonly name: string;
  readonly description: string;
}

/** The streams that every tenant has. `Signals` holds one event for every signal raised. */
export const STREAMS = [
  { name: 'Authentication', description: 'Sign-ins, failed sign-ins and log-outs' },
  {
    name: 'ProcessEvent',
    description: 'Processes started, ended, accessed or injected into; PowerShell script blocks',
  },
  {
    name: 'NetworkSession',
    description: 'Network connections and flows from firewalls, hosts and cloud networks',
  },
  { name: 'Dns', description: 'DNS queries and answers' },
  { name: 'WebSession', description: 'Web requests through proxies and to web servers' },
  { name: 'FileEvent', description: 'Files created, changed, renamed, read or deleted' },
  { name: 'RegistryEvent', description: 'Registry keys and values created, set or deleted' },
  { name: 'ModuleLoad', description: 'Modules and drivers loaded' },
  { name: 'AuditEvent', description: 'Changes to configuration, services, tasks, policies and logs' },
  { name: 'UserManagement', description: 'Accounts and groups created, changed or deleted' },
  { name: 'Dhcp', description: 'DHCP leases of IP addresses' },
  { name: 'Alert', description: 'Alerts and findings of other security products' },
  { name: 'CloudAudit', description: 'Calls to the management APIs of cloud services' },
  { name: 'Email', description: 'Emails delivered, blocked or reported' },
  { name: 'Syslog', description: 'Syslog messages of no other stream; as a table, all syslog messages' },
  { name: 'WindowsEvent', description: 'Windows events of no other stream; as a table, all Windows events' },
  { name: 'Generic', description: 'Events of no other stream, and events that could not be parsed' },
  { name: 'Signals', description: 'Signals raised by detections' },
] as const satisfies readonly Stream[];

export type StreamName = (typeof STREAMS)[number]['name'];

/** The union of all streams, as a table of KQL. */
export const ALL_EVENTS = 'Events';
