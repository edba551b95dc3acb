// IssuedCertificate: requests an intermediate CA for a mesh, under the root of its virtual mesh.
import type * as z from 'zod/mini';
import type { CERTIFICATES_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { type CertificateOptions, certificateOptions } from '../networking/certificate-options.ts';
import { object } from '../schema/object.ts';
import { atMostOneOf } from '../schema/rule.ts';
import { count, flag, name, oneOf, text } from '../schema/scalar.ts';
import { type ObjectRef, objectRef } from '../shared/ref.ts';

/** The signer: at most one field; none means a root that the server generates with the defaults. */
export interface CertificateIssuer {
  /** The virtual mesh that owns the root. */
  readonly virtualMesh: ObjectRef;
  /** How the server generates the root. */
  readonly generated?: CertificateOptions;
  /** The Secret of the management cluster that holds the root. */
  readonly secret?: ObjectRef;
  /**
   * A root of this cluster only, which its agent generates and signs with: no other cluster trusts it, and no server is
   * involved.
   */
  readonly selfSigned?: SelfSigned;
}

/** It has no fields of its own; `options` apply. */
export type SelfSigned = Readonly<Record<string, never>>;

/** The requested certificate; its key is generated in the cluster and never leaves it. */
export interface IssuedCertificateSpec {
  /** Trust domain of the identities that the CA may sign. */
  readonly trustDomain: string;
  /** True if the certificate itself restricts its CA to that trust domain, by a critical name constraint. */
  readonly constrained: boolean;
  /** Name of the Secret, in the same namespace, that receives certificate and key, in the format that istiod reads. */
  readonly secretName: string;
  readonly issuer: CertificateIssuer;
  /** Lifetime, key size and other options; omitted fields have the defaults. */
  readonly options?: CertificateOptions;
}

/**
 * PENDING: not issued yet. ISSUED: in the Secret. FOREIGN: the Secret is not managed by Meshrelay and stays unchanged.
 * FAILED: rejected; retried.
 */
export type IssuedCertificateState = 'PENDING' | 'ISSUED' | 'FOREIGN' | 'FAILED';

/** Status of the certificate, reported by the cluster's agent. */
export interface IssuedCertificateStatus {
  /** The `metadata.generation` that this status describes. */
  readonly observedGeneration?: number;
  readonly state: IssuedCertificateState;
  /** The same as text, with the next action. */
  readonly message: string;
  /** Serial number of the certificate, hexadecimal. */
  readonly serialNumber?: string;
  /** Its end, RFC 3339. */
  readonly notAfter?: string;
}

/** An intermediate CA of a mesh, in the cluster and namespace of its control plane. */
export interface IssuedCertificate extends KubeObject<IssuedCertificateSpec, IssuedCertificateStatus> {
  readonly apiVersion: typeof CERTIFICATES_API_VERSION;
  readonly kind: 'IssuedCertificate';
}

const selfSigned: z.ZodMiniType<SelfSigned> = object<SelfSigned>('SelfSigned', { required: {}, optional: {} });

const certificateIssuer: z.ZodMiniType<CertificateIssuer> = object<CertificateIssuer>(
  'CertificateIssuer',
  {
    required: { virtualMesh: objectRef },
    optional: { generated: certificateOptions, secret: objectRef, selfSigned },
  },
  [
    atMostOneOf<CertificateIssuer>('generated', 'secret'),
    atMostOneOf<CertificateIssuer>('generated', 'selfSigned'),
    atMostOneOf<CertificateIssuer>('secret', 'selfSigned'),
  ],
);

/** Schema of {@link IssuedCertificateSpec}. */
export const issuedCertificateSpec: z.ZodMiniType<IssuedCertificateSpec> = object<IssuedCertificateSpec>(
  'IssuedCertificateSpec',
  {
    required: { trustDomain: name, constrained: flag, secretName: name, issuer: certificateIssuer },
    optional: { options: certificateOptions },
  },
);

/** Schema of {@link IssuedCertificateStatus}. */
export const issuedCertificateStatus: z.ZodMiniType<IssuedCertificateStatus> = object<IssuedCertificateStatus>(
  'IssuedCertificateStatus',
  {
    required: { state: oneOf('PENDING', 'ISSUED', 'FOREIGN', 'FAILED'), message: text },
    optional: { observedGeneration: count, serialNumber: text, notAfter: text },
  },
);
