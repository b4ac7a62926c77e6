import type { SecretBox } from '../../platform/secret-box.ts';

// Secrets of a connector: sealed for it alone, opened where they are sent.

const purposeOf = (connectorId: string): string => `connector ${connectorId}`;

type Secrets = Readonly<Record<string, string>>;

export function sealSecrets(box: SecretBox, connectorId: string, secrets: Secrets): string | null {
  if (Object.keys(secrets).length === 0) return null;
  return box.seal(JSON.stringify(secrets), purposeOf(connectorId));
}

export function openSecrets(box: SecretBox, connectorId: string, sealed: string | null): Secrets {
  return sealed === null ? {} : (JSON.parse(box.open(sealed, purposeOf(connectorId))) as Secrets);
}
