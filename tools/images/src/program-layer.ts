/** The layer of a program: its build, the SBOM and the licences. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtPrograms, mainFile, manifestOf, ROOT } from '@meshrelay/programs';
import { bundledPackages } from './bundled-packages.ts';
import { licenceList } from './licences.ts';
import { type ImageName, PROGRAM_FOLDER, type Release } from './program.ts';
import { sbomOf } from './sbom.ts';
import { type Tree, type TreeEntry, textFile } from './tree.ts';

export interface ProgramLayer {
  readonly tree: Tree;
  readonly release: Release;
  readonly sbom: string;
  readonly licences: string;
  /** The absolute path of the file that starts the program. */
  readonly main: string;
}

export function programLayer(image: ImageName): ProgramLayer {
  const { folder, files, packages } = builtPrograms();
  const manifest = manifestOf(ROOT);
  const release = JSON.parse(manifest) as Release;
  const bundled = bundledPackages(ROOT, packages[image] ?? []);
  const sbom = sbomOf(image, release, bundled);
  const licences = licenceList(release, bundled);
  const main = mainFile(image);
  const tree = new Map<string, TreeEntry>();
  for (const name of files[image] ?? [])
    tree.set(`${PROGRAM_FOLDER}/${name}`, {
      type: 'file',
      bytes: readFileSync(join(folder, name)),
      executable: name === main,
    });
  tree.set(`${PROGRAM_FOLDER}/package.json`, textFile(manifest));
  tree.set('usr/share/doc/meshrelay/sbom.cdx.json', textFile(sbom));
  tree.set('usr/share/doc/meshrelay/licences.txt', textFile(licences));
  for (const name of ['LICENSE', 'NOTICE'])
    tree.set(`usr/share/doc/meshrelay/${name}`, { type: 'file', bytes: readFileSync(join(ROOT, name)) });
  return { tree, release, sbom, licences, main: `/${PROGRAM_FOLDER}/${main}` };
}
