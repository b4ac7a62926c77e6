import { createRandom, type Random } from './seeded-random.ts';

// The company of the demo: its people, machines and neighbours on the network. Nothing of it exists: names under
// .example, addresses from the ranges for documentation and benchmarks.

export const COMPANY = {
  name: 'Halden & Vane Logistics',
  mailDomain: 'haldenvane.example',
  windowsDomain: 'HALDENVANE',
  dnsSuffix: 'corp.haldenvane.example',
  cloudAccount: '111122223333',
} as const;

export interface Employee {
  readonly name: string;
  /** Account name, e.g. `mira.okafor`. */
  readonly account: string;
  readonly email: string;
  readonly department: string;
  readonly sid: string;
  readonly workstation: Machine;
}

export interface Machine {
  readonly name: string;
  readonly fqdn: string;
  readonly ip: string;
}

export interface Company {
  readonly employees: readonly Employee[];
  readonly administrators: readonly Employee[];
  readonly domainControllers: readonly Machine[];
  readonly windowsServers: readonly Machine[];
  readonly linuxServers: readonly Machine[];
  readonly webServers: readonly Machine[];
  readonly resolver: Machine;
  readonly proxy: Machine;
  readonly firewall: Machine;
  readonly sites: readonly string[];
  readonly externalAddresses: readonly string[];
}

const FIRST_NAMES =
  'Mira Jonas Amara Tomasz Lena Ravi Sofia Emeka Noor Pavel Ines Haruto Freya Diego Leila Marek Yara Olaf Priya Luca Zofia Kwame Elif Anton Maya Sanjay Greta Idris Clara Bao Nadia Felix Rosa Teodor Aisha Viktor Hanna Omar Lucia Erik'.split(
    ' ',
  );
const LAST_NAMES =
  'Okafor Lindqvist Marchetti Nowak Devereux Banerjee Halvorsen Costa Petrov Achterberg Santos Yamada Keller Moreau Aydin Kowalska Brandt Osei Ferrari Ivanova Nguyen Haddad Schreiber Vasquez Lund Romano Farouk Jansen Dubois Rahman'.split(
    ' ',
  );
const DEPARTMENTS = [
  ['FIN', 'Finance', 26],
  ['SAL', 'Sales', 44],
  ['OPS', 'Operations', 62],
  ['ENG', 'Engineering', 38],
  ['HR', 'People', 12],
  ['LEG', 'Legal', 8],
  ['IT', 'IT', 14],
] as const;

const SITE_WORDS =
  'mail news maps docs cloud files chat metrics cdn api shop travel parts weather freight customs bank video learn forum'.split(
    ' ',
  );
const SITE_NAMES =
  'northpier bluequay tidelog parcelwise openharbor kestrel lumenboard papertrail quayside meridian stacklane fernhill brightdock coppervale'.split(
    ' ',
  );

/** The company for a seed; two seeds give two companies of the same shape. */
export function buildCompany(seed: number): Company {
  const random = createRandom(seed);
  const employees = DEPARTMENTS.flatMap(([code, department, size], floor) =>
    Array.from({ length: size }, (_, index) => employee(random, code, department, floor, index)),
  );
  const server = (name: string, ip: string): Machine => machine(name, ip);
  const webServers = [server('WEB01', '10.10.40.11'), server('WEB02', '10.10.40.12')];
  return {
    employees,
    administrators: employees.filter((person) => person.department === 'IT').slice(0, 4),
    domainControllers: [server('DC01', '10.10.10.10'), server('DC02', '10.10.10.11')],
    windowsServers: [
      server('FILE01', '10.10.20.21'),
      server('SQL01', '10.10.20.31'),
      server('APP01', '10.10.20.41'),
      server('BKP01', '10.10.20.51'),
      server('JUMP01', '10.10.20.61'),
    ],
    linuxServers: [...webServers, server('LOG01', '10.10.40.21'), server('CI01', '10.10.40.31')],
    webServers,
    resolver: server('NS01', '10.10.10.53'),
    proxy: server('PROXY01', '10.10.30.8'),
    firewall: server('FW-EDGE-01', '10.10.0.1'),
    sites: SITE_NAMES.flatMap((name) => SITE_WORDS.map((word) => `${word}.${name}.example`)),
    externalAddresses: Array.from(
      { length: 600 },
      () => `198.${random.whole(18, 19)}.${random.whole(0, 255)}.${random.whole(1, 254)}`,
    ),
  };
}

function machine(name: string, ip: string): Machine {
  return { name, fqdn: `${name}.${COMPANY.dnsSuffix}`, ip };
}

function employee(random: Random, code: string, department: string, floor: number, index: number): Employee {
  const first = random.pick(FIRST_NAMES);
  const last = random.pick(LAST_NAMES);
  // The number keeps two people of one name apart.
  const account = `${first}.${last}${index % 7 === 3 ? index : ''}`.toLowerCase();
  const number = String(index + 1).padStart(3, '0');
  return {
    name: `${first} ${last}`,
    account,
    email: `${account}@${COMPANY.mailDomain}`,
    department,
    sid: `S-1-5-21-1844237615-2025429265-725345543-${1100 + floor * 200 + index}`,
    workstation: machine(`WS-${code}-${number}`, `10.20.${10 + floor}.${20 + index}`),
  };
}
