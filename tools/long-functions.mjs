// Functions up to fifty lines: what is longer does more than one thing. Read with TypeScript's own parser, so that a
// method, an arrow, a React component and the callback of a test all count alike.
//
// What is longer today stands in tools/long-functions.json with its length, which may only fall. After a function
// became shorter, `node tools/long-functions.mjs` lowers the list; it adds nothing to it.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { trackedFiles } from './tracked-files.mjs';

/** The longest a function may be, from its name (or its bracket) to its closing brace. */
export const FUNCTION_LINES = 50;

/** Callbacks that only hold tests together are as long as their tests. */
const HOLDS_TESTS = /^describe(?:\.|$)/;

/**
 * Functions of a file over `FUNCTION_LINES`. `name` leads to one from the top of the file (`Page.rows`), `line` is where
 * it begins, `lines` its length.
 */
export function longFunctions(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  visit(source, []);
  return found;

  function visit(node, path) {
    if (!isCounted(node)) return ts.forEachChild(node, (child) => visit(child, path));
    const inside = [...path, nameOf(node)];
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
    const lines = source.getLineAndCharacterOfPosition(node.end).line - line + 1;
    if (lines > FUNCTION_LINES) found.push({ name: inside.join('.'), line: line + 1, lines });
    ts.forEachChild(node, (child) => visit(child, inside));
  }
}

function isCounted(node) {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined && !holdsTests(node);
}

function holdsTests({ parent }) {
  return ts.isCallExpression(parent) && HOLDS_TESTS.test(parent.expression.getText());
}

/** A function's own name, or that of what it is assigned or handed to. */
function nameOf(node) {
  if (node.name) return node.name.getText();
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  for (let at = node.parent; at && !ts.isBlock(at) && !ts.isSourceFile(at); at = at.parent) {
    if (ts.isVariableDeclaration(at) || ts.isPropertyAssignment(at) || ts.isPropertyDeclaration(at))
      return at.name.getText();
    if (ts.isCallExpression(at)) return `${calledName(at)}()`;
  }
  return 'function';
}

/** What is called, without the values it is called with: two tests of a file go by their titles. */
function calledName(call) {
  const [title] = call.arguments;
  const callee = call.expression.getText().split(/[(\n]/)[0];
  return title && ts.isStringLiteralLike(title) ? `${callee} ${title.text}` : callee;
}

/** The longest function of each name: `{ 'file name': lines }`. */
function lengthsOf(found) {
  const longest = new Map();
  for (const { file, name, lines } of found) {
    const key = `${file} ${name}`;
    longest.set(key, Math.max(lines, longest.get(key) ?? 0));
  }
  return longest;
}

/**
 * Holds what was found (`{ file, name, line, lines }`) against the list (`{ 'file name': lines }`): functions that are
 * new in it or have grown, and entries that are too high or no longer needed. Answers sentences, none when all is well.
 */
export function lengthProblems(found, listed) {
  const longest = lengthsOf(found);
  const longer = found
    .filter(({ file, name, lines }) => lines > (listed[`${file} ${name}`] ?? FUNCTION_LINES))
    .map(({ file, name, line, lines }) => {
      const limit = listed[`${file} ${name}`] ?? FUNCTION_LINES;
      return `${file}:${line}: ${name} has ${lines} lines, the limit is ${limit}`;
    });
  const lower = Object.keys(listed).filter((key) => (longest.get(key) ?? 0) < listed[key]);
  return [...longer, ...lower.map((key) => `${key}: is shorter now; run node tools/long-functions.mjs`)];
}

/** The list without what is no longer needed, and with lower figures where functions became shorter. */
export function loweredList(found, listed) {
  const longest = lengthsOf(found);
  const kept = Object.entries(listed).filter(([key]) => longest.has(key));
  return Object.fromEntries(kept.map(([key, lines]) => [key, Math.min(lines, longest.get(key))]));
}

const LIST = fileURLToPath(new URL('long-functions.json', import.meta.url));

/** All long functions of the project, read from the disk. */
export function findLongFunctions(root) {
  return trackedFiles(root)
    .filter((file) => /\.(ts|tsx|mjs|cjs)$/.test(file))
    .flatMap((file) => {
      const text = fs.readFileSync(path.join(root, file), 'utf8');
      return longFunctions(file, text).map((found) => ({ file, ...found }));
    });
}

export function readLongList() {
  return JSON.parse(fs.readFileSync(LIST, 'utf8'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = findLongFunctions(path.resolve(path.dirname(LIST), '..'));
  fs.writeFileSync(LIST, `${JSON.stringify(loweredList(found, readLongList()), null, 2)}\n`);
}
