import { STREAMS } from '@tyrian/catalog';
import {
  DATA_MODEL_LIMITS,
  type decideModelRequest,
  type ModelField,
  type ModelRequest,
  type NamedBy,
  type OutputOf,
  type readDataModel,
  type saveModelField,
  type saveModelStream,
  say,
  type Wanted,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import { writeEvents } from '../../platform/events/write-events.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { newId } from '../../platform/new-id.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { collisionOf, isNative } from './model-collisions.ts';
import {
  type By,
  closeRequest,
  deleteField,
  deleteStream,
  type FieldRow,
  insertRequest,
  listFields,
  listRequests,
  listStreams,
  lockModel,
  lockRequest,
  putField,
  putStream,
  type RequestRow,
} from './model-store.ts';

// The data model of a tenant: content managers add streams and fields, engineers ask for them.

interface InTenant {
  readonly clusterId: string;
  readonly caller: Pick<Caller, 'userId' | 'name'>;
}

export interface DataModelDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly audit: AuditService;
  /** Whether a stream may be called so. */
  readonly isFreeName: (clusterId: string, name: string, userId: string) => Promise<boolean>;
  /** What names a word in a tenant: workbooks, rules, functions. */
  readonly namedBy: (
    clusterId: string,
    words: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly NamedBy[]>>;
  /** The catalog of the tenant is another from now on. */
  readonly changed: (clusterId: string) => void;
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;
type FieldKey = { readonly stream: string; readonly name: string };

export interface AskedOf extends InTenant {
  readonly scopeId: string;
  /** What needs them, such as the name of an extractor. */
  readonly source: string;
}

export interface DataModelService {
  read(clusterId: string): Promise<OutputOf<typeof readDataModel>>;
  saveStream(by: InTenant, input: Parsed<typeof saveModelStream>): Promise<{ name: string }>;
  removeStream(by: InTenant, input: { name: string; confirm_used: boolean }): Promise<{ name: string }>;
  saveField(by: InTenant, input: Parsed<typeof saveModelField>): Promise<ModelField>;
  removeField(
    by: InTenant,
    input: FieldKey & { confirm_used: boolean },
  ): Promise<{ stream: string; name: string }>;
  usage(clusterId: string, name: string): Promise<NamedBy[]>;
  /**
   * Asks the content managers for streams and fields, for an extractor or a person; answers the ids of the requests that are
   * open for them. What is there already is left out. Throws `conflict` when too many are open.
   */
  request(by: AskedOf, wanted: readonly Wanted[]): Promise<readonly string[]>;
  requests(clusterId: string, state: ModelRequest['state'] | undefined): Promise<ModelRequest[]>;
  /** Throws `conflict` for one that is decided, or that cannot be added so. */
  decide(by: InTenant, input: Parsed<typeof decideModelRequest>): Promise<{ request_id: string }>;
}

export function createDataModelService(deps: DataModelDeps): DataModelService {
  return bindDeps(deps, {
    read,
    saveStream,
    removeStream,
    saveField,
    removeField,
    usage,
    request,
    requests,
    decide,
  });
}

async function read({ postgres }: DataModelDeps, clusterId: string) {
  const { added, fields, open } = await postgres.inTenant(clusterId, async (trx) => ({
    added: await listStreams(trx, clusterId),
    fields: await listFields(trx, clusterId),
    open: await listRequests(trx, clusterId, 'open'),
  }));
  const streamOf = (
    name: string,
    known: { description: string; native: boolean },
    own?: (typeof added)[number],
  ) => {
    const its = fields.filter(({ stream }) => stream === name);
    const last = [...its, ...(own ? [own] : [])].sort((one, other) => other.changed - one.changed)[0];
    return {
      ...{ name, ...known, fields: its.length },
      changed_by: last?.changed_by ?? null,
      changed: last?.changed ?? null,
    };
  };
  return {
    streams: [
      ...added.map((one) => streamOf(one.name, { description: one.description, native: false }, one)),
      ...STREAMS.map(({ name }) => streamOf(name, { description: '', native: true })),
    ],
    fields: fields.map(fieldOf),
    open_requests: open.length,
  };
}

const fieldOf = ({ changed_by: _by, changed: _at, aliases, ...field }: FieldRow): ModelField => ({
  ...field,
  aliases: [...aliases],
});

/** A change of the data model with its entry in the audit trail, after which everybody reads the new one. */
async function change<T>(
  deps: DataModelDeps,
  { clusterId, caller }: InTenant,
  entry: {
    readonly action: string;
    readonly entity: string;
    readonly details?: Readonly<Record<string, unknown>>;
  },
  work: (trx: TenantTransaction, by: By) => Promise<T>,
): Promise<T> {
  const made = await deps.postgres.inTenant(clusterId, async (trx) => {
    await lockModel(trx, clusterId);
    const result = await work(trx, { name: caller.name, atMs: deps.clock.now() });
    await deps.audit.record({ ...entry, who: caller, clusterId }, trx);
    return result;
  });
  deps.changed(clusterId);
  return made;
}

const conflict = (said: ReturnType<typeof say>, details?: unknown) => new AppError('conflict', said, details);

async function refuseTaken(
  deps: DataModelDeps,
  { clusterId, caller }: InTenant,
  name: string,
): Promise<void> {
  if (!(await deps.isFreeName(clusterId, name, caller.userId)))
    throw conflict(say('dataModel.nameTaken', { name }));
}

async function saveStream(deps: DataModelDeps, by: InTenant, input: Parsed<typeof saveModelStream>) {
  const { name, description, is_new } = input;
  if (is_new) await refuseTaken(deps, by, name);
  const action = is_new ? 'data-model.add-stream' : 'data-model.change-stream';
  return change(deps, by, { action, entity: name }, async (trx, who) => {
    const known = await listStreams(trx, by.clusterId);
    if (!is_new && !known.some((one) => one.name === name)) throw notFound();
    await addStream(trx, by.clusterId, { name, description }, who);
    return { name };
  });
}

async function addStream(
  trx: TenantTransaction,
  clusterId: string,
  stream: { readonly name: string; readonly description: string },
  who: By,
): Promise<void> {
  const known = await listStreams(trx, clusterId);
  const lower = stream.name.toLowerCase();
  const same = known.find((one) => one.name.toLowerCase() === lower);
  if (same && same.name !== stream.name) throw conflict(say('dataModel.nameTaken', { name: same.name }));
  const most = DATA_MODEL_LIMITS.streams;
  if (!same && known.length >= most) throw conflict(say('dataModel.tooManyStreams', { most }));
  await putStream(trx, clusterId, stream, who);
}

async function refuseUsed(
  deps: DataModelDeps,
  clusterId: string,
  name: string,
  isConfirmed: boolean,
): Promise<void> {
  const users = await usage(deps, clusterId, name);
  if (users.length > 0 && !isConfirmed)
    throw conflict(say('dataModel.inUse', { count: users.length, name }), { named_by: users });
}

async function removeStream(
  deps: DataModelDeps,
  by: InTenant,
  input: { name: string; confirm_used: boolean },
) {
  const { name } = input;
  await refuseUsed(deps, by.clusterId, name, input.confirm_used);
  return change(deps, by, { action: 'data-model.remove-stream', entity: name }, async (trx) => {
    if (isNative(name) || !(await deleteStream(trx, by.clusterId, name))) throw notFound();
    return { name };
  });
}

async function saveField(deps: DataModelDeps, by: InTenant, input: Parsed<typeof saveModelField>) {
  const { is_new, ...field } = input;
  const action = is_new ? 'data-model.add-field' : 'data-model.change-field';
  const entry = { action, entity: `${field.stream}.${field.name}`, details: { type: field.type } };
  return change(deps, by, entry, async (trx, who) => {
    await addField(trx, by.clusterId, field, who, is_new);
    const made = (await listFields(trx, by.clusterId)).find(
      ({ stream, name }) => stream === field.stream && name === field.name,
    );
    if (!made) throw notFound();
    return fieldOf(made);
  });
}

async function addField(
  trx: TenantTransaction,
  clusterId: string,
  field: Omit<Parsed<typeof saveModelField>, 'is_new'>,
  who: By,
  isNew: boolean,
): Promise<void> {
  const { stream, name } = field;
  const streams = await listStreams(trx, clusterId);
  if (!isNative(stream) && !streams.some((one) => one.name === stream))
    throw new AppError('bad-input', say('dataModel.noStream', { name: stream }));
  const fields = await listFields(trx, clusterId);
  const isThere = fields.some((one) => one.stream === stream && one.name === name);
  if (isNew && isThere) throw conflict(say('dataModel.fieldTaken', { name }));
  if (!isNew && !isThere) throw notFound();
  const collision = collisionOf(field, fields);
  if (collision) throw conflict(collision);
  const most = DATA_MODEL_LIMITS.fields;
  if (isNew && fields.length >= most) throw conflict(say('dataModel.tooManyFields', { most }));
  await putField(trx, clusterId, field, who);
}

async function removeField(deps: DataModelDeps, by: InTenant, input: FieldKey & { confirm_used: boolean }) {
  const { stream, name } = input;
  await refuseUsed(deps, by.clusterId, name, input.confirm_used);
  const entry = { action: 'data-model.remove-field', entity: `${stream}.${name}` };
  return change(deps, by, entry, async (trx) => {
    if (!(await deleteField(trx, by.clusterId, { stream, name }))) throw notFound();
    return { stream, name };
  });
}

async function usage({ namedBy }: DataModelDeps, clusterId: string, name: string): Promise<NamedBy[]> {
  return [...((await namedBy(clusterId, [name])).get(name) ?? [])];
}

const keyOf = ({ stream, field }: { readonly stream: string; readonly field: string }): string =>
  `${stream} ${field}`.toLowerCase();

async function request(
  deps: DataModelDeps,
  by: AskedOf,
  wanted: readonly Wanted[],
): Promise<readonly string[]> {
  const { clusterId, scopeId, caller, source } = by;
  return deps.postgres.inTenant(clusterId, async (trx) => {
    await lockModel(trx, clusterId);
    const streams = new Set((await listStreams(trx, clusterId)).map(({ name }) => name));
    const fields = new Set((await listFields(trx, clusterId)).map(({ stream, name }) => `${stream} ${name}`));
    const open = new Map(
      (await listRequests(trx, clusterId, 'open')).map((one) => [keyOf(one), one.request_id]),
    );
    const ids = new Set<string>();
    for (const one of wanted) {
      const isThere =
        one.field === ''
          ? isNative(one.stream) || streams.has(one.stream)
          : fields.has(`${one.stream} ${one.field}`);
      if (isThere) continue;
      const request_id = open.get(keyOf(one)) ?? newId();
      ids.add(request_id);
      if (open.has(keyOf(one))) continue;
      if (open.size >= DATA_MODEL_LIMITS.openRequests)
        throw conflict(say('dataModel.tooManyRequests', { most: DATA_MODEL_LIMITS.openRequests }));
      open.set(keyOf(one), request_id);
      const who = { userId: caller.userId, name: caller.name, atMs: deps.clock.now() };
      await insertRequest(trx, { clusterId, scopeId }, { ...one, request_id, source }, who);
    }
    const details = { requests: ids.size };
    const entry = { action: 'data-model.ask', who: caller, clusterId, scopeId, entity: source, details };
    await deps.audit.record(entry, trx);
    return [...ids];
  });
}

async function requests(
  { postgres }: DataModelDeps,
  clusterId: string,
  state: ModelRequest['state'] | undefined,
) {
  const rows = await postgres.inTenant(clusterId, (trx) => listRequests(trx, clusterId, state ?? null));
  return rows.map(({ scope_id: _scope, asked_by_id: _id, ...one }) => one);
}

async function decide(deps: DataModelDeps, by: InTenant, input: Parsed<typeof decideModelRequest>) {
  const { request_id, approve, reason } = input;
  if (!approve && reason === '') throw new AppError('bad-input', say('dataModel.reasonMissing'));
  const entry = {
    action: approve ? 'data-model.approve' : 'data-model.refuse',
    entity: request_id,
    details: { reason },
  };
  await refuseNameOfRequest(deps, by, input);
  return change(deps, by, entry, async (trx, who) => {
    const asked = await lockRequest(trx, by.clusterId, request_id);
    if (!asked) throw notFound();
    if (asked.state !== 'open') throw conflict(say('dataModel.decided', { name: asked.decided_by ?? '' }));
    if (approve) await addAsked(trx, by.clusterId, { ...asked, ...withoutAbsent(input) }, who);
    const state = approve ? 'approved' : 'refused';
    await closeRequest(trx, by.clusterId, request_id, { state, reason, by: who });
    await tell(trx, by, asked, who);
    return { request_id };
  });
}

const withoutAbsent = ({ type, description }: Parsed<typeof decideModelRequest>) => ({
  ...(type === undefined ? {} : { type }),
  ...(description === undefined ? {} : { description }),
});

/** A stream that is asked for may have become the name of something else. */
async function refuseNameOfRequest(
  deps: DataModelDeps,
  by: InTenant,
  { request_id, approve }: Parsed<typeof decideModelRequest>,
): Promise<void> {
  if (!approve) return;
  const open = await deps.postgres.inTenant(by.clusterId, (trx) => listRequests(trx, by.clusterId, 'open'));
  const asked = open.find((one) => one.request_id === request_id);
  if (asked?.field === '') await refuseTaken(deps, by, asked.stream);
}

async function addAsked(
  trx: TenantTransaction,
  clusterId: string,
  { stream, field, type, description, example }: RequestRow,
  who: By,
): Promise<void> {
  if (field === '') return addStream(trx, clusterId, { name: stream, description }, who);
  return addField(
    trx,
    clusterId,
    { stream, name: field, type, description, example, aliases: [] },
    who,
    true,
  );
}

async function tell(
  trx: TenantTransaction,
  { clusterId, caller }: InTenant,
  { scope_id: scopeId, stream, field, request_id, asked_by_id }: RequestRow,
  { atMs }: By,
): Promise<void> {
  await writeEvents(trx, [
    {
      ...{ clusterId, scopeId, kind: 'data-model.decided', objectId: request_id, atMs },
      actor: { userId: caller.userId, name: caller.name },
      details: { name: field === '' ? stream : `${stream}.${field}`, asker_id: asked_by_id },
    },
  ]);
}
