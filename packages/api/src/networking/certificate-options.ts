// Options of the certificates of a virtual mesh.
import * as z from 'zod/mini';
import { object } from '../schema/object.ts';
import { integer, name } from '../schema/scalar.ts';

/** Default lifetime in days of the root generated for a virtual mesh. */
export const ROOT_DAYS = 3650;

/** Default lifetime in days of the intermediates of meshes. */
export const INTERMEDIATE_DAYS = 365;

/** Default share of the lifetime that is left when an intermediate is renewed. */
export const RENEWED_WITH = 0.2;

/** Options of the certificates of a virtual mesh. */
export interface CertificateOptions {
  /**
   * Lifetime of the certificate in days; omitted means 3650 for a root and 365 for an intermediate, which ends with its
   * root at the latest.
   */
  readonly ttlDays?: number;
  /** Length of the RSA modulus in bits. Default: 4096 for a root and 3072 for an intermediate. */
  readonly rsaKeySizeBytes?: number;
  /** Organisation in the certificate's subject. Default: Meshrelay. */
  readonly orgName?: string;
  /**
   * Share of the lifetime, above 0 and below 1, left when an intermediate is renewed. Default: 0.2. Roots are not
   * renewed.
   */
  readonly secretRotationGracePeriodRatio?: number;
}

/** Schema of {@link CertificateOptions}. */
export const certificateOptions: z.ZodMiniType<CertificateOptions> = object<CertificateOptions>('CertificateOptions', {
  required: {},
  optional: {
    ttlDays: integer(1, 36_500),
    rsaKeySizeBytes: integer(2048, 4096),
    orgName: name,
    secretRotationGracePeriodRatio: z.number().check(z.gt(0), z.lt(1)),
  },
});
