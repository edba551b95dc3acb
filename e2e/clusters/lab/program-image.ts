/** Images of single programs. */
import { basename } from 'node:path';
import type { ImageOfFiles } from '@meshrelay/images';

/** @param program one that needs no libraries: it becomes the entrypoint, in the root of the image */
export function programImage(name: string, program: string, user = ''): ImageOfFiles {
  const file = basename(program);
  return { name, file, files: [[file, program]], config: { Entrypoint: [`/${file}`], User: user, WorkingDir: '/' } };
}
