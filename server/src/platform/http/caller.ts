import type { Access, Endpoint, RoleTag } from '@tyrian/contract';

// Who calls, and what stands open to them. The identity feature implements the Authorizer.

export interface Caller {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly ssid: string;
  /** The rights at a cluster, or at one scope of it. Never empty: `no-access` when there is none. */
  tagsAt(clusterId: string, scopeId?: string): readonly RoleTag[];
  /** The scopes of the cluster where the caller holds one of the tags. */
  scopesWith(clusterId: string, tags: readonly RoleTag[]): readonly string[];
}

/** The tenant and the scopes that a request names. */
export interface RequestedScopes {
  readonly clusterId: string | undefined;
  readonly scopeIds: readonly string[];
}

/** What a call is to the session that makes it. */
export type SessionUse = Pick<Endpoint, 'isPassive' | 'followsUp'>;

export interface Authorizer {
  /**
   * The caller of this session, or null when there is none any more. `isPassive`: it does not keep the session alive.
   * `followsUp`: one who was proved a moment ago still is.
   */
  authenticate(ssid: string, how?: SessionUse): Promise<Caller | null>;
  /**
   * The caller that a program's token is for one call, or null when the token is none. Throws AppError
   * `not-authorised` when it is not for this call. Absent: there are no tokens.
   */
  authenticateToken?(token: string, endpointName: string, address: string): Promise<Caller | null>;
  /** Resolves when the caller may; otherwise throws AppError (`not-authorised`, `not-found`, `bad-input`). */
  authorize(caller: Caller, access: Access, requested: RequestedScopes): Promise<void>;
}
