import type { Block, KqlBlock, Schedule, SignalBlock } from '@tyrian/contract';
import type { RuleKey } from './rule-store.ts';

/** The Sigma rule that a query was written from. */
export interface SigmaSource {
  /** All of its file. */
  readonly text: string;
  /** Of the rule in it, from 0. */
  readonly position: number;
}

/** A query and what its rows raise. */
export interface Detection {
  readonly kql: KqlBlock;
  readonly signal: SignalBlock;
  readonly sigma?: SigmaSource;
}

/** A workbook as the scheduler sees it. */
export interface RuleDefinition extends RuleKey {
  readonly name: string;
  readonly version: number;
  readonly stage: string;
  readonly schedule: Schedule;
  readonly detections: readonly Detection[];
}

/** Where definitions come from: the workbooks feature. */
export interface RuleDefinitions {
  /** Workbooks of a scope by id; those that are gone are absent. */
  definitionsOf(
    clusterId: string,
    scopeId: string,
    workbookIds: readonly string[],
  ): Promise<ReadonlyMap<string, RuleDefinition>>;
}

/** Pairs each signal block with the nearest KQL block above it. */
export function detectionsIn(blocks: readonly Block[]): Detection[] {
  const found: Detection[] = [];
  let kql: KqlBlock | null = null;
  for (const block of blocks) {
    if (block.type === 'kql') kql = block;
    if (block.type === 'signal' && kql) found.push({ kql, signal: block });
  }
  return found;
}
