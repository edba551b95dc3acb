// Every field of an item of `spec.filters` of a WasmDeployment.
import type { FieldTable } from '../../schema/field.ts';
import { configMapSource, type WasmConfigMapSource } from './config-map-source.ts';
import { failurePolicy, type WasmFailurePolicy } from './failure-policy.ts';
import { filterContext, type WasmFilterContext } from './filter-context.ts';
import { httpUriSource, type WasmHttpUriSource } from './http-uri-source.ts';
import { phase, type WasmPhase } from './phase.ts';
import { ports, type WasmPorts } from './ports.ts';
import { rootId, type WasmRootId } from './root-id.ts';
import { staticFilterConfig, type WasmStaticConfig } from './static-filter-config.ts';
import { type WasmImageSource, wasmImageSource } from './wasm-image-source.ts';

/** One module, where it runs, and its configuration. It comes from exactly one source. */
export interface WasmFilter {
  readonly httpUriSource?: WasmHttpUriSource;
  readonly wasmImageSource?: WasmImageSource;
  readonly configMapSource?: WasmConfigMapSource;
  readonly staticFilterConfig?: WasmStaticConfig;
  readonly rootId?: WasmRootId;
  readonly filterContext?: WasmFilterContext;
  readonly ports?: WasmPorts;
  readonly phase?: WasmPhase;
  readonly failurePolicy?: WasmFailurePolicy;
}

/** The name of one of them. */
export type WasmFilterFieldName = keyof WasmFilter;

/** One file for each; a field of {@link WasmFilter} that is missing here is a compile error. */
export const WASM_FILTER_FIELDS: FieldTable<WasmFilter> = {
  httpUriSource,
  wasmImageSource,
  configMapSource,
  staticFilterConfig,
  rootId,
  filterContext,
  ports,
  phase,
  failurePolicy,
};
