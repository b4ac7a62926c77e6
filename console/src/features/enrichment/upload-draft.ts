import type { EnrichmentFormat } from '@tyrian/contract';

/** What is filled in about an upload. */
export interface UploadDraft {
  readonly name: string;
  readonly enabled: boolean;
  readonly fields: readonly string[];
  readonly format: EnrichmentFormat;
  readonly keyColumn: string;
  readonly confidence: number;
  readonly expires: number | null;
  readonly content: string;
  readonly mode: 'replace' | 'append';
}
