/** Host names as Istio resolves them in the objects of its networking API. */
import type { KubeObject, MeshFacts } from '@meshrelay/plugin';
import { defaultExportTo } from '../visibility.ts';
import { namespaceOf, specOf, textsOf } from './spec.ts';

/** Wildcards are rare: scanning all of them costs less than one index key for each domain of a host. */
const WILDCARD = 'wildcard';

/** The index key of a user's host. A short name is a Service of the object's namespace, in any DNS domain. */
export function wordOf(host: string, namespace: string): string {
  if (host.startsWith('*')) return WILDCARD;
  return host.includes('.') ? `host ${host}` : `service ${host}.${namespace}`;
}

/** Lookup keys for everything that may cover a host: the host itself, its short name, and wildcards. */
export function wordsCovering(host: string): string[] {
  const [service = '', namespace = ''] = host.split('.', 2);
  return [`host ${host}`, `service ${service}.${namespace}`, WILDCARD];
}

export type Cover = 'same' | 'wildcard' | undefined;

/** Whether a user's host equals a generated one, or is a wildcard that covers it. */
export function covers(unmanaged: string, namespace: string, managed: string, meshes: readonly MeshFacts[]): Cover {
  if (unmanaged === '*') return 'wildcard';
  if (unmanaged.startsWith('*.')) return managed.endsWith(unmanaged.slice(1)) ? 'wildcard' : undefined;
  if (unmanaged.includes('.')) return unmanaged === managed ? 'same' : undefined;
  const domains = meshes.map(({ clusterDomain }) => clusterDomain);
  return domains.some((domain) => managed === `${unmanaged}.${namespace}.svc.${domain}`) ? 'same' : undefined;
}

/** The namespaces in which a user's object is visible; undefined: all; empty: none. */
export function visibleIn(unmanaged: KubeObject, meshes: readonly MeshFacts[]): readonly string[] | undefined {
  const namespace = namespaceOf(unmanaged);
  const own = textsOf(specOf(unmanaged)['exportTo']);
  const [byDefault = []] = meshes
    .map((mesh) => defaultExportTo(mesh, unmanaged.kind))
    .filter((list) => list.length > 0);
  const exportTo = own.length > 0 ? own : byDefault;
  if (exportTo.length === 0 || exportTo.includes('*')) return undefined;
  const names = exportTo.filter((name) => name !== '~').map((name) => (name === '.' ? namespace : name));
  return [...new Set(names)].sort();
}
