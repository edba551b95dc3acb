// WasmDeployment: WebAssembly modules that the proxies of workloads run for each request.
import type { z } from 'zod';
import type { EXTENSIONS_API_VERSION } from '../group.ts';
import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import { jsonObject, list } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { exactlyOneOf } from '../schema/rule.ts';
import { count, dnsName, integer, oneOf, port, text, textLike } from '../schema/scalar.ts';
import { type WorkloadSelector, workloadSelector } from '../shared/selector.ts';
import { type PolicyStatus, policyStatusFields } from '../shared/status.ts';

/** A module at a URL. Proxies and agents fetch it once and verify it. */
export interface WasmHttpUriSource {
  /** Such as `https://modules.example.com/auth.wasm`. `http:` only if the agents' configuration allows it. */
  readonly uri: string;
  /** SHA-256 of the module in hexadecimal; another module is rejected. */
  readonly sha256: string;
}

/** A module in an image registry. */
export interface WasmImageSource {
  /** Such as `registry.example.com/filters/auth:v1`; with `@sha256:...` it cannot change. */
  readonly wasmImageTag: string;
  /** SHA-256 of the module in the image; another module is rejected. Omitted: any module in the image. */
  readonly sha256?: string;
  /** Name of a Secret of type `kubernetes.io/dockerconfigjson` in the namespace of each workload. */
  readonly imagePullSecret?: string;
}

/** A module in the binary data of a ConfigMap, in the cluster of each workload. */
export interface WasmConfigMapSource {
  /** The ConfigMap's name. */
  readonly name: string;
  /** Omitted: the namespace of each workload. */
  readonly namespace?: string;
  /** Key of `binaryData`; omitted: `module.wasm`. */
  readonly key?: string;
  /** SHA-256 of the module; another module is rejected. Omitted: any module in the ConfigMap. */
  readonly sha256?: string;
}

/**
 * ANY: all requests. SIDECAR_INBOUND: to the workload. SIDECAR_OUTBOUND: from the workload. GATEWAY: through it, if it
 * is a gateway.
 */
export type WasmFilterContext = 'ANY' | 'SIDECAR_INBOUND' | 'SIDECAR_OUTBOUND' | 'GATEWAY';

/**
 * Position in the filter chain. AUTHN: before callers are authenticated. AUTHZ: before they are authorized. STATS:
 * after that.
 */
export type WasmPhase = 'AUTHN' | 'AUTHZ' | 'STATS';

/** FAIL_CLOSED: without a working module requests are rejected. FAIL_OPEN: they pass without it. */
export type WasmFailurePolicy = 'FAIL_CLOSED' | 'FAIL_OPEN';

/** One module, where it runs, and its configuration. It comes from exactly one source. */
export interface WasmFilter {
  readonly httpUriSource?: WasmHttpUriSource;
  readonly wasmImageSource?: WasmImageSource;
  readonly configMapSource?: WasmConfigMapSource;
  /** Passed to the module as JSON when it starts; its meaning is defined by the module. */
  readonly staticFilterConfig?: JsonObject;
  /** The root context, for modules that have several. */
  readonly rootId?: string;
  /** Omitted: ANY. */
  readonly filterContext?: WasmFilterContext;
  /** Destination ports of the requests; omitted or empty: all. */
  readonly ports?: readonly number[];
  /** Omitted: last, before requests are routed. */
  readonly phase?: WasmPhase;
  /** Omitted: FAIL_CLOSED. */
  readonly failurePolicy?: WasmFailurePolicy;
}

/** Which modules run in the proxies of which workloads. */
export interface WasmDeploymentSpec {
  /** Omitted or empty: every workload. */
  readonly workloadSelectors?: readonly WorkloadSelector[];
  /** Modules of one phase run in this order. */
  readonly filters: readonly WasmFilter[];
  /**
   * Of several deployments for one workload, those with a higher weight run first within a phase; 0 to 100,000,000,
   * omitted: 0.
   */
  readonly weight?: number;
}

/**
 * PENDING: some of its proxies have not reported yet that they run the deployment. FAILED: some of them reject it, or
 * it cannot be sent to them.
 */
export type WasmWorkloadState = 'PENDING' | 'FAILED';

/** A workload that is not DEPLOYED. */
export interface WasmWorkload {
  /** Cluster of the workload. */
  readonly cluster: string;
  /** Namespace of the workload. */
  readonly namespace: string;
  /** As its Envoys report it. */
  readonly name: string;
  readonly state: WasmWorkloadState;
  /** Number of modules that one of its proxies has not accepted yet. */
  readonly pending: number;
  /** Number of modules that are rejected, or cannot be sent. */
  readonly failed: number;
}

/**
 * What plain Envoys reported about the modules, counted once per module and connected Envoy that should run it. Istio's
 * proxies fetch modules themselves and report nothing to Meshrelay.
 */
export interface WasmRollout {
  /** Accepted in their current version. */
  readonly deployed: number;
  /** Not sent yet, or not answered yet. */
  readonly pending: number;
  /** Rejected, or not available in the current version; the previous module still runs. */
  readonly failed: number;
  /**
   * The first workloads that are not DEPLOYED, FAILED ones first; on all others with connected Envoys, every Envoy
   * accepted every module.
   */
  readonly workloads: readonly WasmWorkload[];
}

