import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  type EnrichmentTable,
  explainEnrichment,
  listEnrichment,
  listHunts,
  lookUpAddress,
  previewEnrichment,
  readEnrichment,
  readGeoDatabases,
  saveEnrichment,
  switchEnrichment,
} from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { EnrichmentFacts } from '../../query-kit/results/enrichment-facts.tsx';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { Refusal, stubCalls } from '../../testing/stub-calls.ts';
import { EnrichmentPage } from './enrichment-page.tsx';
import { GeoPage } from './geo-page.tsx';
import { UploadForm } from './upload-form.tsx';

const engineer = sampleAccess({ role: 'Security Engineer' });
const table: EnrichmentTable = {
  ...{ table_id: 't1', kind: 'indicators', name: 'Feed', enabled: true, fields: [], format: 'csv' },
  ...{
    key_column: '',
    confidence: 50,
    expires: null,
    yaml: '',
    version: 4,
    rows: 12_000,
    size_bytes: 900_000,
  },
  last_build: {
    time: 1_772_636_829_000,
    rows: 12_000,
    error: { message: 'The bucket could not be built: no', messageCode: 'enrichment.buildFailed' },
  },
  ...{ is_building: false, author: 'Ana', created: 1_772_636_829_000, modified: 1_772_636_829_000 },
  ...{ modified_by: 'Ana', revision: 3, looked_7d: 400_000, hits_7d: 1, last_hit: 1_772_636_830_000 },
};
const fact = {
  ...{ step: 'indicators', table: 'Feed', version: '4', field: 'DstIpAddr', key: '203.0.113.9' },
  added: [{ name: 'ThreatList', value: 'Feed' }],
} as const;
let calls: ReturnType<typeof stubCalls>;

beforeEach(() => {
  const geo = { version: 'country:2026-06-01', is_ready: true };
  calls = stubCalls([
    [listEnrichment, () => ({ data: [table], total_count: 1, size_bytes: 900_000, geo })],
    [listHunts, () => ({ data: [], total_count: 0 })],
    [readEnrichment, () => ({ table, samples: [] })],
    [switchEnrichment, () => ({ revision: 4 })],
    [saveEnrichment, () => ({ table_id: 't1', revision: 4, rows: 1, fault_count: 0 })],
    [explainEnrichment, () => ({ facts: [fact] })],
    [lookUpAddress, () => ({ facts: [fact] })],
    [readGeoDatabases, () => ({ databases: [], memory_bytes: 27_000_000 })],
    [
      previewEnrichment,
      () => ({
        rows: 1,
        fault_count: 1,
        faults: [{ line: 2, reason: 'no-indicator', text: 'nothing' }],
        samples: [{ key: '203.0.113.9', values: { confidence: '50' } }],
      }),
    ],
  ]);
});
afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

const inputs = (name: string) => calls.seen.filter((one) => one.name === name).map(({ input }) => input);

describe('the page of enrichment', () => {
  it('[S2-40][T-enrichment] shows the steps in their order, and of a table its entries, hits and failure', async () => {
    await renderScreen(<EnrichmentPage />, { access: engineer });
    const steps = await screen.findByRole('region', { name: 'Steps in their order' });
    const names = within(steps).getAllByRole('listitem');
    expect(names.map((one) => one.firstElementChild?.textContent)).toEqual([
      'Country and network operator',
      'Private networks',
      'Threat indicators',
      'Assets',
      'Identities',
      'Buckets',
    ]);
    await within(steps).findByText('1 on · 12,000 entries');
    const row = await screen.findByRole('row', { name: /Feed/ });
    // One hit in 400,000 is never told as none.
    expect(within(row).getByText('< 0.001 %')).toBeTruthy();
    expect(within(row).getByText('Build failed')).toBeTruthy();
    fireEvent.click(within(row).getByRole('switch', { name: 'Enrich by Feed' }));
    await waitFor(() =>
      expect(inputs(switchEnrichment.name)).toMatchObject([{ table_id: 't1', enabled: false }]),
    );
  });

  it('[S2-41][T-enrichment] reads what is pasted before it is saved, and tells what cannot be read', async () => {
    await renderScreen(<UploadForm kind="indicators" table={table} />, { access: engineer });
    fireEvent.change(await screen.findByRole('textbox', { name: /Entries/ }), {
      target: { value: '203.0.113.9\nnothing' },
    });
    await screen.findByText('1 entries can be read, 1 lines cannot');
    await screen.findByText('Line 2: no indicator: nothing');
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(inputs(saveEnrichment.name)).toMatchObject([
        { table_id: 't1', revision: 3, content: ['203.0.113.9\nnothing'], mode: 'replace' },
      ]),
    );
  });

  it('[S2-43][T-enrichment] says so when the networks of the tenant could not be read', async () => {
    stubCalls([
      [readGeoDatabases, () => ({ databases: [], memory_bytes: 27_000_000 })],
      [listEnrichment, () => new Refusal(400, 'failed', 'The records do not answer')],
    ]);
    await renderScreen(<GeoPage />, { access: engineer });
    await screen.findByText('The records do not answer');
  });

  it('[S2-40][T-enrichment] does not wait for figures of steps that could not be read', async () => {
    stubCalls([
      [listEnrichment, () => new Refusal(400, 'failed', 'The records do not answer')],
      [listHunts, () => ({ data: [], total_count: 0 })],
    ]);
    await renderScreen(<EnrichmentPage />, { access: engineer });
    const steps = await screen.findByRole('region', { name: 'Steps in their order' });
    await waitFor(() => expect(within(steps).getAllByText('–')).toHaveLength(6));
  });

  it('[S2-43][T-enrichment] looks an address up, and tells which step knows what', async () => {
    await renderScreen(<GeoPage />, { access: engineer });
    fireEvent.change(await screen.findByRole('textbox', { name: 'IP address' }), {
      target: { value: '203.0.113.9' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Look up' }));
    await screen.findByText('Feed · 4');
    expect(inputs(lookUpAddress.name)).toMatchObject([{ address: '203.0.113.9' }]);
  });

  it('[T-enrichment] tells of an event what was added to it, and by what', async () => {
    await renderScreen(<EnrichmentFacts uid="00000000-0000-8000-8000-000000000001" time={5} />, {
      access: engineer,
    });
    const facts = await screen.findByRole('table', { name: 'What was added at ingest' });
    expect(facts.textContent).toContain('DstIpAddr = 203.0.113.9');
    expect(facts.textContent).toContain('ThreatList = Feed');
  });
});
