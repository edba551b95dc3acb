/** Host names as Istio reads them in the objects of its networking API. */
import type { KubeObject } from '@meshrelay/api';
import type { MeshFacts } from '@meshrelay/relay-core';
import { defaultExportTo } from '../visibility.ts';
import { namespaceOf, specOf, textsOf } from './spec.ts';

/** Wildcards are few: each is looked at, which costs less than a word for each that a host could have. */
const WILDCARD = 'wildcard';

/** The word that a user's host is found by. A short one is a Service of the object's namespace, in whatever DNS domain the cluster has. */
export function wordOf(host: string, namespace: string): string {
  if (host.startsWith('*')) return WILDCARD;
  return host.includes('.') ? `host ${host}` : `service ${host}.${namespace}`;
}

/** Words for everything that may cover a host: itself, short, and wildcards. */
export function wordsCovering(host: string): string[] {
  const [service = '', namespace = ''] = host.split('.', 2);
  return [`host ${host}`, `service ${service}.${namespace}`, WILDCARD];
}

export type Cover = 'same' | 'wildcard' | undefined;

/** Whether a user's host is the same as one of ours, or a wildcard over it. */
export function covers(unmanaged: string, namespace: string, managed: string, meshes: readonly MeshFacts[]): Cover {
  if (unmanaged === '*') return 'wildcard';
  if (unmanaged.startsWith('*.')) return managed.endsWith(unmanaged.slice(1)) ? 'wildcard' : undefined;
  if (unmanaged.includes('.')) return unmanaged === managed ? 'same' : undefined;
  const domains = meshes.map(({ clusterDomain }) => clusterDomain);
  return domains.some((domain) => managed === `${unmanaged}.${namespace}.svc.${domain}`) ? 'same' : undefined;
}

/** The namespaces that see a user's object; undefined: all. Empty: none. */
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
