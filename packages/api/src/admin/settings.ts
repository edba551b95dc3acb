// Settings: options of the whole installation. One object, named `settings`, in the management namespace.
import type * as z from 'zod/mini';
import { DEFAULT_GATEWAY_PORT_NAME } from '../defaults.ts';
import type { ADMIN_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { type MtlsPolicy, mtls } from '../networking/traffic/mtls.ts';
import { labels, mapOf } from '../schema/collection.ts';
import { filledIn } from '../schema/filled-in.ts';
import { object } from '../schema/object.ts';
import { count, flag, name, oneOf } from '../schema/scalar.ts';
import { type Condition, conditions, type Report, reports } from '../shared/status.ts';

/** How the ingress gateways of a cluster are recognised. */
export interface IngressGatewayDetector {
  /** Labels of the gateways' pods. Default: `istio: ingressgateway`. */
  readonly gatewayWorkloadLabels?: Readonly<Record<string, string>>;
  /** Name of the Service port that accepts mutual TLS. Default: `tls`. */
  readonly gatewayTlsPortName?: string;
}

/** Discovery of Istio. */
export interface IstioDiscoverySettings {
  /** By cluster name; `*` applies to clusters that are not named. */
  readonly ingressGatewayDetectors?: Readonly<Record<string, IngressGatewayDetector>>;
}

/** Discovery options, per mesh type. */
export interface DiscoverySettings {
  readonly istio?: IstioDiscoverySettings;
}

/** Consents to patches of one plugin, by the names in its documentation; only `true` gives consent. */
export type PatchConsents = Readonly<Record<string, boolean>>;

/** Options of an installation. */
export interface SettingsSpec {
  /** TLS settings for destinations without a TrafficPolicy that sets them. */
  readonly mtls?: MtlsPolicy;
  readonly discovery?: DiscoverySettings;
  /**
   * Consent to change fields of your own objects, by plugin: `istio: {meshConfig: true}`. Without consent none is
   * changed.
   */
  readonly patches?: Readonly<Record<string, PatchConsents>>;
  /** True keeps the outputs of all clusters unchanged: no new outputs are sent. */
  readonly paused?: boolean;
}

/** Status of the settings. */
export interface SettingsStatus {
  /** The `metadata.generation` that this status describes. */
  readonly observedGeneration?: number;
  /** Whether the settings are effective; DEGRADED if a part of them has no effect. */
  readonly state?: 'ACCEPTED' | 'DEGRADED' | 'INVALID';
  readonly conditions?: readonly Condition[];
  readonly reports?: readonly Report[];
}

/** Options of the whole installation. */
export interface Settings extends KubeObject<SettingsSpec, SettingsStatus> {
  readonly apiVersion: typeof ADMIN_API_VERSION;
  readonly kind: 'Settings';
}

const ingressGatewayDetector: z.ZodMiniType<IngressGatewayDetector> = object<IngressGatewayDetector>(
  'IngressGatewayDetector',
  {
    required: {},
    optional: { gatewayWorkloadLabels: labels, gatewayTlsPortName: filledIn(name, DEFAULT_GATEWAY_PORT_NAME) },
  },
);

const istioDiscoverySettings: z.ZodMiniType<IstioDiscoverySettings> = object<IstioDiscoverySettings>(
  'IstioDiscoverySettings',
  { required: {}, optional: { ingressGatewayDetectors: mapOf(ingressGatewayDetector) } },
);

const discoverySettings: z.ZodMiniType<DiscoverySettings> = object<DiscoverySettings>('DiscoverySettings', {
  required: {},
  optional: { istio: istioDiscoverySettings },
});

/** Schema of {@link SettingsSpec}. */
export const settingsSpec: z.ZodMiniType<SettingsSpec> = object<SettingsSpec>('SettingsSpec', {
  required: {},
  optional: { mtls: mtls.schema, discovery: discoverySettings, patches: mapOf(mapOf(flag)), paused: flag },
});

/** Schema of {@link SettingsStatus}. */
export const settingsStatus: z.ZodMiniType<SettingsStatus> = object<SettingsStatus>('SettingsStatus', {
  required: {},
  optional: { observedGeneration: count, state: oneOf('ACCEPTED', 'DEGRADED', 'INVALID'), conditions, reports },
});
