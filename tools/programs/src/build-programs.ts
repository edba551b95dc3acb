/** Builds of the programs from the present sources, made only if no such build exists. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Assets, assetFiles, copyFiles } from './assets.ts';
import { buildTurn } from './build-turn.ts';
import { type Bundle, type BundlePlan, bundle } from './bundle.ts';
import { hashOfInputs } from './inputs.ts';
import { manifestOf } from './manifest.ts';

export interface BuildOptions extends Omit<BundlePlan, 'folder'> {
  /** The folder for builds. */
  readonly folder: string;
  readonly assets?: Assets;
  /** Called before a build is made. */
  readonly building?: () => void;
}

/** A folder with all programs. */
export interface Build {
  readonly folder: string;
  /** Names of the files of each program, its {@link mainFile} first of all. */
  readonly files: Bundle['files'];
  /** The folders of the installed packages whose code is in each program, as paths from the root. */
  readonly packages: Bundle['packages'];
}

/** What the last build was made of, and which it is. */
interface BuildRecord extends Bundle {
  readonly hash: string;
}

/** For processes that still run from them. */
const RETAINED_BUILDS = 4;
const RECORD = 'last.json';
const UNFINISHED = '.unfinished-';
/** Milliseconds after which the folder of a build that was not finished is removed. */
const ABANDONED_MS = 600_000;
/** Milliseconds that the time of a file may lag behind the clock. */
const FILE_TIME_LAG_MS = 20;

/**
 * A build from exactly the present sources. Its folder is named by the hash of what it was made of: a build never
 * changes, and a program that runs from one keeps its files when another is made. Of several processes, one builds and
 * the others wait for it.
 * @throws Error with the bundler's messages
 */
export function buildPrograms(options: BuildOptions): Build {
  const { folder, building } = options;
  const made = presentBuild(options);
  if (made !== undefined) return made;
  mkdirSync(folder, { recursive: true });
  using _turn = buildTurn(folder);
  const another = presentBuild(options);
  if (another !== undefined) return another;
  building?.();
  for (;;) {
    const build = tryToBuild(options);
    if (build !== undefined) return build;
  }
}

function presentBuild({ root, folder, assets }: BuildOptions): Build | undefined {
  const record = readRecord(folder);
  if (record === undefined) return undefined;
  const { inputs, files, packages, hash } = record;
  const build = join(folder, hash);
  return hashOfInputs(root, [...inputs, ...allAssets(root, assets)]) === hash && existsSync(build)
    ? { folder: build, files, packages }
    : undefined;
}

/** Undefined without a build, or if a machine lost power while it was written. */
function readRecord(folder: string): BuildRecord | undefined {
  if (!existsSync(join(folder, RECORD))) return undefined;
  try {
    return JSON.parse(readFileSync(join(folder, RECORD), 'utf8')) as BuildRecord;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Undefined if a source changed meanwhile: the bundle may have its old or its new text. */
function tryToBuild({ root, entries, folder, assets = {} }: BuildOptions): Build | undefined {
  const unfinished = mkdtempSync(join(folder, UNFINISHED));
  try {
    const begun = Date.now();
    const bundled = bundle({ root, entries, folder: unfinished });
    const copied = allAssets(root, assets);
    copyFiles(root, unfinished, copied);
    const files = withAssets(bundled.files, (name) => assetFiles(root, assets[name]));
    const inputs = [...bundled.inputs, ...copied];
    const hash = hashOfInputs(root, inputs);
    if (hash === undefined || inputs.some((file) => hasChangedSince(join(root, file), begun))) return undefined;
    const build = join(folder, hash);
    writeFileSync(join(unfinished, 'package.json'), manifestOf(root));
    publish(unfinished, build);
    writeRecord(folder, { inputs: bundled.inputs, files, packages: bundled.packages, hash });
    removeOld(folder);
    return { folder: build, files, packages: bundled.packages };
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Looked up at each call: a new file makes another build. */
function allAssets(root: string, assets: Assets = {}): readonly string[] {
  return assetFiles(root, [...new Set(Object.values(assets).flatMap((folders) => folders ?? []))]);
}

function withAssets(files: Bundle['files'], assetsOf: (name: string) => readonly string[]): Bundle['files'] {
  return Object.fromEntries(Object.entries(files).map(([name, own]) => [name, [...own, ...assetsOf(name)]]));
}

/** Readers see the old one or the new one. */
function writeRecord(folder: string, record: BuildRecord): void {
  const unfinished = mkdtempSync(join(folder, UNFINISHED));
  writeFileSync(join(unfinished, RECORD), JSON.stringify(record));
  renameSync(join(unfinished, RECORD), join(folder, RECORD));
  rmSync(unfinished, { recursive: true, force: true });
}

/** A time in the future says nothing. */
function hasChangedSince(file: string, time: number): boolean {
  const { mtimeMs } = statSync(file);
  return mtimeMs >= time - FILE_TIME_LAG_MS && mtimeMs <= Date.now();
}

/** Gives a finished build its name, unless another process was first. */
function publish(unfinished: string, build: string): void {
  try {
    renameSync(unfinished, build);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    const now = new Date();
    utimesSync(build, now, now);
  }
}

function removeOld(folder: string): void {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const aged = entries.map(({ name }) => ({ name, mtimeMs: statSync(join(folder, name)).mtimeMs }));
  const builds = aged.filter(({ name }) => !name.startsWith(UNFINISHED)).sort((a, b) => b.mtimeMs - a.mtimeMs);
  const abandoned = aged.filter(
    ({ name, mtimeMs }) => name.startsWith(UNFINISHED) && Date.now() - mtimeMs > ABANDONED_MS,
  );
  for (const { name } of [...builds.slice(RETAINED_BUILDS), ...abandoned])
    rmSync(join(folder, name), { recursive: true, force: true });
}
