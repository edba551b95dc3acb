/** Namespaces with workloads of a plain Envoy mesh, as discovery finds them, with or without pods. */
import type { Mesh, Workload } from '@meshrelay/api';
import type { ChangeSet, Discovery } from '@meshrelay/relay-core';

export class EnvoyNamespaces {
  /** Types of meshes whose Envoys agents configure. */
  readonly #types: ReadonlySet<string>;
  readonly #meshes = new Set<string>();
  /** Namespace by workload, for workloads in any mesh. */
  readonly #workloads = new Map<string, { readonly namespace: string; readonly mesh: string }>();

  /** Begins with what is discovered already. */
  constructor(types: Iterable<string>, { meshes, workloads }: Discovery) {
    this.#types = new Set(types);
    for (const [, mesh] of meshes.entries()) this.#takeMesh(undefined, mesh);
    for (const [, workload] of workloads.entries()) this.#takeWorkload(undefined, workload);
  }

  /** Ingests the changes of a discovery commit. @returns whether anything may have changed */
  take(changes: ChangeSet, { meshes, workloads }: Discovery): boolean {
    let changed = false;
    for (const { before, after } of changes.of(meshes)) changed = this.#takeMesh(before, after) || changed;
    for (const { before, after } of changes.of(workloads)) changed = this.#takeWorkload(before, after) || changed;
    return changed;
  }

  #takeMesh(before: Mesh | undefined, after: Mesh | undefined): boolean {
    const mesh = after ?? before;
    if (mesh === undefined || !this.#types.has(mesh.spec.type)) return false;
    const id = idOf(mesh.metadata);
    if (after === undefined) this.#meshes.delete(id);
    else this.#meshes.add(id);
    return true;
  }

  #takeWorkload(before: Workload | undefined, after: Workload | undefined): boolean {
    const [old, one] = [locationOf(before), locationOf(after)];
    if (before !== undefined) this.#workloads.delete(idOf(before.metadata));
    if (after !== undefined && one !== undefined) this.#workloads.set(idOf(after.metadata), one);
    return old?.namespace !== one?.namespace || old?.mesh !== one?.mesh;
  }

  /** Each namespace once. */
  all(): ReadonlySet<string> {
    const found = new Set<string>();
    for (const { namespace, mesh } of this.#workloads.values()) if (this.#meshes.has(mesh)) found.add(namespace);
    return found;
  }
}

function locationOf(workload: Workload | undefined): { readonly namespace: string; readonly mesh: string } | undefined {
  const mesh = workload?.spec.mesh;
  return workload === undefined || mesh === undefined
    ? undefined
    : { namespace: workload.metadata.namespace ?? '', mesh: idOf(mesh) };
}

function idOf({ namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string }): string {
  return `${namespace}/${name}`;
}
