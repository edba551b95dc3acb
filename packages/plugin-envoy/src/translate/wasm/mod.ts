/** Plain Envoy's translation of every field of a WasmDeployment. */

import type { WasmModuleReference } from '@meshrelay/envoy-api';
import {
  type CapabilityRows,
  type Report,
  rowsOf,
  type WasmFilterFieldName,
  type WasmFilterView,
  type WasmSourceFieldName,
  type WasmSourceView,
  type WorkloadFacts,
} from '@meshrelay/plugin';
import { configMapSource } from './config-map-source.ts';
import { failurePolicy } from './failure-policy.ts';
import type { PluginConfigPart, WasmFilterField, WasmSourceField } from './field.ts';
import { filterContext } from './filter-context.ts';
import { httpUriSource } from './http-uri-source.ts';
import { phase } from './phase.ts';
import { ports } from './ports.ts';
import { rootId } from './root-id.ts';
import { staticFilterConfig } from './static-filter-config.ts';
import { wasmImageSource } from './wasm-image-source.ts';
import { weight } from './weight.ts';

/** One file per field; a field of the API that is missing here is a compile error. */
const SOURCE_FIELDS: { readonly [F in WasmSourceFieldName]: WasmSourceField<F> } = {
  httpUriSource,
  wasmImageSource,
  configMapSource,
};

/** One file per field; a field of the API that is missing here is a compile error. */
const FILTER_FIELDS: { readonly [F in WasmFilterFieldName]: WasmFilterField<F> } = {
  staticFilterConfig,
  rootId,
  filterContext,
  ports,
  phase,
  failurePolicy,
  weight,
};

export const WASM_CAPABILITIES: CapabilityRows<'wasm'> = rowsOf({ ...SOURCE_FIELDS, ...FILTER_FIELDS });

const FIELDS = Object.values(FILTER_FIELDS);

/** The configuration of a module, without its name and code. */
export function pluginConfigOf(filter: WasmFilterView): PluginConfigPart {
  return Object.assign({}, ...FIELDS.map((field) => field.pluginConfig?.(filter)));
}

/** Whether the module sees requests to this port of the application. */
export function seesInbound(filter: WasmFilterView, port: number): boolean {
  return FIELDS.every((field) => field.seesInbound?.(filter, port) ?? true);
}

/** Whether the module sees the application's own requests. */
export function seesOutbound(filter: WasmFilterView): boolean {
  return FIELDS.every((field) => field.seesOutbound?.(filter) ?? true);
}

/** What Envoys of this workload do not support of the filter. */
export function unsupportedReports(filter: WasmFilterView, workload: WorkloadFacts): readonly Report[] {
  return (Object.entries(FILTER_FIELDS) as Array<[string, (typeof FIELDS)[number]]>).flatMap(([name, field]) => {
    const message = field.unsupported?.(filter, workload);
    const path = `spec.filters[${filter.position}].${name}`;
    return message === undefined ? [] : [{ code: 'UNSUPPORTED', severity: 'warning', field: path, message }];
  });
}

/** A source of any kind. */
interface AnySource {
  readonly kind: string;
  reference(source: WasmSourceView, namespace: string): WasmModuleReference;
}

/** By what the agent finds the module. */
export function referenceTo(source: WasmSourceView, namespace: string): WasmModuleReference {
  const field = (Object.values(SOURCE_FIELDS) as readonly AnySource[]).find(({ kind }) => kind === source.kind);
  if (field === undefined) throw new Error(`no field of WasmDeployments has the source ${source.kind}`);
  return field.reference(source, namespace);
}
