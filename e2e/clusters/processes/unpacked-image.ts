/** Images as folders: the layers of an archive, unpacked once. */
import { mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { run } from '../lab/command.ts';

export interface UnpackedImage {
  /** Its root file system. */
  readonly root: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  /** Each `NAME=VALUE`. */
  readonly environment: readonly string[];
  readonly workingDirectory: string;
  /** `USER` or `USER:GROUP`, numbers as a rule; empty for root. */
  readonly user: string;
}

/** As in an archive that `docker save` writes. */
interface Manifest {
  readonly Config: string;
  readonly RepoTags: readonly string[];
  readonly Layers: readonly string[];
}

interface ImageConfig {
  readonly config?: {
    readonly Entrypoint?: readonly string[];
    readonly Cmd?: readonly string[];
    readonly Env?: readonly string[];
    readonly WorkingDir?: string;
    readonly User?: string;
  };
}

const unpacked = new Map<string, Promise<readonly (readonly [name: string, image: UnpackedImage])[]>>();

/**
 * The images of an archive with their names. Clusters share them: no container writes to a root, except for the places
 * of its mounts.
 * @param folder where they are unpacked
 */
export function unpackedImages(
  archive: string,
  folder: string,
): Promise<readonly (readonly [name: string, image: UnpackedImage])[]> {
  const known = unpacked.get(archive);
  if (known !== undefined) return known;
  const images = unpack(archive, join(folder, basename(archive, '.tar')));
  unpacked.set(archive, images);
  return images;
}

async function unpack(
  archive: string,
  folder: string,
): Promise<readonly (readonly [name: string, image: UnpackedImage])[]> {
  const [files, root] = [join(folder, 'archive'), join(folder, 'root')];
  for (const each of [files, root]) await mkdir(each, { recursive: true });
  await extract(archive, files);
  const [manifest] = JSON.parse(await readFile(join(files, 'manifest.json'), 'utf8')) as readonly Manifest[];
  if (manifest === undefined) throw new Error(`${archive} has no image`);
  for (const layer of manifest.Layers) await extract(join(files, layer), root);
  const { config = {} } = JSON.parse(await readFile(join(files, manifest.Config), 'utf8')) as ImageConfig;
  const image: UnpackedImage = {
    root,
    entrypoint: config.Entrypoint ?? [],
    command: config.Cmd ?? [],
    environment: config.Env ?? [],
    workingDirectory: config.WorkingDir || '/',
    user: config.User ?? '',
  };
  return manifest.RepoTags.map((name) => [name, image]);
}

/** The owner of all files is the present user: they are root's in the images, too. */
async function extract(archive: string, folder: string): Promise<void> {
  await run('tar', ['--no-same-owner', '-xf', archive, '-C', folder]);
}
