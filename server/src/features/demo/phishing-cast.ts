import type { Employee, Machine } from './demo-company.ts';
import { type DemoWorld, domainUser } from './demo-line.ts';

// Who takes part in the phishing scenario and where it happens.

const LURES = ['Invoice_44812.docm', 'Customs_Declaration_0921.docm', 'Carrier_Rates_Q4.docm'] as const;
const DOMAINS = ['docs-quayside.example', 'portal-freightnote.example', 'cdn-paperhub.example'] as const;

export interface PhishingCast {
  readonly victim: Employee;
  readonly host: Machine;
  readonly user: string;
  readonly server: Machine;
  readonly second: Machine;
  readonly attackerIp: string;
  readonly domain: string;
  readonly lure: string;
}

/** A cast drawn from the company. */
export function castOf({ company, random }: DemoWorld): PhishingCast {
  const victim = random.pick(company.employees.filter((person) => person.department !== 'IT'));
  return {
    victim,
    host: victim.workstation,
    user: domainUser(victim),
    server: company.windowsServers[0] as Machine,
    second: company.windowsServers[1] as Machine,
    attackerIp: `203.0.113.${random.whole(60, 120)}`,
    domain: random.pick(DOMAINS),
    lure: random.pick(LURES),
  };
}
