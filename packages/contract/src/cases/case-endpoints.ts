import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema, pageFields, pageOf, versionNumber } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';
import { messageFields } from '../messages/message-values.ts';
import {
  CASE_STATUSES,
  caseEntitySchema,
  caseGraphSchema,
  caseHistorySchema,
  caseNoteSchema,
  caseSchema,
  caseSignalSchema,
  ENTITY_ROLES,
  ENTITY_TYPES,
  RESOLUTIONS,
  SEVERITIES,
} from './case.ts';

// One case at work. Every call names the scope; a case of another scope or tenant is not found.

const inScope = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const path = (name: string) => `/:clusterId/api/cases/${name}`;
const oneCase = { scope_id: idSchema, case_id: idSchema };
const signalIds = z.array(idSchema).max(1000);
const caseName = z.string().trim().min(1).max(200);
const tags = z.array(z.string().trim().min(1).max(64)).max(20);

export const caseInfo = endpoint({
  name: 'cases.read',
  requirement: 'C054',
  audit: 'nothing',
  method: 'POST',
  path: path('info'),
  summary: 'One case.',
  input: z.object(oneCase),
  output: caseSchema,
  access: inScope,
});

export const createCase = endpoint({
  name: 'cases.create',
  requirement: 'C059',
  audit: 'change',
  method: 'POST',
  path: path('create'),
  summary: 'A new case, OPEN, from no, one or many signals.',
  input: z.object({
    scope_id: idSchema,
    case_name: caseName,
    severity: z.enum(SEVERITIES).default('Medium'),
    /** User id. */
    handler: idSchema.nullish(),
    signal_ids: signalIds.default([]),
    /** Also takes pending signals of the last day with the same name, suspects and targets. */
    include_similar: z.boolean().default(false),
    tags: tags.default([]),
  }),
  output: caseSchema,
  access: inScope,
});

export const editCase = endpoint({
  name: 'cases.edit',
  requirement: 'C061',
  audit: 'change',
  method: 'POST',
  path: path('edit'),
  summary: 'Changes name, severity or tags; 409 when the case changed since `revision`.',
  input: z.object({
    ...oneCase,
    revision: versionNumber,
    case_name: caseName.optional(),
    severity: z.enum(SEVERITIES).optional(),
    tags: tags.optional(),
  }),
  output: caseSchema,
  access: inScope,
});

export const changeCaseStatus = endpoint({
  name: 'cases.changeStatus',
  requirement: 'C060',
  audit: 'change',
  method: 'POST',
  path: path('change_status'),
  summary: 'Moves one case or many to another status. With many, the answer says which were refused and why.',
  input: z
    .object({
      scope_id: idSchema,
      case_id: idSchema.optional(),
      case_ids: z.array(idSchema).min(1).max(1000).optional(),
      status: z.enum(CASE_STATUSES),
      resolution: z.enum(RESOLUTIONS).optional(),
      /** Saved as a note of the caller. */
      note: z.string().max(10_000).optional(),
    })
    .refine((input) => (input.case_id === undefined) !== (input.case_ids === undefined), {
      message: reason('caseOrCases'),
      path: ['case_id'],
    }),
  output: z.object({
    changed: z.array(caseSchema),
    refused: z.array(z.object({ case_id: idSchema, message: z.string(), ...messageFields })),
  }),
  access: inScope,
});

export const assignCase = endpoint({
  name: 'cases.assign',
  requirement: 'C062',
  audit: 'change',
  method: 'POST',
  path: path('assign_user'),
  summary: 'Sets the handler, or takes it away with null.',
  input: z.object({ ...oneCase, user_id: idSchema.nullable() }),
  output: caseSchema,
  access: inScope,
});

export const addCaseSignals = endpoint({
  name: 'cases.addSignals',
  requirement: 'C063',
  audit: 'change',
  method: 'POST',
  path: path('add_signal'),
  summary: 'Adds signals; those already in the case stay as they are.',
  input: z.object({
    ...oneCase,
    signal_ids: signalIds.min(1),
    include_similar: z.boolean().default(false),
  }),
  output: z.object({ case: caseSchema, added: z.number().int() }),
  access: inScope,
});

export const removeCaseSignal = endpoint({
  name: 'cases.removeSignal',
  audit: 'change',
  method: 'POST',
  path: path('remove_signal'),
  summary: 'Takes a signal out of the case; it is pending again when no other case holds it.',
  input: z.object({ ...oneCase, signal_id: idSchema }),
  output: caseSchema,
  access: inScope,
});

