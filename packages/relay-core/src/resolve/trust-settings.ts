/** What is wrong with the certificates that a virtual mesh asks for, beyond the shape of each field. */
import {
  INTERMEDIATE_DAYS,
  type Policy,
  type Report,
  ROOT_DAYS,
  type SharedTrust,
  type VirtualMesh,
} from '@meshrelay/api';

const SHARED = 'spec.mtlsConfig.shared';

/**
 * A root that the server never reads: no certificate could be signed.
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
      message: `Secret ${namespace}/${name} is not in the management namespace, and the server reads roots there alone; put the root into a Secret of ${management}, and name that`,
    },
  ];
}

/** A lifetime that no intermediate can have, as far as the spec tells when the root ends. */
export function lifetimeNotes({ spec }: Pick<VirtualMesh, 'spec'>): Report[] {
  const { rootCertificateAuthority = {}, intermediateCertOptions = {} } = spec.mtlsConfig?.shared ?? {};
  const { ttlDays = INTERMEDIATE_DAYS } = intermediateCertOptions;
  const { ttlDays: rootDays = ROOT_DAYS } = rootCertificateAuthority.generated ?? {};
  if (spec.mtlsConfig?.shared === undefined || rootCertificateAuthority.secret !== undefined || ttlDays <= rootDays)
    return [];
  return [
    {
      code: 'LIFETIME_SHORTENED',
      severity: 'warning',
      field: `${SHARED}.intermediateCertOptions.ttlDays`,
      message: `intermediates are to live ${ttlDays} days, and the root that signs them lives ${rootDays}: each ends with the root at the latest; set fewer days here, or more in ${SHARED}.rootCertificateAuthority.generated.ttlDays before the root is made`,
    },
  ];
}

function sharedTrust(policy: Policy): SharedTrust | undefined {
  return policy.kind === 'VirtualMesh' ? policy.spec.mtlsConfig?.shared : undefined;
}
