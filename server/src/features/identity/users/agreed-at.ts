import { AGREEMENT_VERSIONS } from '@tyrian/contract';
import { timestamp } from '../../../platform/postgres/timestamp.ts';

/** The columns of somebody who has accepted the agreements in force. */
export const agreedAt = (now: number) => ({
  eula_accepted_at: timestamp(now),
  policy_accepted_at: timestamp(now),
  eula_version: AGREEMENT_VERSIONS.eula,
  policy_version: AGREEMENT_VERSIONS.policy,
});
