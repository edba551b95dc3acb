// IssuedCertificate: an intermediate CA that a mesh is to have, under the root of its virtual mesh.
import type { z } from 'zod';
import type { CERTIFICATES_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { type CertificateOptions, certificateOptions } from '../networking/certificate-options.ts';
import { object } from '../schema/object.ts';
import { atMostOneOf } from '../schema/rule.ts';
import { count, flag, name, oneOf, text } from '../schema/scalar.ts';
import { type ObjectRef, objectRef } from '../shared/ref.ts';

/** What signs: at most one field, none means a root that the server makes with the defaults. */
export interface CertificateIssuer {
  /** The virtual mesh whose root it is. */
  readonly virtualMesh: ObjectRef;
  /** How the server makes the root. */
  readonly generated?: CertificateOptions;
  /** The Secret of the management cluster that holds the root. */
  readonly secret?: ObjectRef;
  /** A root of the cluster's own, which its agent makes and signs itself: nobody else trusts it, and no server is asked. */
  readonly selfSigned?: SelfSigned;
}

/** There is nothing to say of it beside `options`. */
export type SelfSigned = Readonly<Record<string, never>>;

/** The certificate that is wanted; its key is made in the cluster and never leaves it. */
export interface IssuedCertificateSpec {
  /** Trust domain of the identities that the CA may sign. */
  readonly trustDomain: string;
  /** True where the certificate itself keeps its CA to that trust domain, by a critical name constraint. */
  readonly constrained: boolean;
  /** Name of the Secret, in the same namespace, that certificate and key are written to, in the form that istiod reads. */
  readonly secretName: string;
  readonly issuer: CertificateIssuer;
  /** Lifetime, key size and the rest; omitted fields take the defaults. */
  readonly options?: CertificateOptions;
}

/**
 * PENDING: not issued yet. ISSUED: in the Secret. FOREIGN: the Secret is somebody else's, and is left alone. FAILED: refused; tried again.
 */
export type IssuedCertificateState = 'PENDING' | 'ISSUED' | 'FOREIGN' | 'FAILED';

/** What became of it, as the cluster's agent saw it. */
export interface IssuedCertificateStatus {
  /** The `metadata.generation` this was judged on. */
  readonly observedGeneration?: number;
  readonly state: IssuedCertificateState;
  /** The same for people, with the next action. */
  readonly message: string;
  /** Serial number of the certificate, hexadecimal. */
  readonly serialNumber?: string;
  /** When it ends, RFC 3339. */
  readonly notAfter?: string;
}

/** An intermediate CA of a mesh, in the cluster and namespace of its control plane. */
export interface IssuedCertificate extends KubeObject<IssuedCertificateSpec, IssuedCertificateStatus> {
  readonly apiVersion: typeof CERTIFICATES_API_VERSION;
  readonly kind: 'IssuedCertificate';
}

const selfSigned: z.ZodType<SelfSigned> = object<SelfSigned>('SelfSigned', { required: {}, optional: {} });

const certificateIssuer: z.ZodType<CertificateIssuer> = object<CertificateIssuer>(
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
export const issuedCertificateSpec: z.ZodType<IssuedCertificateSpec> = object<IssuedCertificateSpec>(
  'IssuedCertificateSpec',
  {
    required: { trustDomain: name, constrained: flag, secretName: name, issuer: certificateIssuer },
    optional: { options: certificateOptions },
  },
);

/** Schema of {@link IssuedCertificateStatus}. */
export const issuedCertificateStatus: z.ZodType<IssuedCertificateStatus> = object<IssuedCertificateStatus>(
  'IssuedCertificateStatus',
  {
    required: { state: oneOf('PENDING', 'ISSUED', 'FOREIGN', 'FAILED'), message: text },
    optional: { observedGeneration: count, serialNumber: text, notAfter: text },
  },
);
