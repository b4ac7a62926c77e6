import { LanguageSupport, StreamLanguage, type StringStream } from '@codemirror/language';

// Colours at once, before the language service in the worker has loaded and named tables and columns.

interface LexState {
  /** Fence of a multi-line string that is still open. */
  fence: string | null;
  /** True after a pipe: the next word is an operator. */
  operatorNext: boolean;
}

const OPERATORS = new Set(
  `as consume count datatable distinct evaluate extend externaldata facet find fork getschema graph-match
   invoke join limit lookup make-series mv-apply mv-expand order parse parse-kv parse-where partition print
   project project-away project-keep project-rename project-reorder range reduce render sample
   sample-distinct scan search serialize sort summarize take top top-hitters top-nested union where`.split(
    /\s+/,
  ),
);

const WORD_OPERATORS = new Set(
  `and or not in between has has_all has_any hasprefix hassuffix has_cs contains contains_cs startswith
   startswith_cs endswith endswith_cs matches regex by on asc desc nulls first last kind with from to step
   of typeof let set inner leftouter rightouter fullouter leftanti rightanti leftsemi rightsemi
   innerunique anti semi isfuzzy withsource has_ipv4 hasprefix_cs hassuffix_cs`.split(/\s+/),
);

const TYPES = new Set(
  'bool boolean date datetime decimal double dynamic guid int long real string time timespan'.split(' '),
);

function readFence(stream: StringStream, state: LexState): string | null {
  const fence = state.fence ?? (stream.match('```') ? '```' : stream.match('~~~') ? '~~~' : null);
  if (fence === null) return null;
  state.fence = stream.skipTo(fence) ? null : fence;
  if (state.fence === null) stream.match(fence);
  else stream.skipToEnd();
  return 'string';
}

function readWord(stream: StringStream, state: LexState): string {
  const word = stream.current();
  const wasOperator = state.operatorNext;
  state.operatorNext = false;
  if (wasOperator && OPERATORS.has(word)) return 'keyword';
  if (word === 'true' || word === 'false' || word === 'null') return 'bool';
  const called = stream.match(/^\s*\(/, false) !== null;
  if (called && TYPES.has(word)) return 'typeName';
  if (WORD_OPERATORS.has(word) || WORD_OPERATORS.has(word.replace(/^!/, ''))) return 'operatorKeyword';
  if (OPERATORS.has(word) && stream.sol()) return 'keyword';
  return called ? 'variableName.function' : 'variableName';
}

function token(stream: StringStream, state: LexState): string | null {
  if (state.fence !== null) return readFence(stream, state);
  if (stream.eatSpace()) return null;
  if (stream.match('//')) {
    stream.skipToEnd();
    return 'comment';
  }
  if (readFence(stream, state)) return 'string';
  if (stream.match(/^[hH]?@"(?:[^"]|"")*"?/) || stream.match(/^[hH]?@'(?:[^']|'')*'?/)) return 'string';
  if (stream.match(/^[hH]?"(?:[^"\\]|\\.)*"?/) || stream.match(/^[hH]?'(?:[^'\\]|\\.)*'?/)) return 'string';
  if (stream.match(/^0x[0-9a-f]+/i) || stream.match(/^\d+(?:\.\d+)?(?:e[+-]?\d+)?(?:ms|[smhd])?\b/i)) {
    return 'number';
  }
  if (stream.match('|')) {
    state.operatorNext = true;
    return 'punctuation';
  }
  if (stream.match(/^!?[A-Za-z_$][\w$]*(?:-[a-z]+)*/)) return readHyphenated(stream, state);
  if (stream.match(/^(?:==|!=|=~|!~|<=|>=|[<>=+\-*/%])/)) return 'operator';
  stream.next();
  return 'punctuation';
}

/** Only operators hold hyphens; `a-b` is a subtraction. */
function readHyphenated(stream: StringStream, state: LexState): string {
  const word = stream.current();
  const hyphen = word.indexOf('-');
  if (hyphen > 0 && !(state.operatorNext && OPERATORS.has(word))) stream.backUp(word.length - hyphen);
  return readWord(stream, state);
}

/** KQL for CodeMirror: colours and `//` comments. */
export function kqlLanguage(): LanguageSupport {
  return new LanguageSupport(
    StreamLanguage.define<LexState>({
      name: 'kql',
      startState: () => ({ fence: null, operatorNext: false }),
      copyState: (state) => ({ ...state }),
      token,
      languageData: {
        commentTokens: { line: '//' },
        closeBrackets: { brackets: ['(', '[', '{', '"', "'"] },
        wordChars: '_$',
      },
    }),
  );
}
