/** Images of single programs. */
import { basename } from 'node:path';
import type { ArchivedImage } from './image-archive.ts';

/** @param program one that needs no libraries: it becomes the entrypoint, in the root of the image */
export function programImage(name: string, program: string, user = ''): ArchivedImage {
  const file = basename(program);
  return { name, file, files: [[file, program]], config: { Entrypoint: [`/${file}`], User: user, WorkingDir: '/' } };
}
