/** Host names as Istio reads them in the objects of its networking API. */
import type { MeshFacts } from '@meshrelay/relay-core';

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
export function covers(theirs: string, namespace: string, ours: string, meshes: readonly MeshFacts[]): Cover {
  if (theirs === '*') return 'wildcard';
  if (theirs.startsWith('*.')) return ours.endsWith(theirs.slice(1)) ? 'wildcard' : undefined;
  if (theirs.includes('.')) return theirs === ours ? 'same' : undefined;
  const domains = meshes.map(({ clusterDomain }) => clusterDomain);
  return domains.some((domain) => ours === `${theirs}.${namespace}.svc.${domain}`) ? 'same' : undefined;
}

/** The namespaces that see an object; undefined: all. Empty: none. */
export function visibleIn(exportTo: readonly string[], namespace: string): readonly string[] | undefined {
  if (exportTo.length === 0 || exportTo.includes('*')) return undefined;
  const names = exportTo.filter((name) => name !== '~').map((name) => (name === '.' ? namespace : name));
  return [...new Set(names)].sort();
}
