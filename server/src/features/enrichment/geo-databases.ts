import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { countryNames } from '../../platform/clickhouse/country-database.ts';

// The databases of addresses that are installed with the product, and what stands in their packages. See NOTICE.

export interface InstalledDatabase {
  readonly name: 'country' | 'asn';
  readonly folder: string;
  /** The version of the package; empty when it is not installed. */
  readonly version: string;
}

const PACKAGES = { country: '@ip-location-db/dbip-country', asn: '@ip-location-db/asn' } as const;

function installed(name: keyof typeof PACKAGES): InstalledDatabase {
  try {
    const file = createRequire(import.meta.url).resolve(`${PACKAGES[name]}/package.json`);
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
    return { name, folder: path.dirname(file), version };
  } catch {
    return { name, folder: '', version: '' };
  }
}

export const installedDatabases = (): readonly InstalledDatabase[] => [
  installed('country'),
  installed('asn'),
];

/** `2026-06-17` of `2.3.2026061719`; the version itself when it is made otherwise. */
export const dayOfVersion = (version: string): string => {
  const digits = /(\d{4})(\d{2})(\d{2})\d{2}$/.exec(version);
  return digits ? digits.slice(1, 4).join('-') : version;
};

/** What the files hold, in the form that `packGeoDatabase` takes. */
export function readGeoFiles() {
  const [country, asn] = [installed('country'), installed('asn')];
  const file = ({ folder }: InstalledDatabase, name: string) =>
    folder === '' ? undefined : readFileSync(path.join(folder, name));
  const { codes, names } = countryNames();
  const texts = {
    countryV4: file(country, 'dbip-country-ipv4-num.csv'),
    countryV6: file(country, 'dbip-country-ipv6.csv'),
    asnV4: file(asn, 'asn-ipv4-num.csv'),
    asnV6: file(asn, 'asn-ipv6.csv'),
  };
  const given = Object.entries(texts).filter(([, text]) => text !== undefined);
  return {
    version: geoVersion(),
    countryNames: Object.fromEntries(codes.map((code, at) => [code, names[at] ?? code])),
    ...(Object.fromEntries(given) as { [Name in keyof typeof texts]?: Buffer }),
  };
}

/** What events say of the databases by which they got country and system: the days of their data. */
export function geoVersion(): string {
  const days = installedDatabases().map(({ name, version }) => `${name}:${dayOfVersion(version) || 'none'}`);
  return days.join(',');
}
