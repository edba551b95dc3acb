/** Wasm filters that the proxies of a workload run. */
import type { PolicyRef } from '@meshrelay/api';
import type { WasmFilterParts } from '../wasm/mod.ts';

/** A Wasm filter for a workload. */
export interface WasmFilterView extends WasmFilterParts {
  /** The first of the deployment's selectors that selects the workload: its position, and the labels it requires. */
  readonly selector: { readonly position: number; readonly labels: Readonly<Record<string, string>> };
  /** The position of the filter in its WasmDeployment. */
  readonly position: number;
  /** The WasmDeployment; always one. */
  readonly from: readonly PolicyRef[];
}
