/** The translation of one field of a WasmDeployment. */

import type { WasmModuleReference, wasm } from '@meshrelay/envoy-api';
import type {
  WasmFieldName,
  WasmFilterFieldName,
  WasmFilterView,
  WasmRows,
  WasmSourceFieldName,
  WasmSourceViewOf,
  WorkloadFacts,
} from '@meshrelay/plugin';

/** Some fields of the configuration of a module. */
export type PluginConfigPart = Partial<Omit<wasm.PluginConfig, '$typeName' | '$unknown' | 'name' | 'vm'>>;

interface WasmField<F extends WasmFieldName> {
  readonly capabilities: WasmRows<F>;
}

/** A source of modules, in its own file. */
export interface WasmSourceField<F extends WasmSourceFieldName> extends WasmField<F> {
  readonly kind: WasmSourceViewOf<F>['kind'];
  /** By what the agent finds the module; `namespace` is that of the workload. */
  reference(source: WasmSourceViewOf<F>, namespace: string): WasmModuleReference;
}

/** Any other field, in its own file. */
export interface WasmFilterField<F extends WasmFilterFieldName> extends WasmField<F> {
  /** Its part of the configuration of the module. */
  pluginConfig?(filter: WasmFilterView): PluginConfigPart;
  /** Whether the module sees requests to this port of the application. */
  seesInbound?(filter: WasmFilterView, port: number): boolean;
  /** Whether the module sees the application's own requests. */
  seesOutbound?(filter: WasmFilterView): boolean;
  /** What Envoys of this workload do not support of the field. */
  unsupported?(filter: WasmFilterView, workload: WorkloadFacts): string | undefined;
}
