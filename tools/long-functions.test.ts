import { expect, it } from 'vitest';
import { FUNCTION_LINES, lengthProblems, longFunctions, loweredList } from './long-functions.mjs';

const filler = (lines: number) => '  work();\n'.repeat(lines);
const over = filler(FUNCTION_LINES - 1);
const names = (text: string) => longFunctions('some.tsx', text).map(({ name }) => name);

it.each([
  [`function closeCase() {\n${over}}`, ['closeCase']],
  [`const closeCase = async () => {\n${over}};`, ['closeCase']],
  [`class Store {\n  constructor() {\n${over}  }\n}`, ['constructor']],
  [`class Store {\n  close() {\n${over}  }\n}`, ['close']],
  [`const store = { close: () => {\n${over}} };`, ['close']],
  [`export const Page = memo(function CasePage() {\n${over}return <div />;\n});`, ['CasePage']],
  [`it('closes', async () => {\n${over}});`, ['it closes()']],
  [`it.each([1])('closes', () => {\n${over}});`, ['it.each closes()']],
  [`function createStore() {\n  const close = () => {\n${over}  };\n}`, ['createStore', 'createStore.close']],
  [`describe('cases', () => {\n${over}});`, []],
  [`describe.each([1])('cases', () => {\n  it('closes', () => {\n${over}  });\n});`, ['it closes()']],
  [`function closeCase() {\n${filler(FUNCTION_LINES - 2)}}`, []],
  [`interface Store {\n${'  a(): void;\n'.repeat(60)}}`, []],
])('a function of more than fifty lines is found: %#', (text, found) => {
  expect(names(text)).toEqual(found);
});

it('says where it begins and how long it is', () => {
  expect(longFunctions('a.ts', `\n\n/** Why. */\nfunction a() {\n${over}}`)).toEqual([
    { name: 'a', line: 4, lines: FUNCTION_LINES + 1 },
  ]);
});

const page = { file: 'page.tsx', name: 'Page', line: 3, lines: 60 };

it('the list holds what is long today: growing, and keeping an entry too high, are both refused', () => {
  expect(lengthProblems([page], {})).toEqual(['page.tsx:3: Page has 60 lines, the limit is 50']);
  expect(lengthProblems([page], { 'page.tsx Page': 60 })).toEqual([]);
  expect(lengthProblems([page], { 'page.tsx Page': 59 })).toHaveLength(1);
  expect(lengthProblems([page], { 'page.tsx Page': 61 })).toHaveLength(1);
  expect(lengthProblems([], { 'page.tsx Page': 60 })).toHaveLength(1);
});

it('lowering the list takes nothing up and raises nothing', () => {
  expect(loweredList([page], { 'page.tsx Page': 70, 'gone.ts gone': 55 })).toEqual({ 'page.tsx Page': 60 });
  expect(loweredList([page], { 'page.tsx Page': 55 })).toEqual({ 'page.tsx Page': 55 });
  expect(loweredList([page], {})).toEqual({});
});
