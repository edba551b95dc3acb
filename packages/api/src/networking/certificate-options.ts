// How certificates of a virtual mesh are made.
import { z } from 'zod';
import { object } from '../schema/object.ts';
import { integer, name } from '../schema/scalar.ts';

/** Days that the root lives which is made for a virtual mesh, where its spec does not say it. */
export const ROOT_DAYS = 3650;

/** Days that intermediates of meshes live, where the spec does not say it. */
export const INTERMEDIATE_DAYS = 365;

/** The part of its life that is left when an intermediate is renewed, where the spec does not say it. */
export const RENEWED_WITH = 0.2;

/** How the certificates of a virtual mesh are made. */
export interface CertificateOptions {
  /** Days the certificate lives; omitted means 3650 for a root and 365 for an intermediate, which ends with its root at the latest. */
  readonly ttlDays?: number;
  /** Length of the RSA modulus in bits, under the name users know. Default: 4096 for a root and 3072 for an intermediate. */
  readonly rsaKeySizeBytes?: number;
  /** Organisation in the certificate's subject. Default: Meshrelay. */
  readonly orgName?: string;
  /** Share of the lifetime, above 0 and below 1, left when an intermediate is renewed. Default: 0.2. Roots are not renewed. */
  readonly secretRotationGracePeriodRatio?: number;
}

/** Schema of {@link CertificateOptions}. */
export const certificateOptions: z.ZodType<CertificateOptions> = object<CertificateOptions>('CertificateOptions', {
  required: {},
  optional: {
    ttlDays: integer(1, 36_500),
    rsaKeySizeBytes: integer(2048, 4096),
    orgName: name,
    secretRotationGracePeriodRatio: z.number().gt(0).lt(1),
  },
});
