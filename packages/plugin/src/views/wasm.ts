/** Wasm filters that the proxies of a workload run. */
import type { JsonObject, PolicyRef, WasmFilterContext, WasmPhase } from '@meshrelay/api';

/** The location of a module. Namespaces are in the workload's cluster. */
export type WasmSourceView = WasmHttpSourceView | WasmImageSourceView | WasmConfigMapSourceView;

export interface WasmHttpSourceView {
  readonly kind: 'http';
  readonly uri: string;
  readonly sha256: string;
}

export interface WasmImageSourceView {
  readonly kind: 'image';
  /** With its registry and a tag or digest. */
  readonly image: string;
  /** The digest of the module in the image. */
  readonly sha256?: string;
  /** A Secret of type `kubernetes.io/dockerconfigjson` in the workload's namespace. */
  readonly pullSecret?: string;
}

export interface WasmConfigMapSourceView {
  readonly kind: 'configMap';
  readonly namespace: string;
  readonly name: string;
  /** The key in its binary data. */
  readonly key: string;
  readonly sha256?: string;
}

/** A Wasm filter for a workload. */
export interface WasmFilterView {
  readonly source: WasmSourceView;
  /** Passed to the module as JSON; absent: no configuration. */
  readonly config?: JsonObject;
  /** Empty if the module has only one root context. */
  readonly rootId: string;
  readonly context: WasmFilterContext;
  /** Only requests for one of these ports; empty: all. */
  readonly ports: readonly number[];
  /** Absent: last, before requests are routed. */
  readonly phase?: WasmPhase;
  /** Whether requests pass if the module fails. */
  readonly failOpen: boolean;
  /** Within a phase, requests pass filters of higher weight first. */
  readonly weight: number;
  /** The first of the deployment's selectors that selects the workload: its position, and the labels it requires. */
  readonly selector: { readonly position: number; readonly labels: Readonly<Record<string, string>> };
  /** The position of the filter in its WasmDeployment. */
  readonly position: number;
  /** The WasmDeployment; always one. */
  readonly from: readonly PolicyRef[];
}
