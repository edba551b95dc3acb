// spec.mtlsConfig of a VirtualMesh
import type * as z from 'zod/mini';
import type { SpecField } from '../../schema/field.ts';
import { filledIn } from '../../schema/filled-in.ts';
import { object } from '../../schema/object.ts';
import { atMostOneOf } from '../../schema/rule.ts';
import { flag } from '../../schema/scalar.ts';
import { type ObjectRef, objectRef } from '../../shared/ref.ts';
import { type CertificateOptions, certificateOptions } from '../certificate-options.ts';

/** Where the shared root comes from; at most one. Omitted or empty: `generated`. */
export interface RootCertificateAuthority {
  /** The server generates the root; `{}` for the defaults. */
  readonly generated?: CertificateOptions;
  /**
   * A Secret of the management cluster holds the root; it must be in the namespace of the server. Omitted: none does.
   */
  readonly secret?: ObjectRef;
}

/** One root certificate signs an intermediate for every member. Omitted: it does not. */
export interface SharedTrust {
  readonly rootCertificateAuthority?: RootCertificateAuthority;
  /** For the intermediates of the members; omitted: the defaults of its fields. */
  readonly intermediateCertOptions?: CertificateOptions;
}

/** Only gateways trust each other; members keep their own roots. Omitted: they do not. */
export type LimitedTrust = Readonly<Record<string, never>>;

/**
 * How members establish trust; at most one of `shared` and `limited`. Omitted, or without either: trust stays
 * unchanged.
 */
export interface MtlsConfig {
  readonly shared?: SharedTrust;
  readonly limited?: LimitedTrust;
  /**
   * Restart pods with certificates of a former root. Not implemented: the user restarts them, and `true` is reported.
   * Default: false.
   */
  readonly autoRestartPods?: boolean;
  /** Every member accepts mutual TLS only. Default: false. */
  readonly strict?: boolean;
}

const rootCertificateAuthority: z.ZodMiniType<RootCertificateAuthority> = object<RootCertificateAuthority>(
  'RootCertificateAuthority',
  { required: {}, optional: { generated: certificateOptions, secret: objectRef } },
  [atMostOneOf<RootCertificateAuthority>('generated', 'secret')],
);

const sharedTrust: z.ZodMiniType<SharedTrust> = object<SharedTrust>('SharedTrust', {
  required: {},
  optional: { rootCertificateAuthority, intermediateCertOptions: certificateOptions },
});

const limitedTrust: z.ZodMiniType<LimitedTrust> = object<LimitedTrust>('LimitedTrust', { required: {}, optional: {} });

const options = { ttlDays: 365, rsaKeySizeBytes: 4096, orgName: 'Shop', secretRotationGracePeriodRatio: 0.3 };

const defaults = { autoRestartPods: false, strict: false };

export const mtlsConfig: SpecField<MtlsConfig> = {
  schema: object<MtlsConfig>(
    'MtlsConfig',
    {
      required: {},
      optional: {
        shared: sharedTrust,
        limited: limitedTrust,
        autoRestartPods: filledIn(flag, defaults.autoRestartPods),
        strict: filledIn(flag, defaults.strict),
      },
    },
    [atMostOneOf<MtlsConfig>('shared', 'limited')],
  ),
  defaults,
  examples: [
    {
      shared: { rootCertificateAuthority: { generated: options }, intermediateCertOptions: options },
      autoRestartPods: false,
      strict: true,
    },
    { shared: { rootCertificateAuthority: { secret: { name: 'shop-root', namespace: 'meshrelay' } } } },
    { limited: {} },
  ],
};
