import {
  type Capability,
  createCase,
  type Endpoint,
  invokeJob,
  listCases,
  listSignals,
  listWorkbooks,
  tagFalsePositive,
} from '@tyrian/contract';

// How a program shows a token, as a command that can be tried at once.

export interface MadeTokenFacts {
  readonly token: string;
  /** Origin where the token is shown. */
  readonly address: string;
  readonly capabilities: readonly Capability[];
  readonly clusterId: string;
  readonly scopeId: string;
}

/** The header that carries the token: senders have Splunk's, programs that call the API one of ours. */
export function headerOf({ token, capabilities }: MadeTokenFacts): string {
  return capabilities.includes('ingest') ? `Authorization: Splunk ${token}` : `Token: ${token}`;
}

/** The full address of the call in the example. */
export function addressOf(facts: MadeTokenFacts): string {
  if (facts.capabilities.includes('ingest')) return `${facts.address}/services/collector/event`;
  return `${facts.address}${exampleCall(facts).path}`;
}

/** A command for a shell: one event that is sent, or one call that is allowed. */
export function curlOf(facts: MadeTokenFacts): string {
  const isSender = facts.capabilities.includes('ingest');
  const body = isSender ? { event: 'Hello from a sender', source: 'test' } : exampleCall(facts).body;
  const lines = [
    `curl '${addressOf(facts)}'`,
    `-H '${headerOf(facts)}'`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(body)}'`,
  ];
  return lines.join(' \\\n  ');
}

/** A call that the first of the capabilities opens, with an input that it takes. */
export function exampleCall({ capabilities, clusterId, scopeId }: MadeTokenFacts) {
  const scope = { scope_id: scopeId };
  const page = { ...scope, pageno: 1, pagesize: 10 };
  const calls: Readonly<Record<Exclude<Capability, 'ingest'>, readonly [Endpoint, object]>> = {
    search: [invokeJob, { job_type: 'kql', ...scope, query: 'Events | take 10', from: 'now-1h', to: 'now' }],
    'cases.read': [listCases, page],
    'cases.write': [createCase, { ...scope, case_name: 'Test of a token', severity: 'Low' }],
    'signals.read': [listSignals, page],
    'signals.write': [tagFalsePositive, { ...scope, signal_ids: ['SIGNAL_ID'], false_positive: true }],
    'workbooks.read': [listWorkbooks, page],
  };
  const first = capabilities.find((one) => one !== 'ingest') ?? 'search';
  const [endpoint, body] = calls[first as keyof typeof calls];
  return { endpoint, path: endpoint.path.replace(':clusterId', clusterId), body };
}
