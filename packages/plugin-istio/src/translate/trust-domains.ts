/**
 * Callers of other trust domains: proxies reject their TLS before any policy applies, unless the domain is an alias of
 * the mesh's own.
 */
import { CONFIG_MAP, type MeshView, type Output } from '@meshrelay/plugin';
import { meshConfigName, TRUST_DOMAIN_ALIASES } from '../mesh-config.ts';

const FIELD = 'spec.meshes';

export function trustDomains({ mesh, virtualMesh, callerTrustDomains }: MeshView, out: Output): void {
  const missing = callerTrustDomains.filter((domain) => !mesh.trustDomainAliases.includes(domain));
  const { cluster, namespace, name, trustDomain } = mesh;
  const without = `mesh ${namespace}/${name} of cluster ${cluster} has the trust domain ${trustDomain} and rejects callers of ${missing.join(', ')}`;
  const configMap = meshConfigName(mesh);
  if (configMap !== undefined) {
    out.patch(
      {
        object: { cluster, kind: CONFIG_MAP, namespace, name: configMap },
        fieldPath: TRUST_DOMAIN_ALIASES,
        operation: { include: callerTrustDomains },
        current: mesh.trustDomainAliases.length === 0 ? null : [...mesh.trustDomainAliases],
        field: FIELD,
        without,
      },
      [virtualMesh],
    );
  } else if (missing.length > 0) {
    out.report(virtualMesh, {
      code: 'TRUST_DOMAIN_NOT_ACCEPTED',
      severity: 'warning',
      field: FIELD,
      message: `${without}, and no ConfigMap of its mesh configuration is known; add them to its trustDomainAliases`,
    });
  }
}
