import * as contract from '@tyrian/contract';
import { detectionDraft } from '../../../detections/testing/detection-app.ts';
import type { SeedRole } from '../../users/testing/seed-company.ts';

// Every call of content that owes the audit trail an entry, with an input that succeeds, in an order in which it does.

const HOUR = 3_600_000;
/** Time of the server of the test. */
export const T0 = Date.UTC(2026, 2, 4, 10);
/** The range of the reads as it is asked for, and as it is resolved. */
export const ASKED = { from: 'now-24h', to: 'now' };
export const DAY = { from: T0 - 24 * HOUR, to: T0 };

/** What the calls name: put in by the test, and kept of the answers. */
export interface ContentNames {
  signal: string;
  analyst: string;
  clusterId: string;
}

export interface ContentStep {
  readonly endpoint: contract.Endpoint;
  readonly as?: SeedRole;
  readonly input: () => object;
  readonly action: string;
  readonly details?: () => object;
  /** Keeps of the answer what later steps name. */
  readonly keep?: (data: never) => void;
}

/** Finds two events of the test. */
export const query = 'ProcessEvent | where ProcessName == "tool.exe"';
const draft = (more: object = {}) => detectionDraft(query, more);
/** The steps; `names` may be filled in later. */
export function contentSteps(names: ContentNames): readonly ContentStep[] {
  const known: Record<string, string> = {};
  const versions: Record<string, number> = {};
  const keepBook = (data: { ID: string; version: number }) => {
    known.book = data.ID;
    versions.book = data.version;
  };
  const keepCase = (data: { case_id: string; revision: number }) => {
    known.case = data.case_id;
    versions.case = data.revision;
  };
  const book = (more: object = {}) => ({ ID: known.book, ...more });
  const oneCase = (more: object = {}) => ({ case_id: known.case, ...more });

  const READS: readonly ContentStep[] = [
    {
      endpoint: contract.listFields,
      input: () => ({}),
      action: 'search.fields',
    },
    {
      endpoint: contract.listSourceNames,
      input: () => ASKED,
      action: 'search.sources',
      details: () => ({ ...DAY, rows: 1 }),
    },
    {
      endpoint: contract.searchHistogram,
      input: () => ({ query, ...ASKED }),
      action: 'search.histogram',
      details: () => ({ query, ...DAY, rows: 2 }),
    },
    {
      endpoint: contract.fieldValues,
      input: () => ({ query, ...ASKED, field: 'Raw', limit: 1000 }),
      action: 'search.field_values',
      details: () => ({ query, ...DAY, field: 'Raw', rows: 1 }),
    },
    {
      endpoint: contract.explainZeroRows,
      input: () => ({ query: 'ProcessEvent | where ProcessName == "none"', ...ASKED }),
      action: 'search.zero_rows',
      details: () => ({ ...DAY, rows: 2 }),
    },
    {
      endpoint: contract.knownValues,
      input: () => ({ field: 'DvcHostname', stream: ['ProcessEvent'], ...ASKED }),
      action: 'search.known_values',
      details: () => ({ ...DAY, field: 'DvcHostname', rows: 2 }),
    },
    {
      endpoint: contract.exportSearch,
      input: () => ({ query, ...ASKED, format: 'csv' }),
      action: 'search.export',
      details: () => ({ query, ...DAY, format: 'csv', state: 'SUCCESS', rows: 2 }),
    },
    {
      endpoint: contract.previewDetection,
      input: () => ({ properties: draft(), start: DAY.from, end: DAY.to }),
      action: 'workbook.preview',
      details: () => ({ query, ...DAY, rows: 2 }),
    },
    {
      endpoint: contract.signalData,
      input: () => ({ signal_id: names.signal }),
      action: 'signal.events',
      details: () => ({ rows: 1, matched_by: 'entities', from: T0 - 25 * HOUR, to: T0 + 23 * HOUR }),
    },
    {
      endpoint: contract.signalEventsQuery,
      input: () => ({ signal_id: names.signal }),
      action: 'signal.events',
      details: () => ({ rows: 1, matched_by: 'entities' }),
    },
    {
      endpoint: contract.signalInfo,
      input: () => ({ signal_id: names.signal }),
      action: 'signal.open',
      details: () => ({ rows: 1 }),
    },
    {
      endpoint: contract.exportList,
      input: () => ({ entity: 'signals', file_name: 'all', fields: ['name'] }),
      action: 'signals.export',
      details: () => ({ rows: 1 }),
    },
  ];

  const WORKBOOKS: readonly ContentStep[] = [
    {
      endpoint: contract.addDirectory,
      input: () => ({ name: 'Lab', parent: '' }),
      action: 'directory.add',
    },
    {
      endpoint: contract.deleteDirectory,
      input: () => ({ name: 'Lab', parent: '' }),
      action: 'directory.delete',
    },
    {
      endpoint: contract.addWorkbook,
      input: () => ({ properties: draft() }),
      action: 'workbook.add',
      details: () => ({ name: 'Tool use', schedule: 'streamed' }),
      keep: keepBook,
    },
    {
      endpoint: contract.editWorkbook,
      input: () => book({ version: versions.book, properties: draft({ name: 'Tool use 2' }) }),
      action: 'workbook.edit',
      details: () => ({ name: 'Tool use 2', version: 2 }),
      keep: keepBook,
    },
    {
      endpoint: contract.editWorkbook,
      input: () =>
        book({ version: versions.book, properties: draft({ schedule: { mode: 'off' } as never }) }),
      action: 'detection.disable',
      details: () => ({ name: 'Tool use', schedule: 'off' }),
      keep: keepBook,
    },
    {
      endpoint: contract.revertWorkbook,
      input: () => book({ version: 1, with_schedule: true }),
      action: 'workbook.revert',
      details: () => ({ version: 4 }),
      keep: keepBook,
    },
    {
      endpoint: contract.moveWorkbook,
      input: () => book({ directory: 'There' }),
      action: 'workbook.move',
      details: () => ({ from: '', to: 'There' }),
    },
    { endpoint: contract.lockWorkbook, input: () => book({ lock: true }), action: 'workbook.lock' },
    { endpoint: contract.lockWorkbook, input: () => book({ lock: false }), action: 'workbook.unlock' },
    {
      endpoint: contract.setWorkbookVisibility,
      input: () => book({ enabled: false }),
      action: 'detection.disable',
      details: () => ({ name: 'Tool use', detection: true }),
    },
    {
      endpoint: contract.setWorkbookVisibility,
      input: () => book({ enabled: true }),
      action: 'detection.enable',
      details: () => ({ name: 'Tool use' }),
    },
    {
      endpoint: contract.downloadWorkbook,
      input: () => book(),
      action: 'workbook.export',
      details: () => ({ name: 'Tool use', version: 4 }),
    },
    {
      endpoint: contract.cloneWorkbook,
      input: () => book({ name: 'Copy' }),
      action: 'workbook.clone',
      details: () => ({ name: 'Copy', original: known.book, disable_original: true }),
    },
    {
      endpoint: contract.importWorkbook,
      input: () => ({ file: 'name: Brought along\nblocks: []\n', file_name: 'brought.yaml' }),
      action: 'workbook.import',
      details: () => ({ name: 'Brought along', file: 'brought.yaml' }),
    },
    {
      endpoint: contract.deleteWorkbook,
      input: () => book(),
      action: 'workbook.delete',
      details: () => ({ name: 'Tool use', detection: true }),
    },
  ];

  const CASES: readonly ContentStep[] = [
    {
      endpoint: contract.createSignalTag,
      input: () => ({ tag: 'odd' }),
      action: 'signal.tag.create',
    },
    {
      endpoint: contract.tagSignals,
      input: () => ({ signal_ids: [names.signal], add: ['odd'] }),
      action: 'signal.tags',
      details: () => ({ add: ['odd'], changed: 1, signals: [names.signal] }),
    },
    {
      endpoint: contract.tagFalsePositive,
      input: () => ({ signal_ids: [names.signal, 'missing'], false_positive: true, reason: 'a test' }),
      action: 'signal.false_positive',
      details: () => ({ false_positive: true, reason: 'a test', changed: 1, signals: [names.signal] }),
    },
    {
      endpoint: contract.createCase,
      input: () => ({ case_name: 'Eve', signal_ids: [names.signal] }),
      action: 'case.create',
      details: () => ({ name: 'Eve', signals: [names.signal], added: 1 }),
      keep: keepCase,
    },
    {
      endpoint: contract.editCase,
      input: () => oneCase({ revision: versions.case, severity: 'High' }),
      action: 'case.edit',
      details: () => ({ after: { severity: 'High' } }),
    },
    {
      endpoint: contract.assignCase,
      input: () => oneCase({ user_id: names.analyst }),
      action: 'case.assign',
      details: () => ({ from: null, to: names.analyst }),
    },
    {
      endpoint: contract.assignCase,
      input: () => oneCase({ user_id: names.analyst }),
      action: 'case.assign',
      details: () => ({ changed: 0 }),
    },
    {
      endpoint: contract.changeCaseStatus,
      input: () => oneCase({ status: 'IN-PROGRESS', note: 'on it' }),
      action: 'case.status',
      details: () => ({ from: 'OPEN', to: 'IN-PROGRESS', note_length: 5 }),
    },
    {
      endpoint: contract.changeCaseStatus,
      input: () => ({ case_ids: [known.case, 'missing'], status: 'ON-HOLD' }),
      action: 'case.status',
      details: () => ({ to: 'ON-HOLD', changed: 1, cases: [known.case], refused: 1 }),
    },
    {
      endpoint: contract.removeCaseSignal,
      input: () => oneCase({ signal_id: names.signal }),
      action: 'case.signals.remove',
      details: () => ({ signals: [names.signal] }),
    },
    {
      endpoint: contract.addCaseSignals,
      input: () => oneCase({ signal_ids: [names.signal] }),
      action: 'case.signals.add',
      details: () => ({ signals: [names.signal], changed: 1 }),
    },
    {
      endpoint: contract.addCaseEntity,
      input: () => oneCase({ type: 'host', value: 'pc-9', role: 'target' }),
      action: 'case.entity.add',
      details: () => ({ type: 'host', value: 'pc-9', role: 'target' }),
    },
    {
      endpoint: contract.addCaseEntities,
      input: () => oneCase({ role: 'target', entities: [{ type: 'ip', value: '203.0.113.9' }] }),
      action: 'case.entity.add',
      details: () => ({ role: 'target', changed: 1, entities: ['ip 203.0.113.9'] }),
    },
    {
      endpoint: contract.addCaseNote,
      input: () => oneCase({ notes: 'seen' }),
      action: 'case.note',
      details: () => ({ length: 4 }),
    },
    {
      endpoint: contract.exportCases,
      input: () => ({ case_ids: [known.case] }),
      action: 'case.export',
      details: () => ({ cases: [known.case], rows: 1 }),
    },
  ];

  const QUERIES: readonly ContentStep[] = [
    {
      endpoint: contract.saveQuery,
      input: () => ({ kind: 'query', name: 'Mine', text: query }),
      action: 'saved_query.create',
      details: () => ({ name: 'Mine' }),
      keep: (data: { id: string }) => {
        known.query = data.id;
      },
    },
    { endpoint: contract.deleteSavedQuery, input: () => ({ id: known.query }), action: 'saved_query.delete' },
    {
      endpoint: contract.restoreSavedQuery,
      input: () => ({ id: known.query }),
      action: 'saved_query.restore',
    },
    {
      endpoint: contract.saveFunction,
      input: () => ({ name: 'Tools', body: query }),
      action: 'function.save',
      details: () => ({ version: 1 }),
    },
    {
      endpoint: contract.shareFunction,
      as: 'contentManager',
      input: () => ({ name: 'Tools', cluster_ids: [names.clusterId] }),
      action: 'function.share',
      details: () => ({ version: 2 }),
    },
    {
      endpoint: contract.deleteFunction,
      as: 'contentManager',
      input: () => ({ name: 'Tools' }),
      action: 'function.delete',
    },
    {
      endpoint: contract.forgetSearches,
      input: () => ({}),
      action: 'search.forget',
      details: () => ({ changed: 0 }),
    },
  ];
  return [...READS, ...WORKBOOKS, ...CASES, ...QUERIES];
}
