import { z } from 'zod';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, pageFields, pageOf, versionNumber } from '../envelope/list-request.ts';
import {
  extractorCheckSchema,
  extractorIdSchema,
  extractorItemSchema,
  extractorSchema,
  extractorVersionSchema,
  samplesSchema,
  extractorScope as scope,
  simulationSchema,
  yamlSchema,
} from './extractor-record.ts';

// Extractors hold in the whole tenant. The caller is an engineer of the scope that the call names; samples and events
// belong to that scope.

const engineer = { kind: 'roles', in: 'scope', tags: ['engineer'] } as const;
const one = { ...scope, extractor_id: extractorIdSchema };
const path = (name: string) => `/:clusterId/api/extractors/${name}`;
const sourceName = z.string().min(1).max(256);

export const listExtractors = endpoint({
  name: 'extractors.list',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'Extractors of a tenant with those that come with Tyrian, by number',
  input: z.object({ ...scope, ...pageFields }),
  output: pageOf(extractorItemSchema),
  access: engineer,
});

export const readExtractorRecord = endpoint({
  name: 'extractors.read',
  audit: 'nothing',
  method: 'POST',
  path: path('read'),
  summary: 'An extractor with its definition, its draft and the samples given in this scope',
  input: z.object(one),
  output: extractorSchema,
  access: engineer,
});

export const checkExtractor = endpoint({
  name: 'extractors.check',
  audit: 'nothing',
  method: 'POST',
  path: path('check'),
  summary: 'Whether a definition may be published, check by check',
  input: z.object({
    ...scope,
    extractor_id: extractorIdSchema.optional(),
    yaml: z.string().max(yamlSchema.maxLength ?? 0),
    samples: samplesSchema.default([]),
  }),
  output: z.object({ checks: z.array(extractorCheckSchema), ok: z.boolean() }),
  access: engineer,
});

export const testExtractor = endpoint({
  name: 'extractors.test',
  audit: 'event-data',
  method: 'POST',
  path: path('simulate'),
  summary: 'What a definition makes of samples, or of the last events of a source that nothing could read',
  input: z.object({
    ...scope,
    yaml: yamlSchema,
    samples: samplesSchema.default([]),
    /** Takes the last unparsed events of this source instead of samples. */
    source: sourceName.optional(),
    limit: z.number().int().min(1).max(500).default(100),
  }),
  output: simulationSchema,
  access: engineer,
});

export const saveExtractor = endpoint({
  name: 'extractors.save',
  audit: 'change',
  method: 'POST',
  path: path('save'),
  summary: 'Save a draft: of a new extractor, or beside the version that reads what comes in',
  input: z.object({
    ...scope,
    extractor_id: extractorIdSchema.optional(),
    revision: versionNumber.optional(),
    yaml: yamlSchema,
    samples: samplesSchema.default([]),
  }),
  output: extractorSchema,
  access: engineer,
});

export const publishExtractor = endpoint({
  name: 'extractors.publish',
  audit: 'change',
  method: 'POST',
  path: path('publish'),
  summary: 'Make the draft the version that reads what comes in. Refused while a check fails',
  input: z.object({
    ...one,
    revision: versionNumber,
    comment: z.string().trim().max(500).default(''),
  }),
  output: extractorSchema,
  access: engineer,
});

export const discardExtractorDraft = endpoint({
  name: 'extractors.resetDraft',
  audit: 'change',
  method: 'POST',
  path: path('draft/discard'),
  summary: 'Discard the draft beside a published extractor',
  input: z.object({ ...one, revision: versionNumber }),
  output: extractorSchema,
  access: engineer,
});

export const switchExtractor = endpoint({
  name: 'extractors.setEnabled',
  audit: 'change',
  method: 'POST',
  path: path('enable'),
  summary:
    'Switch an extractor on or off. Of a native one and its clones one is on: switching one on switches the others off',
  input: z.object({ ...one, enabled: z.boolean() }),
  output: extractorSchema,
  access: engineer,
});

export const cloneExtractor = endpoint({
  name: 'extractors.clone',
  audit: 'change',
  method: 'POST',
  path: path('clone'),
  summary:
    'A draft of your own with the definition of another; the other goes on until the clone is published',
  input: z.object({ ...one }),
  output: extractorSchema,
  access: engineer,
});

export const removeExtractor = endpoint({
  name: 'extractors.remove',
  audit: 'change',
  method: 'POST',
  path: path('remove'),
  summary:
    'Delete an extractor of the tenant with its versions and samples. Events that it has read stay as they are',
  input: z.object(one),
  output: z.object({ extractor_id: extractorIdSchema }),
  access: engineer,
});

export const listExtractorVersions = endpoint({
  name: 'extractors.listVersions',
  audit: 'nothing',
  method: 'POST',
  path: path('versions'),
  summary: 'Versions of an extractor, the newest first',
  input: z.object(one),
  output: z.array(extractorVersionSchema),
  access: engineer,
});

export const viewExtractorVersion = endpoint({
  name: 'extractors.viewVersion',
  audit: 'nothing',
  method: 'POST',
  path: path('versions/read'),
  summary: 'The definition of one version',
  input: z.object({ ...one, version: versionNumber }),
  output: extractorVersionSchema.extend({ yaml: z.string() }),
  access: engineer,
});

export const restoreExtractorVersion = endpoint({
  name: 'extractors.restoreVersion',
  audit: 'change',
  method: 'POST',
  path: path('versions/restore'),
  summary: 'Put the definition of an earlier version into the draft',
  input: z.object({ ...one, version: versionNumber, revision: versionNumber }),
  output: extractorSchema,
  access: engineer,
});

export const listUnparsedSources = endpoint({
  name: 'extractors.listUnparsed',
  audit: 'nothing',
  method: 'POST',
  path: path('unparsed'),
  summary: 'Sources of the scope with events of the last days that nothing could read, told by figures',
  input: z.object(scope),
  output: z.array(
    z.object({ source: z.string(), unparsed: z.number().int(), events: z.number().int(), last: epochMs }),
  ),
  access: engineer,
});

export const readUnparsedEvents = endpoint({
  name: 'extractors.fetchUnparsed',
  audit: 'event-data',
  method: 'POST',
  path: path('unparsed/read'),
  summary: 'The text of the last events of a source that nothing could read, the newest first',
  input: z.object({ ...scope, source: sourceName, limit: z.number().int().min(1).max(500).default(100) }),
  output: z.array(z.object({ raw: z.string(), time: epochMs, parse_status: z.string(), reason: z.string() })),
  access: engineer,
});

/** Empties the samples of an extractor in this scope. */
export const removeSimulationFile = endpoint({
  name: 'extractors.clearSamples',
  requirement: 'C087',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/api/workbook/removesimulationfile',
  summary: 'Remove the samples of an extractor that were given in this scope',
  input: z.object(one),
  output: z.object({ extractor_id: extractorIdSchema }),
  access: engineer,
});
