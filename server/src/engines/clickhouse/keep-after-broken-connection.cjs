// The library behaves as `clickhouse local` does, which ends its process over any error of a connection: whoever breaks
// one off in the middle of a request's head, with or without a password, would end the engine. A ClickHouse server goes
// on. What decides is one object, Poco's handler of errors: `KillingErrorHandler` here. Its three functions are replaced,
// in this process's memory, by those of the class that it is made from, which do nothing; the connection is closed either
// way. The library has no other means to say so. (base/poco/Foundation/include/Poco/ErrorHandler.h of ClickHouse)
//
// The two classes are found by the names that the C++ runtime keeps for them. The layout is that of the Itanium C++ ABI:
// type information = [its vtable, name, …]; vtable = [0, type information, two destructors, the three functions].
// https://itanium-cxx-abi.github.io/cxx-abi/abi.html#vtable
const { closeSync, openSync, readFileSync, readSync, realpathSync, writeSync } = require('node:fs');

const KILLING = '19KillingErrorHandler';
const QUIET = 'N4Poco12ErrorHandlerE';
const WORD = 8;
/** Words of a vtable before the three functions. */
const BEFORE_FUNCTIONS = 4;
const FUNCTIONS = 3;
const CHUNK_BYTES = 8 * 1024 * 1024;
const LONGEST_NAME = 32;

/** Where a library stands in this process's memory: `{ from, to, rights, offset }` in bytes. */
function regionsOf(library) {
  const lines = readFileSync('/proc/self/maps', 'utf8').split('\n');
  return lines
    .filter((line) => line.endsWith(library))
    .map((line) => {
      const [, from, to, rights, offset] = /^(\w+)-(\w+) (\S+) (\w+)/.exec(line);
      return {
        from: Number(`0x${from}`),
        to: Number(`0x${to}`),
        rights,
        offset: Number(`0x${offset}`),
      };
    });
}

function bytesAt(memory, from, length) {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const more = readSync(memory, bytes, read, length - read, from + read);
    if (more === 0) throw new Error('memory ends early');
    read += more;
  }
  return bytes;
}

/** Addresses of texts, each between two zero bytes, in regions that hold constants. */
function addressesOf(texts, regions, memory) {
  const missing = new Set(texts);
  const found = {};
  for (const { from, to } of regions)
    for (let at = from; at < to && missing.size > 0; at += CHUNK_BYTES) {
      const bytes = bytesAt(memory, at, Math.min(CHUNK_BYTES + LONGEST_NAME, to - at));
      for (const text of missing) {
        const position = bytes.indexOf(`\0${text}\0`, 0, 'latin1');
        if (position < 0) continue;
        found[text] = at + position + 1;
        missing.delete(text);
      }
    }
  if (missing.size > 0) throw new Error(`no ${[...missing].join(', ')}`);
  return found;
}

const word = (value) => {
  const bytes = Buffer.alloc(WORD);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};

/** Address of the vtable of the class whose name stands at an address. */
function vtableOf(name, tables, isCode) {
  for (const { from, bytes } of tables)
    for (let at = bytes.indexOf(word(name)); at >= WORD; at = bytes.indexOf(word(name), at + 1)) {
      const table = tableOfType(from + at - WORD, tables, isCode);
      if (table !== undefined) return table;
    }
  throw new Error('no table of functions');
}

function tableOfType(type, tables, isCode) {
  for (const { from, bytes } of tables)
    for (let at = bytes.indexOf(word(type)); at >= WORD; at = bytes.indexOf(word(type), at + 1)) {
      const start = at - WORD;
      const end = start + (BEFORE_FUNCTIONS + FUNCTIONS) * WORD;
      if (start % WORD !== from % WORD || end > bytes.length || bytes.readBigUInt64LE(start) !== 0n) continue;
      const functions = Array.from({ length: 2 + FUNCTIONS }, (_, n) =>
        Number(bytes.readBigUInt64LE(start + (2 + n) * WORD)),
      );
      if (functions.every(isCode)) return from + start;
    }
  return undefined;
}

function replaceFunctions(library, memory) {
  const regions = regionsOf(library);
  const within = (those) => (address) => those.some(({ from, to }) => address >= from && address < to);
  const isCode = within(regions.filter(({ rights }) => rights.includes('x')));
  const constants = regions.filter(({ rights, offset }) => rights === 'r--p' && offset === 0);
  const tables = regions
    .filter(({ rights, offset }) => offset > 0 && rights.startsWith('r') && !rights.includes('x'))
    .map(({ from, to }) => ({ from, bytes: bytesAt(memory, from, to - from) }));
  const names = addressesOf([KILLING, QUIET], constants, memory);
  const [killing, quiet] = [KILLING, QUIET].map((name) => vtableOf(names[name], tables, isCode));
  const place = BEFORE_FUNCTIONS * WORD;
  const functions = bytesAt(memory, quiet + place, FUNCTIONS * WORD);
  writeSync(memory, functions, 0, functions.length, killing + place);
  if (!bytesAt(memory, killing + place, functions.length).equals(functions)) throw new Error('not written');
}

/** To be called once, with the library loaded and before it runs. Answers 'kept', or why the engine stays as it is. */
function keepAfterBrokenConnection(library) {
  let memory;
  try {
    memory = openSync('/proc/self/mem', 'r+');
    replaceFunctions(realpathSync(library), memory);
    return 'kept';
  } catch (error) {
    return error.message;
  } finally {
    if (memory !== undefined) closeSync(memory);
  }
}

module.exports = { keepAfterBrokenConnection };
