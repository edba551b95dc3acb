/** Images of single programs, as archives that containerd imports: no engine, no registry. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, link, mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from './command.ts';

export interface ProgramImage {
  /** Its name with tag. */
  readonly name: string;
  /** A program that needs no libraries: it becomes the entrypoint, in the root of the image. */
  readonly program: string;
  readonly user?: string;
}

/** Writes the archive `NAME.tar`, NAME being the program's, into a folder. @returns its path */
export async function writeImage({ name, program, user = '' }: ProgramImage, folder: string): Promise<string> {
  const file = basename(program);
  const [root, image] = [join(folder, `${file}-root`), join(folder, `${file}-image`)];
  await mkdir(root, { recursive: true });
  await mkdir(image, { recursive: true });
  // A link costs nothing, but works on one file system only.
  await link(program, join(root, file)).catch(() => copyFile(program, join(root, file)));
  await pack(root, [file], join(image, 'layer.tar'));
  const diff = createHash('sha256');
  await pipeline(createReadStream(join(image, 'layer.tar')), diff);
  const config = {
    architecture: 'amd64',
    os: 'linux',
    rootfs: { type: 'layers', diff_ids: [`sha256:${diff.digest('hex')}`] },
    config: { Entrypoint: [`/${file}`], User: user, WorkingDir: '/' },
  };
  await writeFile(join(image, 'config.json'), JSON.stringify(config));
  const manifest = [{ Config: 'config.json', RepoTags: [name], Layers: ['layer.tar'] }];
  await writeFile(join(image, 'manifest.json'), JSON.stringify(manifest));
  const archive = join(folder, `${file}.tar`);
  await pack(image, ['manifest.json', 'config.json', 'layer.tar'], `${archive}.part`);
  await rename(`${archive}.part`, archive);
  return archive;
}

async function pack(from: string, files: readonly string[], to: string): Promise<void> {
  await run('tar', ['--owner=0', '--group=0', '--numeric-owner', '--mtime=@0', '-C', from, '-cf', to, ...files]);
}
