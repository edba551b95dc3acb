/** A mesh configuration with the fields that its user permits Meshrelay to set. */
import type { KubeObject } from '@meshrelay/api';
import { readObjectPatch } from '@meshrelay/relay-core';
import { parse } from 'yaml';

/** As agents write them: whole lists of texts, and list members by name. */
const FIELD = /^data\.mesh:yaml\/(?<list>\w+)(?:\/\[(?<member>[^\]]+)\])?$/;

interface Member {
  readonly name?: string;
}

/** The text of a MeshConfig after applying these patches. @throws Error for an unknown sort of patch */
export function patchedMesh(text: string, patches: readonly KubeObject[]): string {
  let mesh = (parse(text) ?? {}) as Readonly<Record<string, unknown>>;
  for (const patch of patches) {
    const { fieldPath = '', set, include = [] } = readObjectPatch((patch as { readonly spec?: unknown }).spec) ?? {};
    const { list = '', member } = FIELD.exec(fieldPath)?.groups ?? {};
    if (list === '') throw new Error(`patches of ${fieldPath} of a MeshConfig are not supported here; add them`);
    const before = (mesh[list] ?? []) as readonly Member[];
    const after =
      member === undefined ? [...before, ...include] : [...before.filter(({ name }) => name !== member), set];
    mesh = { ...mesh, [list]: after };
  }
  // JSON is YAML without ambiguous values.
  return JSON.stringify(mesh);
}
