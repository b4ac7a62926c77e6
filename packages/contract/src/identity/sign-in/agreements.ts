// The licence agreement and the privacy policy come before anything else. Their versions are counted up whenever the
// texts change in substance: until a user has accepted the new one, no other call is answered.

/** In the order in which they are shown. */
export const AGREEMENTS = ['eula', 'policy'] as const;
export type Agreement = (typeof AGREEMENTS)[number];

/** The versions in force. */
export const AGREEMENT_VERSIONS: Readonly<Record<Agreement, number>> = { eula: 1, policy: 1 };

/** What somebody has still to accept, in order. */
export function agreementsDue(record: {
  readonly EULA: boolean;
  readonly isPolicyAccepted: boolean;
}): readonly Agreement[] {
  return AGREEMENTS.filter((one) => !(one === 'eula' ? record.EULA : record.isPolicyAccepted));
}
