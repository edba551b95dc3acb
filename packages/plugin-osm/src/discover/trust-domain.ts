/** The trust domain of a mesh: in the root certificates that OSM 1.2 and later keep as objects. */
import type { KubeObject } from '@meshrelay/api';

export type MeshRootCertificate = KubeObject & {
  readonly spec?: { readonly trustDomain?: string; readonly intent?: string };
};

/** Before there were such objects, and where there is none. */
export const DEFAULT_TRUST_DOMAIN = 'cluster.local';

/** The root that OSM makes by itself, when there is no other. */
const DEFAULT_ROOT = 'osm-mesh-root-certificate';

/** Of the root in force: the active one of a rotation, else OSM's own, else the only one. */
export function trustDomainOf(roots: readonly MeshRootCertificate[]): string {
  const inForce =
    roots.find(({ spec }) => spec?.intent === 'active') ??
    roots.find(({ metadata }) => metadata.name === DEFAULT_ROOT) ??
    (roots.length === 1 ? roots[0] : undefined);
  const trustDomain = inForce?.spec?.trustDomain;
  return typeof trustDomain === 'string' && trustDomain !== '' ? trustDomain : DEFAULT_TRUST_DOMAIN;
}
