/** Images of a few files, as archives that containerd imports: no engine, no registry. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, link, mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from './command.ts';

export interface ArchivedImage {
  /** Its name with tag. */
  readonly name: string;
  /** The name of the archive, without `.tar`. */
  readonly file: string;
  /** The path of each file in the image, without a leading slash, and the path of the file that it is made of. */
  readonly files: readonly (readonly [inImage: string, source: string])[];
  /** As in OCI's image specification. */
  readonly config: object;
}

/** Writes the archive into a folder. @returns its path */
export async function writeImage({ name, file, files, config }: ArchivedImage, folder: string): Promise<string> {
  const [root, image] = [join(folder, `${file}-root`), join(folder, `${file}-image`)];
  await mkdir(image, { recursive: true });
  for (const [inImage, source] of files) await place(await realpath(source), join(root, inImage));
  await pack(root, ['.'], join(image, 'layer.tar'));
  const diff = createHash('sha256');
  await pipeline(createReadStream(join(image, 'layer.tar')), diff);
  const rootfs = { type: 'layers', diff_ids: [`sha256:${diff.digest('hex')}`] };
  await writeFile(join(image, 'config.json'), JSON.stringify({ architecture: 'amd64', os: 'linux', rootfs, config }));
  const manifest = [{ Config: 'config.json', RepoTags: [name], Layers: ['layer.tar'] }];
  await writeFile(join(image, 'manifest.json'), JSON.stringify(manifest));
  const archive = join(folder, `${file}.tar`);
  await pack(image, ['manifest.json', 'config.json', 'layer.tar'], `${archive}.part`);
  await rename(`${archive}.part`, archive);
  return archive;
}

/** A link costs nothing, but works on one file system only. */
async function place(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await link(source, target).catch(() => copyFile(source, target));
}

async function pack(from: string, files: readonly string[], to: string): Promise<void> {
  await run('tar', ['--owner=0', '--group=0', '--numeric-owner', '--mtime=@0', '-C', from, '-cf', to, ...files]);
}
