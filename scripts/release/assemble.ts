/**
 * `node assemble.ts FOLDER [--without-images]`: builds everything that a release consists of, from the checkout that this
 * file is in. `npm run release` runs it in a copy.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { type BuiltImage, buildImages, buildKrewPlugin, type ImageName, imagePrograms } from '@meshrelay/images';
import { manifestOf } from '@meshrelay/programs';
import { readPackages } from '../packages/manifest.ts';
import { packAll } from '../packages/tarballs.ts';
import { bundleSbom } from './bundle-sbom.ts';
import { notesOf } from './changelog.ts';
import { chartArchive } from './chart-archive.ts';
import { npmSboms } from './npm-sbom.ts';
import { type Component, releaseSbom, type Sbom } from './sbom.ts';

const root = resolve(import.meta.dirname, '../..');
const CHARTS = ['meshrelay', 'meshrelay-agent'];
/** Where the release will be downloaded from. */
const DOWNLOADS = 'https://github.com/meshrelay/meshrelay/releases/download';
/** Packages that contain a program, whose libraries are not dependencies. */
const PROGRAMS: Readonly<Record<string, string>> = {
  '@meshrelay/access-log-sink': 'packages/access-log-sink/dist/access-log-sink',
  '@meshrelay/cli': 'packages/cli/dist/meshctl',
};

const [folder = '', option] = process.argv.slice(2);
if (folder === '' || (option !== undefined && option !== '--without-images'))
  throw new Error('usage: node assemble.ts FOLDER [--without-images]');
await assemble();

async function assemble(): Promise<void> {
  const { version, gitHead: commit } = JSON.parse(manifestOf(root)) as Readonly<Record<'version' | 'gitHead', string>>;
  mkdirSync(folder, { recursive: true });
  const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
  writeFileSync(join(folder, 'notes.md'), `${notes}\n`);
  const packages = packPackages();
  const charts = await packCharts(version);
  const images = option === undefined ? await packImages() : [];
  await buildKrewPlugin(`${DOWNLOADS}/v${version}`, join(folder, 'krew'));
  writeFileSync(join(folder, `meshrelay-${version}.cdx.json`), sbomOf({ version, commit, packages, charts, images }));
  writeFileSync(
    join(folder, 'release.json'),
    `${JSON.stringify({ version, commit, packages, charts, images }, undefined, 2)}\n`,
  );
  writeFileSync(join(folder, 'SHA256SUMS'), checksums());
}

interface Part {
  readonly name: string;
  readonly version: string;
  /** From the folder of the release. */
  readonly file: string;
}

interface ImagePart extends Part {
  readonly digest: string;
}

function packPackages(): readonly Part[] {
  const published = readPackages(root).filter(({ manifest }) => manifest.private !== true);
  const paths = published.map(({ path }) => path);
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-b', ...paths], { cwd: root, stdio: ['ignore', 2, 'inherit'] });
  return packAll(root, published, join(folder, 'npm')).map(({ file, manifest }) => ({
    name: manifest.name,
    version: manifest.version,
    file: `npm/${file}`,
  }));
}

async function packCharts(version: string): Promise<readonly Part[]> {
  mkdirSync(join(folder, 'charts'), { recursive: true });
  return Promise.all(
    CHARTS.map(async (name) => {
      const file = `charts/${name}-${version}.tgz`;
      writeFileSync(join(folder, file), await chartArchive(join(root, 'charts'), name));
      return { name, version, file };
    }),
  );
}

async function packImages(): Promise<readonly ImagePart[]> {
  const images = Object.keys(imagePrograms) as readonly ImageName[];
  const built = await buildImages({ images, folder: join(folder, 'images') });
  return built.map(({ image, reference, digest }: BuiltImage) => {
    const [name = '', version = ''] = reference.split(':');
    return { name, version, file: `images/${image}.tar`, digest };
  });
}

interface Release {
  readonly version: string;
  readonly commit: string;
  readonly packages: readonly Part[];
  readonly charts: readonly Part[];
  readonly images: readonly ImagePart[];
}

function sbomOf({ version, commit, packages, charts, images }: Release): string {
  const imageSboms = images.map(({ file }) => {
    const path = join(folder, file.replace(/\.tar$/, '.cdx.json'));
    return JSON.parse(readFileSync(path, 'utf8')) as Sbom;
  });
  const programs = packages.flatMap(({ name, version: own }) => {
    const program = PROGRAMS[name];
    const ref = `pkg:npm/${name.replace('@', '%40')}@${own}`;
    return program === undefined ? [] : bundleSbom(root, join(root, program), { 'bom-ref': ref, name });
  });
  const npm = npmSboms(
    root,
    packages.map(({ name }) => name),
  );
  return releaseSbom({
    version,
    commit,
    sboms: [...programs, ...npm, ...imageSboms],
    others: charts.map(chartComponent),
  });
}

function chartComponent({ name, version, file }: Part): Component {
  const component = {
    type: 'application',
    'bom-ref': `charts/${name}@${version}`,
    name,
    version,
    purl: `pkg:helm/${name}@${version}`,
    licenses: [{ license: { id: 'Apache-2.0' } }],
    hashes: [{ alg: 'SHA-256', content: sha256(file) }],
  };
  return component;
}

/** Of all files, as `sha256sum --check` reads them. */
function checksums(): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  return files.map((file) => `${sha256(file)}  ${file}\n`).join('');
}

function sha256(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
}
