/** The tarballs of the public packages, made by pnpm as for a release. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createPackageFromTarballData, type Package } from '@arethetypeswrong/core';
import type { Manifest, PackageFolder } from './manifest.ts';

export interface Tarball {
  /** The file's name. */
  readonly file: string;
  readonly data: Uint8Array<ArrayBuffer>;
  readonly contents: Package;
  /** The package.json in it. */
  readonly manifest: Manifest;
}

/**
 * Packs the packages into a new folder. They are built: `prepack`, which would compile each again, does not run.
 * @throws Error with pnpm's messages
 */
export function packAll(root: string, packages: readonly PackageFolder[], folder: string): readonly Tarball[] {
  mkdirSync(folder, { recursive: true });
  for (const one of packages) packProgram(root, one);
  const filters = packages.map(({ manifest }) => `--filter=${manifest.name}`);
  execFileSync(
    'pnpm',
    [...filters, '--recursive', '--config.ignore-scripts=true', 'pack', '--pack-destination', folder],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  return readdirSync(folder)
    .sort()
    .map((file) => readTarball(file, Uint8Array.from(readFileSync(join(folder, file)))));
}

/** Puts the program that a package publishes into its `dist`, as its `prepack` does. */
export function packProgram(root: string, { path, manifest }: PackageFolder): void {
  const [, program] = /prepack\.mjs (\S+)$/.exec(manifest.scripts?.['prepack'] ?? '') ?? [];
  if (program === undefined) return;
  execFileSync(process.execPath, ['tools/programs/src/pack.ts', program, join(root, path, 'dist', program)], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

function readTarball(file: string, data: Uint8Array<ArrayBuffer>): Tarball {
  const contents = createPackageFromTarballData(data);
  const text = contents.readFile(`/node_modules/${contents.packageName}/package.json`);
  return { file, data, contents, manifest: JSON.parse(text) as Manifest };
}
