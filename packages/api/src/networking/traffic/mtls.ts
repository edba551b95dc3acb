// spec.policy.mtls
import type * as z from 'zod/mini';
import type { SpecField } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import { oneOf } from '../../schema/scalar.ts';

/** TLS mode of a client towards the destination. */
export type TlsMode = 'DISABLE' | 'SIMPLE' | 'ISTIO_MUTUAL';

/** TLS settings of Istio's clients. */
export interface IstioMtls {
  readonly tlsMode: TlsMode;
}

/** TLS towards the destination, per mesh type. */
export interface MtlsPolicy {
  readonly istio?: IstioMtls;
}

const istioMtls: z.ZodMiniType<IstioMtls> = object<IstioMtls>('IstioMtls', {
  required: { tlsMode: oneOf('DISABLE', 'SIMPLE', 'ISTIO_MUTUAL') },
  optional: {},
});

export const mtls: SpecField<MtlsPolicy> = {
  schema: object<MtlsPolicy>('MtlsPolicy', {
    required: {},
    optional: { istio: istioMtls },
  }),
  examples: [{ istio: { tlsMode: 'ISTIO_MUTUAL' } }],
};
