/** Modules that the proxies of a workload run. */
import type { JsonObject, PolicyRef, WasmFilterContext, WasmPhase } from '@meshrelay/api';

/** Where a module is. Namespaces are of the workload's cluster. */
export type WasmSourceView =
  | { readonly kind: 'http'; readonly uri: string; readonly sha256: string }
  | {
      readonly kind: 'image';
      /** With its registry and a tag or digest. */
      readonly image: string;
      /** Of the module in it. */
      readonly sha256?: string;
      /** A Secret of type `kubernetes.io/dockerconfigjson` in the workload's namespace. */
      readonly pullSecret?: string;
    }
  | {
      readonly kind: 'configMap';
      readonly namespace: string;
      readonly name: string;
      /** Of its binary data. */
      readonly key: string;
      readonly sha256?: string;
    };

/** A module for a workload. */
export interface WasmFilterView {
  readonly source: WasmSourceView;
  /** Given to the module as JSON; absent: nothing. */
  readonly config?: JsonObject;
  /** '' where the module has one root context only. */
  readonly rootId: string;
  readonly context: WasmFilterContext;
  /** Requests are for one of these; empty: all. */
  readonly ports: readonly number[];
  /** Absent: last, before requests are routed. */
  readonly phase?: WasmPhase;
  /** Whether requests pass where the module does not work. */
  readonly failOpen: boolean;
  /** What is higher is met first within a phase. */
  readonly weight: number;
  /** The first of the deployment's selectors that selects the workload: its position, and the labels it asks for. */
  readonly selector: { readonly position: number; readonly labels: Readonly<Record<string, string>> };
  /** Of the filter in its WasmDeployment. */
  readonly position: number;
  /** The one WasmDeployment. */
  readonly from: readonly PolicyRef[];
}
