export type { Diagnostic, Fix, Saying, Severity, Span } from './diagnostic.ts';
export { renderDiagnostic } from './render-diagnostic.ts';
export { depthAfter, type KqlMark, scanKql } from './scan-kql.ts';
export { fillSentence, isSentence, type Sentence } from './sentences/fill-sentence.ts';
export { fillTemplate, type NamesIn } from './sentences/fill-template.ts';
export { readSentence } from './sentences/read-sentence.ts';
export { saying } from './sentences/saying.ts';
export {
  inEnglish,
  oneOf,
  SENTENCES,
  type SentenceKey,
  say,
  sentenceTemplate,
} from './sentences/sentences.ts';
