/** Why an answer of a provider is not taken; for the log and the audit trail, not for the browser. */
export class SsoRefusal extends Error {
  override readonly name = 'SsoRefusal';
}
