/** Istio's translation of every field of a WasmDeployment. */
import {
  type CapabilityRows,
  rowsOf,
  type WasmFilterFieldName,
  type WasmFilterView,
  type WasmSourceFieldName,
  type WasmSourceView,
} from '@meshrelay/plugin';
import { present } from '../../present.ts';
import { configMapSource } from './config-map-source.ts';
import { failurePolicy } from './failure-policy.ts';
import type { WasmFilterField, WasmSourceField } from './field.ts';
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

/** One file per field; a field of the API that is missing here is a compile error. The order is that of `spec`. */
const FILTER_FIELDS: { readonly [F in WasmFilterFieldName]: WasmFilterField<F> } = {
  rootId,
  staticFilterConfig,
  phase,
  weight,
  failurePolicy,
  filterContext,
  ports,
};

export const WASM_CAPABILITIES: CapabilityRows<'wasm'> = rowsOf({ ...SOURCE_FIELDS, ...FILTER_FIELDS });

/** `spec` of a WasmPlugin, without the selector. */
export function pluginSpec(filter: WasmFilterView): Record<string, unknown> {
  const fields = Object.values(FILTER_FIELDS);
  const match: Record<string, unknown> = present(Object.assign({}, ...fields.map((field) => field.match?.(filter))));
  return Object.assign({}, codeOf(filter.source), ...fields.map((field) => field.spec?.(filter)), {
    match: Object.keys(match).length === 0 ? undefined : [match],
  });
}

/** A source of any kind. */
interface AnySource {
  readonly kind: string;
  spec?(source: WasmSourceView): Readonly<Record<string, unknown>>;
}

function codeOf(source: WasmSourceView): Readonly<Record<string, unknown>> {
  const field = (Object.values(SOURCE_FIELDS) as readonly AnySource[]).find(({ kind }) => kind === source.kind);
  if (field?.spec === undefined)
    throw new Error(`modules of source ${source.kind} are not supported, by the table of capabilities`);
  return field.spec(source);
}
