// How certificates of a virtual mesh are made.

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
