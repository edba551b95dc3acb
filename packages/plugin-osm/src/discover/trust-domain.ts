/** The trust domain of a mesh, from the root certificates that OSM 1.2 and later store as objects. */
import type { KubeObject } from '@meshrelay/plugin';

export type MeshRootCertificate = KubeObject & {
  readonly spec?: { readonly trustDomain?: string; readonly intent?: string };
};

/** For versions without such objects, and for clusters that have none. */
const DEFAULT_TRUST_DOMAIN = 'cluster.local';

/** The root that OSM creates if it finds no other. */
const DEFAULT_ROOT = 'osm-mesh-root-certificate';

/** From the effective root: the active one of a rotation, else OSM's own, else the only one. */
export function trustDomainOf(roots: readonly MeshRootCertificate[]): string {
  const effective =
    roots.find(({ spec }) => spec?.intent === 'active') ??
    roots.find(({ metadata }) => metadata.name === DEFAULT_ROOT) ??
    (roots.length === 1 ? roots[0] : undefined);
  const trustDomain = effective?.spec?.trustDomain;
  return typeof trustDomain === 'string' && trustDomain !== '' ? trustDomain : DEFAULT_TRUST_DOMAIN;
}