/** Status of the spec, and of its proxies. */
export interface WasmDeploymentStatus extends PolicyStatus {
  /** Absent if no plain Envoy that should run a module is connected. */
  readonly rollout?: WasmRollout;
}

/** WebAssembly modules that the proxies of workloads run for each request. */
export interface WasmDeployment extends KubeObject<WasmDeploymentSpec, WasmDeploymentStatus> {
  readonly apiVersion: typeof EXTENSIONS_API_VERSION;
  readonly kind: 'WasmDeployment';
}

const sha256: z.ZodType<string> = textLike({
  expected: 'a SHA-256 in hexadecimal: 64 digits and letters a to f in lower case',
  pattern: /^[0-9a-f]{64}$/,
  maxLength: 64,
});

const moduleUri: z.ZodType<string> = textLike({
  expected:
    'an https or http URL with a host and without user, password and fragment, such as https://example.com/auth.wasm',
  pattern:
    /^https?:\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9][-A-Za-z0-9.]*)(:[0-9]{1,5})?(\/[-A-Za-z0-9._~:@!$&'()*+,;=%/]*)?(\?[-A-Za-z0-9._~:@!$&'()*+,;=%/?]*)?$/,
  maxLength: 2048,
});

const moduleImage: z.ZodType<string> = textLike({
  expected: 'an image with its registry and a tag or digest, such as registry.example.com/filters/auth:v1',
  pattern:
    /^(\[[0-9a-f:.]+\]|[a-z0-9][-a-z0-9.]*)(:[0-9]{1,5})?(\/[a-z0-9]+(([._]|__|-+)[a-z0-9]+)*)+(:[A-Za-z0-9_][-A-Za-z0-9_.]{0,127}|@sha256:[0-9a-f]{64}|:[A-Za-z0-9_][-A-Za-z0-9_.]{0,127}@sha256:[0-9a-f]{64})$/,
  maxLength: 1024,
});

const dataKey: z.ZodType<string> = textLike({
  expected: 'a key of a ConfigMap: letters, digits, -, _ and .',
  pattern: /^[-._A-Za-z0-9]+$/,
  maxLength: 253,
});

const httpUriSource: z.ZodType<WasmHttpUriSource> = object<WasmHttpUriSource>('WasmHttpUriSource', {
  required: { uri: moduleUri, sha256 },
  optional: {},
});

const wasmImageSource: z.ZodType<WasmImageSource> = object<WasmImageSource>('WasmImageSource', {
  required: { wasmImageTag: moduleImage },
  optional: { sha256, imagePullSecret: dnsName },
});

const configMapSource: z.ZodType<WasmConfigMapSource> = object<WasmConfigMapSource>('WasmConfigMapSource', {
  required: { name: dnsName },
  optional: { namespace: dnsName, key: dataKey, sha256 },
});

const wasmFilter: z.ZodType<WasmFilter> = object<WasmFilter>(
  'WasmFilter',
  {
    required: {},
    optional: {
      httpUriSource,
      wasmImageSource,
      configMapSource,
      staticFilterConfig: jsonObject,
      rootId: text,
      filterContext: oneOf('ANY', 'SIDECAR_INBOUND', 'SIDECAR_OUTBOUND', 'GATEWAY'),
      ports: list(port, { maximum: 50 }),
      phase: oneOf('AUTHN', 'AUTHZ', 'STATS'),
      failurePolicy: oneOf('FAIL_CLOSED', 'FAIL_OPEN'),
    },
  },
  [exactlyOneOf<WasmFilter>('httpUriSource', 'wasmImageSource', 'configMapSource')],
);

/** Maximum number of modules of a deployment. */
export const MAX_WASM_FILTERS = 20;

/** With this limit, each module of each weight has its own 32-bit number, which Istio needs to order modules. */
const MAX_WEIGHT = 100_000_000;

/** Schema of {@link WasmDeploymentSpec}. */
export const wasmDeploymentSpec: z.ZodType<WasmDeploymentSpec> = object<WasmDeploymentSpec>('WasmDeploymentSpec', {
  required: { filters: list(wasmFilter, { minimum: 1, maximum: MAX_WASM_FILTERS }) },
  optional: { workloadSelectors: list(workloadSelector), weight: integer(0, MAX_WEIGHT) },
});

/** Maximum number of workloads in a status that are not DEPLOYED. */
export const MAX_WASM_WORKLOADS = 20;

const wasmWorkload: z.ZodType<WasmWorkload> = object<WasmWorkload>('WasmWorkload', {
  required: {
    cluster: text,
    namespace: text,
    name: text,
    state: oneOf('PENDING', 'FAILED'),
    pending: count,
    failed: count,
  },
  optional: {},
});

const wasmRollout: z.ZodType<WasmRollout> = object<WasmRollout>('WasmRollout', {
  required: {
    deployed: count,
    pending: count,
    failed: count,
    workloads: list(wasmWorkload, { maximum: MAX_WASM_WORKLOADS }),
  },
  optional: {},
});

/** Schema of {@link WasmDeploymentStatus}. */
export const wasmDeploymentStatus: z.ZodType<WasmDeploymentStatus> = object<WasmDeploymentStatus>(
  'WasmDeploymentStatus',
  {
    required: policyStatusFields.required,
    optional: { ...policyStatusFields.optional, rollout: wasmRollout },
  },
);
