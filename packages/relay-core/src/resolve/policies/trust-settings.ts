/** Faults of the certificate settings of a virtual mesh that the schema of a field cannot express. */
import {
  INTERMEDIATE_DAYS,
  type Policy,
  type Report,
  ROOT_DAYS,
  type SharedTrust,
  type VirtualMesh,
} from '@meshrelay/api';
import type { ShortLivedRoot } from '../../store/fleet-state.ts';

const SHARED = 'spec.mtlsConfig.shared';

/**
 * A root that the server never reads, so that it could sign no certificate.
 * @param management the management namespace
 */
export function trustFaults(policy: Policy, management: string): Report[] {
  const secret = sharedTrust(policy)?.rootCertificateAuthority?.secret;
  if (secret === undefined || secret.namespace === management) return [];
  const { namespace, name } = secret;
  return [
    {
      code: 'INVALID_VALUE',
      severity: 'error',
      field: `${SHARED}.rootCertificateAuthority.secret.namespace`,
      message: `Secret ${namespace}/${name} is not in the management namespace, and the server reads roots only there; create the Secret in ${management}, and refer to that`,
    },
  ];
}

/**
 * A lifetime that no intermediate certificate can have.
 * @param root the existing root, if it expires too early; otherwise the spec determines the lifetime of a generated
 * root
 */
export function lifetimeNotes({ spec }: Pick<VirtualMesh, 'spec'>, root: ShortLivedRoot | undefined): Report[] {
  const { shared } = spec.mtlsConfig ?? {};
  if (shared === undefined) return [];
  const { rootCertificateAuthority = {}, intermediateCertOptions = {} } = shared;
  const { ttlDays = INTERMEDIATE_DAYS } = intermediateCertOptions;
  if (root !== undefined)
    return [
      shortened(
        `the root that signs them, in Secret ${root.secret}, expires on ${root.notAfter}, and an intermediate cannot outlive its root; replace the root, or set fewer days here`,
        ttlDays,
      ),
    ];
  const { ttlDays: rootDays = ROOT_DAYS } = rootCertificateAuthority.generated ?? {};
  if (rootCertificateAuthority.secret !== undefined || ttlDays <= rootDays) return [];
  return [
    shortened(
      `the root that signs them is valid for ${rootDays}, and an intermediate cannot outlive its root; set fewer days here, or more in ${SHARED}.rootCertificateAuthority.generated.ttlDays before the root is created`,
      ttlDays,
    ),
  ];
}

function shortened(why: string, ttlDays: number): Report {
  return {
    code: 'LIFETIME_SHORTENED',
    severity: 'warning',
    field: `${SHARED}.intermediateCertOptions.ttlDays`,
    message: `intermediates should be valid for ${ttlDays} days, but ${why}`,
  };
}

function sharedTrust(policy: Policy): SharedTrust | undefined {
  return policy.kind === 'VirtualMesh' ? policy.spec.mtlsConfig?.shared : undefined;
}
