/** Images of programs, as files. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@meshrelay/programs';
import { archiveOf } from './archive.ts';
import { layerBlob } from './blobs.ts';
import { unpackedPackages } from './debian-packages.ts';
import { configOf } from './image-config.ts';
import { librariesLayer } from './libraries-layer.ts';
import { nodeBinary, nodeLayer } from './node-layer.ts';
import { type ImageName, REPOSITORY } from './program.ts';
import { programLayer } from './program-layer.ts';
import { sizeOf } from './tree.ts';
import { writeWhole } from './write-whole.ts';

export interface BuildImagesOptions {
  readonly images: readonly ImageName[];
  /** The folder for `NAME.tar`, `NAME.cdx.json` (the SBOM) and `NAME.licences.txt`. */
  readonly folder: string;
  /** The folder for compressed layers; `.cache/images` when omitted. */
  readonly cache?: string;
}

export interface BuiltImage {
  readonly image: ImageName;
  readonly file: string;
  /** `REPOSITORY:TAG` in the archive. */
  readonly reference: string;
  /** Of the image's manifest, `sha256:...`. */
  readonly digest: string;
  /** Bytes of the archive. */
  readonly archiveBytes: number;
  /** Bytes of the files in the root file system. */
  readonly unpackedBytes: number;
}

/**
 * Assembles images from the present sources. They share the layers with libraries and Node.
 * @throws Error if the parts cannot be fetched, or are not those that are expected
 */
export async function buildImages(options: BuildImagesOptions): Promise<readonly BuiltImage[]> {
  const { images, folder, cache = join(ROOT, '.cache/images') } = options;
  const unpacked = await unpackedPackages();
  const node = await nodeBinary(unpacked);
  const compress = { node, cache };
  const shared = [librariesLayer(unpacked), nodeLayer(node)];
  const sharedBlobs = [];
  for (const tree of shared) sharedBlobs.push(await layerBlob(tree, compress));
  const created = commitTime();
  mkdirSync(folder, { recursive: true });
  const built: BuiltImage[] = [];
  for (const image of images) {
    const { tree, release, sbom, licences, main } = programLayer(image);
    const layers = [...sharedBlobs, await layerBlob(tree, compress)];
    const reference = `${REPOSITORY}/${image}:${release.version}`;
    const config = configOf({ image, release, created, main });
    const { bytes, digest } = await archiveOf({ name: reference, layers, config });
    const file = join(folder, `${image}.tar`);
    writeWhole(file, bytes);
    writeWhole(join(folder, `${image}.cdx.json`), sbom);
    writeWhole(join(folder, `${image}.licences.txt`), licences);
    const unpackedBytes = [...shared, tree].reduce((sum, each) => sum + sizeOf(each), 0);
    built.push({ image, file, reference, digest, archiveBytes: bytes.length, unpackedBytes });
  }
  return built;
}

/** 1970 outside git. */
function commitTime(): Date {
  try {
    const seconds = execFileSync('git', ['show', '-s', '--format=%ct', 'HEAD'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return new Date(Number(seconds) * 1000);
  } catch {
    return new Date(0);
  }
}
