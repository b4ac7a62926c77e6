import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { RuleSample } from '@tyrian/contract';
import { judgeSigma, kqlOf, type ReadDocument, readSigmaBytes, sigmaLibrary } from '@tyrian/sigma';
import { detectionsIn } from '../../features/detections/rule-definition.ts';
import {
  isBelowRegressionData,
  isSampleFile,
  regressionSamples,
  samplesInText,
  samplesOfList,
} from '../../features/rules/sample-files.ts';
import { readYaml } from '../../features/workbooks/read-yaml.ts';
import { readWorkbookFile } from '../../features/workbooks/workbook-file.ts';
import { UsageError } from '../command.ts';

// Rules of files with their samples, whichever of the three forms a file has.

export interface RuleOfFile {
  readonly file: string;
  readonly name: string;
  readonly queries: readonly string[];
  readonly samples: readonly RuleSample[];
  /** Why it has no query. */
  readonly reason?: string;
}

const RULE_FILE = /\.ya?ml$/i;

/** Files below a path, links left out, in the order of their names. */
function filesBelow(one: string): readonly string[] {
  const found = statSync(one, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`${one} is not there`);
  if (!found.isDirectory()) return [one];
  const entries = readdirSync(one, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const full = path.join(one, entry.name);
    if (entry.isDirectory()) return filesBelow(full);
    return entry.isFile() ? [full] : [];
  });
}

const slashed = (file: string): string => file.split(path.sep).join('/');

/** The rules of the files and folders. Throws UsageError for a path that is not there. */
export function readRuleFiles(paths: readonly string[]): readonly RuleOfFile[] {
  const files = paths.flatMap(filesBelow);
  const beside = regressionSamples(
    files
      .filter((file) => isSampleFile(slashed(file)))
      .map((file) => ({ path: slashed(file), text: readFileSync(file, 'utf8') })),
  );
  const texts = files
    .filter((file) => RULE_FILE.test(file) && !isBelowRegressionData(slashed(file)))
    .map((file) => ({ file, bytes: readFileSync(file) }));
  const own = texts.map(({ file, bytes }) => ownForm(file, bytes.toString('utf8')));
  const sigma = texts.filter((_, at) => own[at] === null);
  return [...own.filter((one) => one !== null), ...sigmaRules(sigma, beside)];
}

/** A shipped detection or a workbook; null for anything else. */
function ownForm(file: string, text: string): RuleOfFile | null {
  if (!/^(?:kql|blocks):/m.test(text)) return null;
  const read = readYaml(text);
  if (!read.ok || typeof read.value !== 'object' || read.value === null) return null;
  const { kql, name, samples } = read.value as Record<string, unknown>;
  if (typeof kql === 'string' && typeof name === 'string')
    return { file, name, queries: [kql], samples: samples === undefined ? [] : samplesOfList(samples) };
  try {
    const draft = readWorkbookFile(text);
    const queries = detectionsIn(draft.blocks).map((detection) => detection.kql.body.query);
    return { file, name: draft.name, queries, samples: draft.samples ?? [] };
  } catch (error) {
    return { file, name: String(name ?? file), queries: [], samples: [], reason: (error as Error).message };
  }
}

interface ReadText {
  readonly file: string;
  readonly position: number;
  readonly text: string;
  readonly document: ReadDocument;
}

function sigmaRules(
  texts: readonly { readonly file: string; readonly bytes: Buffer }[],
  beside: ReadonlyMap<string, readonly RuleSample[]>,
): readonly RuleOfFile[] {
  const read = texts.flatMap(({ file, bytes }) =>
    readSigmaBytes(bytes).map(
      (document, position): ReadText => ({ file, position, text: bytes.toString('utf8'), document }),
    ),
  );
  const library = sigmaLibrary(read.map(({ document }) => document));
  return read.map(({ file, position, text, document }) => {
    const { id, title } = document.ok ? document.document : document;
    const samples = [...samplesInText(text, position), ...(beside.get(id ?? '') ?? [])];
    const rule = { file, name: title ?? path.basename(file), samples };
    if (samples.length === 0) return { ...rule, queries: [] };
    const verdict = judgeSigma(document, library, {});
    if (verdict.verdict !== 'runs')
      return { ...rule, queries: [], reason: `${verdict.verdict}: ${verdict.reason}` };
    const kql = verdict.compiled && kqlOf(verdict.compiled);
    return { ...rule, queries: kql ? [kql] : [] };
  });
}
