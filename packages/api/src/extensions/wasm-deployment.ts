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

/** A module at an address. Proxies and agents fetch it once and check it. */
export interface WasmHttpUriSource {
  /** Such as `https://modules.example.com/auth.wasm`. `http:` only where the agents' configuration allows it. */
  readonly uri: string;
  /** SHA-256 of the module in hexadecimal; another module is refused. */
  readonly sha256: string;
}

/** A module in a registry of images. */
export interface WasmImageSource {
  /** Such as `registry.example.com/filters/auth:v1`; with `@sha256:...` it can never become another. */
  readonly wasmImageTag: string;
  /** SHA-256 of the module in the image; another module is refused. Omitted: whatever the image has. */
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
  /** Of `binaryData`; omitted: `module.wasm`. */
  readonly key?: string;
  /** SHA-256 of the module; another module is refused. Omitted: whatever the ConfigMap has. */
  readonly sha256?: string;
}

/** ANY: all requests. SIDECAR_INBOUND: to the workload. SIDECAR_OUTBOUND: from the workload. GATEWAY: through it, where it is a gateway. */
export type WasmFilterContext = 'ANY' | 'SIDECAR_INBOUND' | 'SIDECAR_OUTBOUND' | 'GATEWAY';

/** Where in the chain it runs. AUTHN: before callers are authenticated. AUTHZ: before they are authorized. STATS: after that. */
export type WasmPhase = 'AUTHN' | 'AUTHZ' | 'STATS';

/** FAIL_CLOSED: without a working module requests are refused. FAIL_OPEN: they pass without it. */
export type WasmFailurePolicy = 'FAIL_CLOSED' | 'FAIL_OPEN';

/** One module, where it runs, and what it is told. It comes from exactly one source. */
export interface WasmFilter {
  readonly httpUriSource?: WasmHttpUriSource;
  readonly wasmImageSource?: WasmImageSource;
  readonly configMapSource?: WasmConfigMapSource;
  /** Given to the module as JSON when it starts; what it means is the module's own affair. */
  readonly staticFilterConfig?: JsonObject;
  /** The root context, for modules that have several. */
  readonly rootId?: string;
  /** Omitted: ANY. */
  readonly filterContext?: WasmFilterContext;
  /** Ports that requests are for; omitted or empty: all. */
  readonly ports?: readonly number[];
  /** Omitted: last, before requests are routed. */
  readonly phase?: WasmPhase;
  /** Omitted: FAIL_CLOSED. */
  readonly failurePolicy?: WasmFailurePolicy;
}

/** Which modules run beside which workloads. */
export interface WasmDeploymentSpec {
  /** Omitted or empty: every workload. */
  readonly workloadSelectors?: readonly WorkloadSelector[];
  /** In the order in which requests meet those of one phase. */
  readonly filters: readonly WasmFilter[];
  /** Of deployments for one workload, those of more weight are met first within a phase; 0 to 100,000,000, omitted: 0. */
  readonly weight?: number;
}

/** PENDING: some of its proxies have not said yet that they run what the deployment says. FAILED: some of them refuse it, or cannot be sent it. */
export type WasmWorkloadState = 'PENDING' | 'FAILED';

/** A workload that is not DEPLOYED. */
export interface WasmWorkload {
  /** Where it is. */
  readonly cluster: string;
  /** Of the workload. */
  readonly namespace: string;
  /** As its Envoys say it. */
  readonly name: string;
  readonly state: WasmWorkloadState;
  /** How often a module is still to be taken by one of its proxies. */
  readonly pending: number;
  /** How often one is refused, or cannot be sent. */
  readonly failed: number;
}

/**
 * What plain Envoys said themselves of the modules, counted once for each module and each connected Envoy that is to run it. Istio's proxies fetch modules by themselves and tell us
 * nothing of it.
 */
export interface WasmRollout {
  /** Taken, as they are wanted now. */
  readonly deployed: number;
  /** Still to be sent, or not answered yet. */
  readonly pending: number;
  /** Refused, or not to be had as they are wanted; what was there before runs on. */
  readonly failed: number;
  /** The first workloads that are not DEPLOYED, FAILED ones before others; of all others with connected Envoys, every Envoy took every module. */
  readonly workloads: readonly WasmWorkload[];
}

/** What became of the spec, and how far proxies are with it. */
export interface WasmDeploymentStatus extends PolicyStatus {
  /** Absent where no plain Envoy that is to run a module is connected. */
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

/** How many modules a deployment may have. */
export const MAX_WASM_FILTERS = 20;

/** With it each module of each weight has a 32-bit number of its own, as Istio needs them to tell their order. */
const MAX_WEIGHT = 100_000_000;

/** Schema of {@link WasmDeploymentSpec}. */
export const wasmDeploymentSpec: z.ZodType<WasmDeploymentSpec> = object<WasmDeploymentSpec>('WasmDeploymentSpec', {
  required: { filters: list(wasmFilter, { minimum: 1, maximum: MAX_WASM_FILTERS }) },
  optional: { workloadSelectors: list(workloadSelector), weight: integer(0, MAX_WEIGHT) },
});

/** How many workloads that are not DEPLOYED a status tells of. */
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
