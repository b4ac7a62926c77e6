import {
  type AttackNames,
  completeSigma,
  hoverSigma,
  judgeSigma,
  type LintContext,
  lintSigma,
  readOneSigma,
  sigmaLibrary,
} from '@tyrian/sigma';
import type {
  SigmaAnswers,
  SigmaMistake,
  SigmaWorkerAnswer,
  SigmaWorkerMessage,
  SigmaWorkerRequest,
} from './sigma-worker-protocol.ts';

// Reading, compiling and linting of rules, away from typing. What the tenant has is asked of the server.

let attack: AttackNames = new Map();
let context: LintContext = {};

function answerTo(request: SigmaWorkerRequest): SigmaAnswers[keyof SigmaAnswers] {
  switch (request.kind) {
    case 'attack':
      attack = new Map(request.names);
      context = contextOf(attack);
      return null;
    case 'lint':
      return { mistake: mistakeIn(request.text), findings: lintSigma(request.text, context) };
    case 'complete':
      return completeSigma(request.text, request.position, attack);
    case 'hover':
      return hoverSigma(request.text, request.position, attack);
  }
}

const isTechnique = (name: string): boolean => /^t\d{4}/.test(name);

function contextOf(names: AttackNames): LintContext {
  if (names.size === 0) return {};
  const all = [...names.keys()];
  return {
    attack: {
      techniques: new Set(all.filter(isTechnique).map((name) => name.toUpperCase())),
      tactics: new Set(all.filter((name) => !isTechnique(name))),
    },
  };
}

function mistakeIn(text: string): SigmaMistake | null {
  const read = readOneSigma(text);
  // What a correlation or a filter names stands in other texts.
  if (read.ok && read.document.kind !== 'rule') return null;
  const verdict = judgeSigma(read, sigmaLibrary([read]), {});
  if (verdict.verdict === 'runs' || verdict.verdict === 'missing source') return null;
  return { code: verdict.code, message: verdict.reason, span: verdict.span };
}

function answer({ id, request }: SigmaWorkerMessage): SigmaWorkerAnswer {
  try {
    return { id, ok: true, answer: answerTo(request) };
  } catch (error) {
    return { id, ok: false, message: String(error) };
  }
}

self.addEventListener('message', (event: MessageEvent<SigmaWorkerMessage>) => {
  self.postMessage(answer(event.data));
});
