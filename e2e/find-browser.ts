// Which Chromium drives the journeys: the one that is named, the system's, or the one that npm ships.
// The shipped one is unpacked into a folder of our own, because its default folder can be guessed by others.
import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { extract } from 'tar-fs';

/** A browser to start: its program and what its environment needs. */
export interface Browser {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

const SYSTEM_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Flags that keep a headless browser quiet, offline and able to run as root. */
export const BROWSER_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-zygote',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-color-profile=srgb',
];

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

/** `CHROMIUM_PATH`, then the system's, then the one from npm. Throws with advice when there is none. */
export async function findBrowser(): Promise<Browser> {
  const named = process.env.CHROMIUM_PATH;
  if (named) return { executablePath: named, env: {} };
  for (const candidate of SYSTEM_BROWSERS) {
    if (await exists(candidate)) return { executablePath: candidate, env: {} };
  }
  const folder = await unpackShippedBrowser();
  return {
    executablePath: path.join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: path.join(folder, 'lib'), FONTCONFIG_PATH: path.join(folder, 'fonts') },
  };
}

async function unpackShippedBrowser(): Promise<string> {
  const require = createRequire(import.meta.url);
  let packed: string;
  try {
    packed = path.resolve(path.dirname(require.resolve('@sparticuz/chromium')), '../../bin');
  } catch {
    throw new Error('No browser found: install Chromium, or set CHROMIUM_PATH to one.');
  }
  const folder = path.join(os.tmpdir(), `tyrian-chromium-147-${process.getuid?.() ?? 'user'}`);
  if (await exists(path.join(folder, 'chromium'))) return folder;
  const unpacking = await mkdtemp(`${folder}.`);
  await unpack(path.join(packed, 'chromium.br'), path.join(unpacking, 'chromium'));
  await unpackTar(path.join(packed, 'al2023.tar.br'), unpacking);
  await unpackTar(path.join(packed, 'fonts.tar.br'), unpacking);
  await unpackTar(path.join(packed, 'swiftshader.tar.br'), unpacking);
  await mkdir(path.join(unpacking, 'lib'), { recursive: true });
  await rename(unpacking, folder).catch(() => rm(unpacking, { recursive: true, force: true }));
  return folder;
}

const unpack = (from: string, to: string) =>
  pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to, { mode: 0o700 }));

const unpackTar = (from: string, to: string) =>
  pipeline(createReadStream(from), createBrotliDecompress(), extract(to));
