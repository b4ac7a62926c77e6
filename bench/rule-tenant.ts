import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import {
  type Endpoint,
  IMPORT_LIMITS,
  type InputOf,
  listRules,
  listWorkbooks,
  type OutputOf,
  setWorkbookVisibility,
  switchRules,
  tarOf,
} from '@tyrian/contract';
import { corpusTexts } from '../server/src/features/detections/testing/corpus.ts';
import { seedCompany } from '../server/src/features/identity/users/testing/seed-company.ts';
import { ingestFeature } from '../server/src/features/ingest/ingest-feature.ts';
import { createImportsService } from '../server/src/features/rules/imports-service.ts';
import { ruleImportRequest } from '../server/src/features/rules/rule-import-request.ts';
import type { Platform } from '../server/src/platform/platform.ts';
import { caller } from './call-endpoint.ts';

// A tenant with the rules of the corpus, as its engineer sees it, for benches of rules.

const HOUR_MS = 3_600_000;
const PAGE = 500;

export interface RuleTenant {
  readonly clusterId: string;
  readonly scopeId: string;
  /** Of a sender over HTTP. */
  readonly token: string;
  /** A session that has not ended. */
  engineer(): Promise<string>;
  /** A call of the engineer in the scope. */
  call<E extends Endpoint>(endpoint: E, input: object): Promise<OutputOf<E>>;
  /** Imports all rules of the corpus as a pack, none of them on; resolves with the verdicts. */
  importRules(): Promise<Readonly<Record<string, number>>>;
  /** Switches the shipped detections of the scope; resolves with how many there are. */
  switchShipped(enabled: boolean): Promise<number>;
  /** Switches those of the first rules on or off that have a query; resolves with how many. */
  switchImported(most: number, enabled: boolean): Promise<number>;
}

/** Makes the tenant in an empty installation that serves the console there. */
export async function openRuleTenant(platform: Platform, address: string): Promise<RuleTenant> {
  const company = await seedCompany(platform);
  const { clusterId, scope: scopeId } = company.a;
  const params = { clusterId, scopeId };
  const { audit } = company.identity;
  const { sources } = ingestFeature(platform, { audit });
  const made = { clusterId, scopeId, name: 'bench', kind: 'http', networks: [], by: null } as const;
  const token = (await sources.create(made)).token ?? '';
  let session = { ssid: await company.signIn('engineer'), atMs: Date.now() };

  const engineer = async (): Promise<string> => {
    // A run is longer than a session may be idle.
    if (Date.now() - session.atMs > HOUR_MS / 4)
      session = { ssid: await company.signIn('engineer'), atMs: Date.now() };
    return session.ssid;
  };
  const call = async <E extends Endpoint>(endpoint: E, input: object): Promise<OutputOf<E>> => {
    const asked = { scope_id: scopeId, ...input } as unknown as InputOf<E>;
    return caller(address, await engineer())(endpoint, { params, input: asked });
  };
  return {
    clusterId,
    scopeId,
    token,
    engineer,
    call,
    importRules: () => importRules(createImports(platform, audit), clusterId, scopeId),
    switchShipped: async (enabled) => {
      const addfilters = [{ filter_key: 'native', filter_value: 'true' }];
      const { data } = await call(listWorkbooks, { pagesize: 1000, addfilters });
      for (const { ID } of data) await call(setWorkbookVisibility, { ID, enabled });
      return data.length;
    },
    switchImported: async (most, enabled) => {
      let switched = 0;
      for (let pageno = 1; (pageno - 1) * PAGE < most; pageno += 1) {
        const { data } = await call(listRules, { pageno, pagesize: PAGE });
        const rule_ids = data.slice(0, most - (pageno - 1) * PAGE).map(({ rule_id }) => rule_id);
        if (rule_ids.length === 0) break;
        switched += (await call(switchRules, { rule_ids, enabled })).switched;
      }
      return switched;
    },
  };
}

type Imports = ReturnType<typeof createImportsService>;

const createImports = (
  { postgres, clock }: Platform,
  audit: Parameters<typeof createImportsService>[0]['audit'],
): Imports => createImportsService({ postgres, clock, audit, job: ruleImportRequest });

async function importRules(
  imports: Imports,
  clusterId: string,
  scopeId: string,
): Promise<Readonly<Record<string, number>>> {
  const author = { userId: '', name: 'bench' };
  const scope = { clusterId, scopeId, author, who: null, source: 'bench' };
  const files = corpusTexts().map(({ id, yaml }) => ({ path: `${id}.yml`, bytes: Buffer.from(yaml) }));
  const archive = gzipSync(tarOf(files));
  const { import_id } = await imports.begin(scope, { pack: 'SigmaHQ', kind: 'imported' });
  const { partBytes } = IMPORT_LIMITS;
  for (let part = 0; part * partBytes < archive.length; part += 1) {
    const bytes = archive.subarray(part * partBytes, (part + 1) * partBytes);
    await imports.part(scope, { import_id, part, bytes });
  }
  await imports.start(scope, import_id);
  for (;;) {
    const { state, verdicts } = await imports.read(clusterId, import_id);
    if (state === 'done') return verdicts;
    if (state !== 'waiting' && state !== 'running') throw new Error(`the import is ${state}`);
    await sleep(500);
  }
}
