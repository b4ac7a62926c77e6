// Which Chromium drives the journeys: the one that is named, the one that npm ships, or the system's. The shipped one
// is the same everywhere, and without the parts that only a window needs: the journeys take a quarter less than with
// the system's. It is unpacked into a folder that belongs to the user, and runs from nowhere else.
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
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

/** `CHROMIUM_PATH`, then the one from npm, then the system's. Throws with advice when there is none. */
export async function findBrowser(): Promise<Browser> {
  const named = process.env.CHROMIUM_PATH;
  if (named) return { executablePath: named, env: {} };
  const shipped = await shippedBrowser();
  if (shipped) return shipped;
  for (const candidate of SYSTEM_BROWSERS) {
    if (await exists(candidate)) return { executablePath: candidate, env: {} };
  }
  throw new Error('No browser found: install Chromium, or set CHROMIUM_PATH to one.');
}

/** The one from npm; null where it is not installed or, made for another kind of machine, does not run. */
async function shippedBrowser(): Promise<Browser | null> {
  const require = createRequire(import.meta.url);
  let packed: string;
  try {
    packed = path.resolve(path.dirname(require.resolve('@sparticuz/chromium')), '../../bin');
  } catch {
    return null;
  }
  const folder = await unpackInto(
    path.join(os.tmpdir(), `tyrian-chromium-147-${process.getuid?.() ?? 'user'}`),
    packed,
  );
  const browser = {
    executablePath: path.join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: path.join(folder, 'lib'), FONTCONFIG_PATH: path.join(folder, 'fonts') },
  };
  return (await runs(browser)) ? browser : null;
}

const runs = ({ executablePath, env }: Browser) =>
  new Promise<boolean>((resolve) => {
    execFile(executablePath, ['--version'], { env: { ...process.env, ...env } }, (error) => resolve(!error));
  });

/** The folder itself, or one of its own where somebody else has made a folder of that name. */
async function unpackInto(folder: string, packed: string): Promise<string> {
  if (await isOurs(folder)) return folder;
  const unpacking = await mkdtemp(`${folder}.`);
  await unpack(path.join(packed, 'chromium.br'), path.join(unpacking, 'chromium'));
  await unpackTar(path.join(packed, 'al2023.tar.br'), unpacking);
  await unpackTar(path.join(packed, 'fonts.tar.br'), unpacking);
  await unpackTar(path.join(packed, 'swiftshader.tar.br'), unpacking);
  await mkdir(path.join(unpacking, 'lib'), { recursive: true });
  const isMoved = await rename(unpacking, folder).then(
    () => true,
    () => false,
  );
  if (isMoved) return folder;
  if (!(await isOurs(folder))) return unpacking;
  // Another run was faster.
  await rm(unpacking, { recursive: true, force: true });
  return folder;
}

async function isOurs(folder: string): Promise<boolean> {
  const found = await stat(path.join(folder, 'chromium')).catch(() => null);
  return found !== null && (!process.getuid || found.uid === process.getuid());
}

const unpack = (from: string, to: string) =>
  pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to, { mode: 0o700 }));

const unpackTar = (from: string, to: string) =>
  pipeline(createReadStream(from), createBrotliDecompress(), extract(to));
