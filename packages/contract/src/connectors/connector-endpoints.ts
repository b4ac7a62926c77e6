import { z } from 'zod';
import { ALL_ROOTS } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { idSchema, pageOf, versionNumber } from '../envelope/list-request.ts';
import { connectorRecordSchema, connectorSchema } from './connector.ts';
import { connectorKindSchema } from './connector-kinds.ts';

// Data sources: connectors of a scope are listed, made, changed, tried, started and stopped.

const read = {
  kind: 'roles',
  in: 'scope',
  tags: ['engineer', 'tenant-admin', 'org-admin', ...ALL_ROOTS],
} as const;
const write = { kind: 'roles', in: 'scope', tags: ['tenant-admin'] } as const;
const scope = { scope_id: idSchema };
const one = { ...scope, connector_id: idSchema };
const path = (name: string) => `/:clusterId/api/connectors/${name}`;

const settings = {
  /** By the engine of the kind; checked with its schema. */
  config: z.record(z.string().max(64), z.unknown()),
  /** One way only. A name that is absent keeps its secret; an empty text removes it. */
  secrets: z.record(z.string().max(64), z.string().max(20_000)).default({}),
};

export const listConnectors = endpoint({
  name: 'connectors.list',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'The connectors of a scope with their state, validation, last event and events of 24 hours',
  input: z.object(scope),
  output: pageOf(connectorSchema),
  access: read,
});

export const listConnectorKinds = endpoint({
  name: 'connectors.listKinds',
  audit: 'nothing',
  method: 'POST',
  path: path('catalogue'),
  summary: 'The kinds of connectors, with the settings that each begins with',
  input: z.object(scope),
  output: pageOf(connectorKindSchema),
  access: read,
});

export const createConnector = endpoint({
  name: 'connectors.create',
  audit: 'change',
  method: 'POST',
  path: path('create'),
  summary:
    'Make a connector and its source. It is validated at once and then runs. The answer holds the token of a kind that senders push to, which is shown this once only',
  input: z.object({
    ...scope,
    kind: z.string().min(1).max(64),
    name: z.string().trim().min(1).max(128),
    ...settings,
  }),
  output: z.object({ connector: connectorSchema, token: z.string().nullable() }),
  access: write,
});

export const updateConnector = endpoint({
  name: 'connectors.update',
  audit: 'change',
  method: 'POST',
  path: path('update'),
  summary: 'Change the settings of a connector. It is validated at once, and goes on from where it was',
  input: z.object({
    ...one,
    /** The revision that the change is based on. */
    revision: versionNumber,
    ...settings,
  }),
  output: connectorSchema,
  access: write,
});

export const deleteConnector = endpoint({
  name: 'connectors.delete',
  audit: 'change',
  method: 'POST',
  path: path('delete'),
  summary: 'Delete a connector and end its source. What came in through it stays',
  input: z.object(one),
  output: z.object({ connector_id: idSchema }),
  access: write,
});

export const validateConnector = endpoint({
  name: 'connectors.validate',
  audit: 'change',
  method: 'POST',
  path: path('validate'),
  summary:
    'Look again whether what a connector names can be reached with what it has. The list tells what came of it',
  input: z.object(one),
  output: connectorSchema,
  access: write,
});

export const testConnector = endpoint({
  name: 'connectors.test',
  audit: 'event-data',
  method: 'POST',
  path: path('test'),
  summary:
    'Fetch up to ten records with the saved settings and show them as they would be decoded. Nothing is stored',
  input: z.object(one),
  output: z.object({
    records: z.array(connectorRecordSchema),
    /** What was asked, without secrets. */
    asked: z.string(),
    ms: z.number().int(),
  }),
  access: write,
});

export const setConnectorState = endpoint({
  name: 'connectors.setState',
  audit: 'change',
  method: 'POST',
  path: path('state'),
  summary: 'Start, stop or restart a connector. It stops within seconds and goes on from where it was',
  input: z.object({ ...one, act: z.enum(['start', 'stop', 'restart']) }),
  output: connectorSchema,
  access: write,
});
