/** Images of a few files of this machine, such as those that tests run in clusters. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { archiveOf } from './archive.ts';
import { plainLayer } from './blobs.ts';
import type { TreeEntry } from './tree.ts';
import { writeWhole } from './write-whole.ts';

export interface ImageOfFiles {
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
export async function writeImage({ name, file, files, config }: ImageOfFiles, folder: string): Promise<string> {
  const tree = new Map(files.map(([inImage, source]) => [inImage, fileAt(source)]));
  const { bytes } = await archiveOf({ name, layers: [await plainLayer(tree)], config: { config } });
  const archive = join(folder, `${file}.tar`);
  writeWhole(archive, bytes);
  return archive;
}

function fileAt(source: string): TreeEntry {
  const executable = (statSync(source).mode & 0o111) !== 0;
  return { type: 'file', bytes: readFileSync(source), executable };
}
