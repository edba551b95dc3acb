/** `spec` of a WasmDeployment. */
import { memoizeUntilCompaction } from '../caches/memoize.ts';
import type { WasmFilterView } from './views/wasm.ts';

/** Each capability with the path in the policy that reports name. */
export const WASM_CAPABILITIES = {
  'wasm.http': 'spec.filters.httpUriSource',
  'wasm.image': 'spec.filters.wasmImageSource',
  'wasm.image.sha256': 'spec.filters.wasmImageSource.sha256',
  'wasm.configMap': 'spec.filters.configMapSource',
  'wasm.inbound': 'spec.filters.filterContext',
  'wasm.outbound': 'spec.filters.filterContext',
  'wasm.gateway': 'spec.filters.filterContext',
  'wasm.ports': 'spec.filters.ports',
  'wasm.phase': 'spec.filters.phase',
  'wasm.failOpen': 'spec.filters.failurePolicy',
} as const;

type WasmCapability = keyof typeof WASM_CAPABILITIES;

const CONTEXTS = {
  ANY: [],
  SIDECAR_INBOUND: ['wasm.inbound'],
  SIDECAR_OUTBOUND: ['wasm.outbound'],
  GATEWAY: ['wasm.gateway'],
} as const satisfies Readonly<Record<WasmFilterView['context'], readonly WasmCapability[]>>;

/**
 * What a module needs. Core drops an unsupported module as a whole: in part it would see other requests, or be another
 * module.
 */
export const wasmRequirements: (filter: WasmFilterView) => readonly WasmCapability[] = memoizeUntilCompaction(
  (filter) => {
    const { source, context, ports, phase, failOpen } = filter;
    const fields: WasmCapability[] = [`wasm.${source.kind}`, ...CONTEXTS[context]];
    if (source.kind === 'image' && source.sha256 !== undefined) fields.push('wasm.image.sha256');
    if (ports.length > 0) fields.push('wasm.ports');
    if (phase !== undefined) fields.push('wasm.phase');
    if (failOpen) fields.push('wasm.failOpen');
    return fields;
  },
);
