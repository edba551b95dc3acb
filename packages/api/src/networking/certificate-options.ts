// How certificates of a virtual mesh are made.
import { z } from 'zod';
import { object } from '../schema/object.ts';
import { integer, name } from '../schema/scalar.ts';

/** Omitted fields take the issuer's defaults. */
export interface CertificateOptions {
  /** Days the certificate lives. */
  readonly ttlDays?: number;
  /** Length of the RSA modulus in bits, under the name users know. */
  readonly rsaKeySizeBytes?: number;
  /** Organisation in the certificate's subject. */
  readonly orgName?: string;
  /** Share of the lifetime, above 0 and below 1, left when the certificate is renewed. */
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
