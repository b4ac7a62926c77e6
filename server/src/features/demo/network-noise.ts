import type { Machine } from './demo-company.ts';
import { type DemoLine, type DemoWorld, syslogLine } from './demo-line.ts';

// An ordinary day on the network: what the firewall passes and stops, what is looked up, what is browsed.

const SERVICES = [
  { port: 443, proto: 6, service: 'HTTPS' },
  { port: 80, proto: 6, service: 'HTTP' },
  { port: 123, proto: 17, service: 'NTP' },
  { port: 853, proto: 6, service: 'DNS-TLS' },
  { port: 993, proto: 6, service: 'IMAPS' },
  { port: 587, proto: 6, service: 'SMTP-SUBMISSION' },
] as const;
const KNOCKED_PORTS = [22, 23, 445, 3389, 5900, 8080, 8443, 1433, 6379] as const;

interface Flow {
  readonly from: string;
  readonly to: string;
  readonly port: number;
  readonly proto: number;
  readonly service: string;
  readonly action: 'accept' | 'deny';
  readonly policy: string;
  readonly sent: number;
  readonly received: number;
  readonly durationMs: number;
}

/** A line of the edge firewall. */
export function firewallLine({ company, random }: DemoWorld, timeMs: number, flow: Flow): DemoLine {
  const iso = new Date(timeMs).toISOString();
  const text =
    `date=${iso.slice(0, 10)} time=${iso.slice(11, 19)} tz="+0000" eventtime=${timeMs}000000 ` +
    `devname="${company.firewall.name}" logid="0000000013" level="notice" subtype="forward" srcip=${flow.from} ` +
    `srcport=${random.whole(1025, 65_000)} dstip=${flow.to} dstport=${flow.port} proto=${flow.proto} ` +
    `action="${flow.action}" policyname="${flow.policy}" service="${flow.service}" ` +
    `duration_ms=${flow.durationMs} sentbyte=${flow.sent} rcvdbyte=${flow.received}`;
  return { source: 'edge-firewall', timeMs, text };
}

/** One flow at the edge: most leave the company, some knock from outside and are turned away. */
export function firewallNoise(world: DemoWorld, timeMs: number): DemoLine {
  const { company, random } = world;
  if (random.chance(0.12)) {
    return firewallLine(world, timeMs, {
      from: random.zipf(company.externalAddresses),
      to: '10.10.0.1',
      port: random.zipf(KNOCKED_PORTS),
      proto: 6,
      service: 'tcp',
      action: 'deny',
      policy: 'default-deny-inbound',
      sent: 0,
      received: 0,
      durationMs: 0,
    });
  }
  const service = random.zipf(SERVICES);
  const sent = Math.round(200 * 40 ** random.next());
  return firewallLine(world, timeMs, {
    from: random.chance(0.6) ? company.proxy.ip : random.zipf(company.employees).workstation.ip,
    to: random.zipf(company.externalAddresses),
    port: service.port,
    proto: service.proto,
    service: service.service,
    action: 'accept',
    policy: random.chance(0.6) ? 'proxy-to-internet' : 'workstations-to-services',
    sent,
    received: Math.round(sent * 30 ** random.next()),
    durationMs: random.whole(20, 90_000),
  });
}

const QUERY_TYPES = ['A', 'AAAA', 'HTTPS', 'SRV', 'PTR'] as const;

/** A line of the resolver's query log. */
export function dnsLine(
  world: DemoWorld,
  timeMs: number,
  client: string,
  name: string,
  type: string,
): DemoLine {
  const { company, random } = world;
  return syslogLine(
    'dns-resolver',
    timeMs,
    company.resolver,
    { name: 'named', processId: 812, priority: 30 },
    `client @0x7f${random.hex(10)} ${client}#${random.whole(1025, 65_000)} (${name}): query: ${name} IN ${type} +E(0)K (${company.resolver.ip})`,
  );
}

export function dnsNoise(world: DemoWorld, timeMs: number): DemoLine {
  const { company, random } = world;
  const isInside = random.chance(0.25);
  const name = isInside ? random.zipf(company.windowsServers).fqdn.toLowerCase() : random.zipf(company.sites);
  const client = random.chance(0.3) ? company.proxy.ip : random.zipf(company.employees).workstation.ip;
  return dnsLine(world, timeMs, client, name, isInside ? 'A' : random.zipf(QUERY_TYPES));
}

interface Request {
  readonly client: string;
  readonly user: string;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly result: string;
  readonly bytes: number;
  readonly server: string;
  readonly contentType: string;
}

/** A line of the web proxy, in the native format of Squid. */
export function proxyLine(timeMs: number, durationMs: number, request: Request): DemoLine {
  const { client, result, status, bytes, method, url, user, server, contentType } = request;
  const seconds = (timeMs / 1000).toFixed(3);
  const text = `${seconds} ${durationMs} ${client} ${result}/${status} ${bytes} ${method} ${url} ${user} HIER_DIRECT/${server} ${contentType}`;
  return { source: 'web-proxy', timeMs, text };
}

const PATHS = [
  '/',
  '/index.html',
  '/api/v2/items',
  '/static/app.js',
  '/img/logo.svg',
  '/feed',
  '/search?q=rates',
];
const TYPES = [
  'text/html',
  'text/html',
  'application/json',
  'text/javascript',
  'image/svg+xml',
  'application/xml',
];

export function proxyNoise(world: DemoWorld, timeMs: number): DemoLine {
  const { company, random } = world;
  const person = random.zipf(company.employees);
  const site = random.zipf(company.sites);
  const isTunnel = random.chance(0.6);
  const status = random.chance(0.93) ? 200 : random.pick([301, 304, 404, 502]);
  return proxyLine(timeMs, random.whole(8, 4000), {
    client: person.workstation.ip,
    user: person.account,
    method: isTunnel ? 'CONNECT' : random.chance(0.9) ? 'GET' : 'POST',
    url: isTunnel ? `${site}:443` : `http://${site}${random.zipf(PATHS)}`,
    status,
    result: isTunnel ? 'TCP_TUNNEL' : random.chance(0.2) ? 'TCP_MEM_HIT' : 'TCP_MISS',
    bytes: Math.round(500 * 200 ** random.next()),
    server: random.zipf(company.externalAddresses),
    contentType: isTunnel ? '-' : random.zipf(TYPES),
  });
}

/** A line of a web server's access log. */
export function accessLogLine(
  timeMs: number,
  host: Machine,
  request: {
    readonly client: string;
    readonly method: string;
    readonly path: string;
    readonly status: number;
    readonly bytes: number;
    readonly agent: string;
  },
): DemoLine {
  const at = new Date(timeMs).toISOString();
  const month =
    'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')[Number(at.slice(5, 7)) - 1] ?? 'Jan';
  const time = `${at.slice(8, 10)}/${month}/${at.slice(0, 4)}:${at.slice(11, 19)} +0000`;
  return syslogLine(
    'linux-syslog',
    timeMs,
    host,
    { name: 'apache2', processId: 1184, priority: 134 },
    `${request.client} - - [${time}] "${request.method} ${request.path} HTTP/1.1" ${request.status} ${request.bytes} "-" "${request.agent}"`,
  );
}
