/** OSM has no API for WebAssembly modules. */
import { type CapabilityRows, rowsOf, type WasmFieldName, type WasmRows } from '@meshrelay/plugin';

const NO_MODULES = { unsupported: 'OSM has no API for WebAssembly modules' };

/** A field of the API that is missing here is a compile error. */
const ROWS: { readonly [F in WasmFieldName]: { readonly capabilities: WasmRows<F> } } = {
  httpUriSource: { capabilities: { 'wasm.http': NO_MODULES } },
  wasmImageSource: { capabilities: { 'wasm.image': NO_MODULES, 'wasm.image.sha256': NO_MODULES } },
  configMapSource: { capabilities: { 'wasm.configMap': NO_MODULES } },
  staticFilterConfig: { capabilities: {} },
  rootId: { capabilities: {} },
  filterContext: {
    capabilities: { 'wasm.inbound': NO_MODULES, 'wasm.outbound': NO_MODULES, 'wasm.gateway': NO_MODULES },
  },
  ports: { capabilities: { 'wasm.ports': NO_MODULES } },
  phase: { capabilities: { 'wasm.phase': NO_MODULES } },
  failurePolicy: { capabilities: { 'wasm.failOpen': NO_MODULES } },
  weight: { capabilities: {} },
};

export const WASM_CAPABILITIES: CapabilityRows<'wasm'> = rowsOf(ROWS);
