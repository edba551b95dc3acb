// WasmDeployment: WebAssembly modules that the proxies of workloads run for each request.
import type * as z from 'zod/mini';
import type { EXTENSIONS_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { list } from '../schema/collection.ts';
import { fieldsOf } from '../schema/field.ts';
import { object } from '../schema/object.ts';
import { count, oneOf, text } from '../schema/scalar.ts';
import { type PolicyStatus, policyStatusFields } from '../shared/status.ts';
import { WASM_DEPLOYMENT_FIELDS, type WasmDeploymentSpec } from './wasm/fields.ts';

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

/** Schema of {@link WasmDeploymentSpec}. */
export const wasmDeploymentSpec: z.ZodMiniType<WasmDeploymentSpec> = object<WasmDeploymentSpec>(
  'WasmDeploymentSpec',
  fieldsOf<WasmDeploymentSpec>(WASM_DEPLOYMENT_FIELDS, { filters: true }),
);

/** Maximum number of workloads in a status that are not DEPLOYED. */
export const MAX_WASM_WORKLOADS = 20;

const wasmWorkload: z.ZodMiniType<WasmWorkload> = object<WasmWorkload>('WasmWorkload', {
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

const wasmRollout: z.ZodMiniType<WasmRollout> = object<WasmRollout>('WasmRollout', {
  required: {
    deployed: count,
    pending: count,
    failed: count,
    workloads: list(wasmWorkload, { maximum: MAX_WASM_WORKLOADS }),
  },
  optional: {},
});

/** Schema of {@link WasmDeploymentStatus}. */
export const wasmDeploymentStatus: z.ZodMiniType<WasmDeploymentStatus> = object<WasmDeploymentStatus>(
  'WasmDeploymentStatus',
  {
    required: policyStatusFields.required,
    optional: { ...policyStatusFields.optional, rollout: wasmRollout },
  },
);
