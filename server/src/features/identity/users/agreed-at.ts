import { AGREEMENT_VERSIONS } from '@tyrian/contract';

/** The columns of somebody who has accepted the agreements in force. */
export const agreedAt = (now: number) => ({
  eula_accepted_ms: now,
  policy_accepted_ms: now,
  eula_version: AGREEMENT_VERSIONS.eula,
  policy_version: AGREEMENT_VERSIONS.policy,
});
