/** Reads the Kubernetes objects of files. */
import type { KubeObject } from '@meshrelay/api';
import type { ResourceKind } from '@meshrelay/relay-core';
import { readInputFiles } from './files.ts';
import { objectsIn } from './objects.ts';

/**
 * The objects below some paths, as {@link objectsIn}.
 * @throws InputError for an unreadable file, too
 */
export function readObjects(
  paths: readonly string[],
  kinds: readonly ResourceKind[],
  nothingIn?: (path: string) => void,
): KubeObject[] {
  const files = paths.flatMap((given) => readInputFiles(given).map((file) => ({ ...file, given })));
  return objectsIn(files, kinds, nothingIn);
}