export const listCaseSignals = endpoint({
  name: 'cases.listSignals',
  requirement: 'C058',
  audit: 'nothing',
  method: 'POST',
  path: path('signal_list'),
  summary: 'The signals of a case, latest first.',
  input: z.object({ ...oneCase, pageno: pageFields.pageno, pagesize: pageFields.pagesize }),
  output: pageOf(caseSignalSchema),
  access: inScope,
});

export const listCaseEntities = endpoint({
  name: 'cases.listEntities',
  requirement: 'C065',
  audit: 'nothing',
  method: 'POST',
  path: path('entity_list'),
  summary: 'Suspects and targets of the signals, and what analysts added.',
  input: z.object(oneCase),
  output: z.array(caseEntitySchema),
  access: inScope,
});

export const addCaseEntity = endpoint({
  name: 'cases.addEntity',
  requirement: 'C066',
  audit: 'change',
  method: 'POST',
  path: path('add_entity'),
  summary: 'Adds an entity by hand.',
  input: z.object({
    ...oneCase,
    type: z.enum(ENTITY_TYPES),
    value: z.string().trim().min(1).max(2048),
    role: z.enum(ENTITY_ROLES),
  }),
  output: caseEntitySchema,
  access: inScope,
});

export const addCaseEntities = endpoint({
  name: 'cases.addEntities',
  audit: 'change',
  method: 'POST',
  path: path('add_entities'),
  summary: 'Adds several entities by hand; those already in the case with that role stay as they are.',
  input: z.object({
    ...oneCase,
    role: z.enum(ENTITY_ROLES),
    entities: z
      .array(z.object({ type: z.enum(ENTITY_TYPES), value: z.string().trim().min(1).max(2048) }))
      .min(1)
      .max(200),
  }),
  output: z.object({ added: z.number().int(), unchanged: z.number().int() }),
  access: inScope,
});

const tally = z.array(z.object({ name: z.string(), count: z.number().int() }));

export const caseFigures = endpoint({
  name: 'cases.readFigures',
  requirement: 'C064',
  audit: 'nothing',
  method: 'POST',
  path: path('stats'),
  summary: 'Figures of one case.',
  input: z.object(oneCase),
  output: z.object({
    signal_count: z.number().int(),
    risk_score: z.number().int(),
    suspects: z.number().int(),
    targets: z.number().int(),
    compromised: z.number().int(),
    tactics: tally,
    techniques: tally,
    entity_types: tally,
    first_signal: epochMs.nullable(),
    last_signal: epochMs.nullable(),
  }),
  access: inScope,
});

export const caseHistory = endpoint({
  name: 'cases.readHistory',
  requirement: 'C056',
  audit: 'nothing',
  method: 'POST',
  path: path('case_history'),
  summary: 'What was done to a case, latest first.',
  input: z.object({ ...oneCase, pageno: pageFields.pageno, pagesize: pageFields.pagesize }),
  output: pageOf(caseHistorySchema),
  access: inScope,
});

export const caseGraph = endpoint({
  name: 'cases.readGraph',
  requirement: 'C068',
  audit: 'nothing',
  method: 'POST',
  path: path('get_graph'),
  summary: 'Signals and entities of a case, and who is named by what.',
  input: z.object(oneCase),
  output: caseGraphSchema,
  access: inScope,
});

export const addCaseNote = endpoint({
  name: 'cases.addNote',
  requirement: 'C069',
  audit: 'change',
  method: 'POST',
  path: path('add_note'),
  summary: 'Adds a note. The author is the caller, whatever the body says.',
  input: z.object({
    ...oneCase,
    notes: z
      .string()
      .max(60_000)
      .refine((text) => text.trim() !== '', { message: reason('noteNeedsText') }),
    author: z.string().max(256).optional(),
    tag_list: tags.default([]),
  }),
  output: caseNoteSchema,
  access: inScope,
});

export const listCaseNotes = endpoint({
  name: 'cases.listNotes',
  requirement: 'C070',
  audit: 'nothing',
  method: 'POST',
  path: path('list_notes'),
  summary: 'Notes, oldest first: one map from case id to notes for each case asked for.',
  input: z.object({ scope_id: idSchema, case_ids: z.array(idSchema).min(1).max(200) }),
  output: z.array(z.record(z.string(), z.array(caseNoteSchema))),
  access: inScope,
});

export const CASE_ENDPOINTS = [
  caseInfo,
  createCase,
  editCase,
  changeCaseStatus,
  assignCase,
  addCaseSignals,
  removeCaseSignal,
  listCaseSignals,
  listCaseEntities,
  addCaseEntity,
  addCaseEntities,
  caseFigures,
  caseHistory,
  caseGraph,
  addCaseNote,
  listCaseNotes,
] as const;
