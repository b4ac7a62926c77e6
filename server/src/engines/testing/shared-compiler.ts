import { createKqlCompiler, type KqlCompiler } from '../../features/search/kql-compiler.ts';

let shared: KqlCompiler | undefined;

/** One compiler for all test files of a process: starting its workers takes seconds of work. It ends with the process. */
export function sharedCompiler(): KqlCompiler {
  shared ??= createKqlCompiler();
  return shared;
}
