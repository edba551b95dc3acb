/** Signs the intermediate CAs of meshes, but only those that this server itself requests for a cluster. */
import { INTERMEDIATE_DAYS, type IssuedCertificateSpec } from '@meshrelay/api';
import { meshrelayKind } from '@meshrelay/kube';
import { trustDomain as asTrustDomain, createIntermediate } from '@meshrelay/pki';
import { desiredKey } from '@meshrelay/relay-core';
import { RelayError, type SignRequest, type SignResponse } from '@meshrelay/relay-protocol';
import type { AuditLog } from '../audit/audit.ts';
import type { Fleet } from '../store/fleet.ts';
import type { MeshRoots } from './mesh-roots.ts';

export interface MeshIssuerOptions {
  readonly fleet: Pick<Fleet, 'controlPlane'>;
  readonly roots: Pick<MeshRoots, 'of'>;
  readonly audit: AuditLog;
  readonly now: () => Date;
}

const ISSUED_CERTIFICATE = meshrelayKind('IssuedCertificate');

export class MeshIssuer {
  readonly #options: MeshIssuerOptions;

  constructor(options: MeshIssuerOptions) {
    this.#options = options;
  }

  /**
   * Signs the key of a request with the contents of the cluster's IssuedCertificate of that name. Nothing else is taken
   * from the request.
   * @throws RelayError: RELAY_E_CLUSTER_NOT_DECLARED for a certificate that is not desired, RELAY_E_IDENTITY_MISMATCH
   * for an invalid request, RELAY_E_UNAVAILABLE
   */
  async sign({ namespace, name, csrPem }: SignRequest, cluster: string, peer?: string): Promise<SignResponse> {
    const { audit } = this.#options;
    const entry = { action: 'sign', cluster, ...(peer === undefined ? {} : { peer }) } as const;
    try {
      const { response, serial } = await this.#sign(cluster, { namespace, name, csrPem });
      audit.record({ ...entry, outcome: 'done', serial, reason: `for IssuedCertificate ${namespace}/${name}` });
      return response;
    } catch (error) {
      audit.record({ ...entry, outcome: 'refused', reason: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }

  async #sign(
    cluster: string,
    { namespace, name, csrPem }: SignRequest,
  ): Promise<{ readonly response: SignResponse; readonly serial: string }> {
    const { fleet, roots, now } = this.#options;
    const desired = fleet.controlPlane.desired.get(desiredKey(cluster, ISSUED_CERTIFICATE, namespace, name));
    if (desired === undefined)
      throw new RelayError(
        'RELAY_E_CLUSTER_NOT_DECLARED',
        `no VirtualMesh with shared trust has a member for IssuedCertificate ${namespace}/${name} of cluster ${cluster}`,
      );
    const { trustDomain, constrained, issuer, options = {} } = desired.object['spec'] as IssuedCertificateSpec;
    if (issuer.selfSigned !== undefined)
      throw new RelayError(
        'RELAY_E_CLUSTER_NOT_DECLARED',
        `IssuedCertificate ${namespace}/${name} of cluster ${cluster} is for the cluster's own root; its agent signs it`,
      );
    const { authority, rootsPem } = await roots.of(issuer);
    const issued = await createIntermediate({
      ca: authority,
      csrPem,
      commonName: `${cluster} intermediate`,
      trustDomain: asTrustDomain(trustDomain),
      constrained,
      days: options.ttlDays ?? INTERMEDIATE_DAYS,
      now: now(),
      ...(options.orgName === undefined ? {} : { organization: options.orgName }),
    });
    if (!issued.ok)
      throw new RelayError('RELAY_E_IDENTITY_MISMATCH', `the signing request is not accepted: ${issued.message}`);
    return { response: { chainPem: issued.chainPem, rootsPem }, serial: issued.certificate.serial };
  }
}
