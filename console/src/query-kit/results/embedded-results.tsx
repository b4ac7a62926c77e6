import { useState } from 'react';
import { partsOf } from '../editor/kql-statements.ts';
import { NO_RUN, type SearchRun } from '../runs/use-search-runs.ts';
import { EmbeddedResult } from './embedded-result.tsx';
import { ResultTabs } from './result-tabs.tsx';

interface EmbeddedResultsProps {
  /** The text whose queries run. */
  readonly text: string;
  readonly runs: readonly SearchRun[];
  /** The text with a condition added to one of its queries; absent when it can't be changed. */
  readonly onText?: (text: string) => void;
  readonly onRetry: () => void;
}

/** The results of a text inside another page; those of several queries stand behind tabs. */
export function EmbeddedResults({ text, runs, onText, onRetry }: EmbeddedResultsProps) {
  const [wanted, setWanted] = useState(0);
  const shown = runs[wanted] ?? runs[0] ?? NO_RUN;
  const ran = shown.asked?.query ?? text;
  const part = partsOf(text).find((each) => each.text === ran);
  const { start, end } = part?.query ?? { start: 0, end: 0 };
  return (
    <>
      <ResultTabs text={text} runs={runs} shown={Math.max(0, runs.indexOf(shown))} onShow={setWanted} />
      <EmbeddedResult
        key={ran}
        snapshot={shown.snapshot}
        query={part ? text.slice(start, end) : ran}
        onQuery={part && onText && ((next) => onText(text.slice(0, start) + next + text.slice(end)))}
        onRetry={onRetry}
      />
    </>
  );
}
