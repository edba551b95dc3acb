/** Every field of a WasmDeployment, as plugins see it. */
import type { WasmFieldName } from '@meshrelay/api';
import type { WasmFilterView, WasmSourceView } from '../views/mod.ts';

/**
 * The module source of each field, or the member of {@link WasmFilterView} that it sets, and its capabilities. The order
 * is that of reports.
 */
export const WASM_FIELDS = {
  httpUriSource: { source: 'http', capabilities: ['wasm.http'] },
  wasmImageSource: { source: 'image', capabilities: ['wasm.image', 'wasm.image.sha256'] },
  configMapSource: { source: 'configMap', capabilities: ['wasm.configMap'] },
  staticFilterConfig: { member: 'config', capabilities: [] },
  rootId: { member: 'rootId', capabilities: [] },
  filterContext: { member: 'context', capabilities: ['wasm.inbound', 'wasm.outbound', 'wasm.gateway'] },
  ports: { member: 'ports', capabilities: ['wasm.ports'] },
  phase: { member: 'phase', capabilities: ['wasm.phase'] },
  failurePolicy: { member: 'failOpen', capabilities: ['wasm.failOpen'] },
  weight: { member: 'weight', capabilities: [] },
} as const;

type Fields = typeof WASM_FIELDS;

/** A field that contains a module. */
export type WasmSourceFieldName = {
  [F in WasmFieldName]: Fields[F] extends { readonly source: string } ? F : never;
}[WasmFieldName];

/** A field that says how a module runs. */
export type WasmFilterFieldName = Exclude<WasmFieldName, WasmSourceFieldName>;

/** The module of a field. */
export type WasmSourceViewOf<F extends WasmSourceFieldName> = Extract<
  WasmSourceView,
  { readonly kind: Fields[F]['source'] }
>;

/** What policies say about a module, and how it runs. */
export type WasmFilterParts = Omit<WasmFilterView, 'selector' | 'position' | 'from'>;

/** The part of a filter that a field sets. */
export type WasmPartOf<F extends WasmFilterFieldName> = Pick<WasmFilterParts, Fields[F]['member']>;

/** The capabilities of a field. */
export type WasmCapabilitiesOf<F extends WasmFieldName> = Fields[F]['capabilities'][number];

/** Capabilities of these fields. */
export type WasmCapability = WasmCapabilitiesOf<WasmFieldName>;
