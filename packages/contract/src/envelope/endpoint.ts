import type { z } from 'zod';
import type { ProductType } from '../access/product-types.ts';
import type { RoleTag } from '../access/role-tags.ts';

// An endpoint is a value: the server binds it, the client calls it, OpenAPI describes it.

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Who may call.
 * `public`: no session. `session`: any valid session, whatever its rights; `beforeAgreements` says that the licence
 * agreement and the privacy policy need not be accepted yet.
 * `roles`: the caller must hold one of the tags; `in` says where:
 * `scope`, the scope that the request names (`scope_id` or `ScopeID`; every scope of a list);
 * `cluster`, any enabled scope of the cluster in the path, or tenant administration of it;
 * `platform`, anywhere.
 */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'session'; readonly beforeAgreements?: true }
  | {
      readonly kind: 'roles';
      readonly in: 'scope' | 'cluster' | 'platform';
      readonly tags: readonly RoleTag[];
      readonly productTypes?: readonly ProductType[];
    };

/**
 * How the answer looks: `envelope`, `{status, message, data: output}`; `flat`, the output itself
 * (task state and result); `blob`, a file; `sse`, server-sent events.
 */
export type AnswerForm = 'envelope' | 'flat' | 'blob' | 'sse';

/**
 * What a call that succeeds leaves in the audit trail. `event-data`: an entry for each read of events or of what was
 * found in them; `export`: an entry for what leaves as a file; `change`: an entry for each act that changed content,
 * rights, settings or the state of a signal or case; `nothing`: it reads what is no event data. A refused call leaves
 * an entry whatever stands here.
 */
export type AuditDuty = 'event-data' | 'export' | 'change' | 'nothing';

export interface Endpoint<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /**
   * What it is called everywhere, as area and verb: `signals.list`. Unique. The operation id of OpenAPI, what logs and the
   * audit trail say, and what the console keeps answers by.
   */
  readonly name: string;
  /** The call of the specification that it answers, e.g. `C043`; absent for one of our own. */
  readonly requirement?: string;
  readonly method: HttpMethod;
  /** With `:name` parameters, e.g. `/:clusterId/api/signals/list`. */
  readonly path: string;
  readonly summary: string;
  /** Body of a POST or PUT, query of a GET or DELETE. Path parameters are always strings. */
  readonly input: I;
  readonly output: O;
  readonly answer: AnswerForm;
  readonly access: Access;
  readonly audit: AuditDuty;
  /** Asked by the console by itself: a session is not kept alive by it. */
  readonly isPassive?: true;
  /**
   * Asked again and again about what an earlier call of the same session began: a session that was proved a moment ago
   * is not read again.
   */
  readonly followsUp?: true;
}

/** Makes an endpoint value; `answer` is `envelope` unless said otherwise. */
export function endpoint<I extends z.ZodType, O extends z.ZodType>(
  value: Omit<Endpoint<I, O>, 'answer'> & { readonly answer?: AnswerForm },
): Endpoint<I, O> {
  return { ...value, answer: value.answer ?? 'envelope' };
}

/** Input as a caller writes it, before defaults. */
export type InputOf<E extends Endpoint> = z.input<E['input']>;
/** Output as a caller reads it. */
export type OutputOf<E extends Endpoint> = z.output<E['output']>;
