/**
 * The WasmPlugin of a module. Istio selects proxies as deployments select workloads: by pod labels in a namespace. So
 * all workloads of a namespace that one selector of a deployment selects share one object.
 */
import { MAX_WASM_FILTERS } from '@meshrelay/api';
import type {
  CapabilityRows,
  NativeObject,
  WasmFilterView,
  WasmSourceView,
  WorkloadFacts,
} from '@meshrelay/relay-core';
import { istioObject, WASM_PLUGIN } from '../kinds.ts';
import { wasmName } from '../names.ts';
import { present } from '../present.ts';
import { rootNamespace } from '../root-namespace.ts';

/** The Wasm fields that Istio supports. */
export const WASM_CAPABILITIES: CapabilityRows<'wasm'> = {
  'wasm.http': 'native',
  'wasm.image': 'native',
  'wasm.image.sha256': {
    unsupported: 'Istio checks the digest of an image, not the hash of the module in it; name the image by its digest',
  },
  'wasm.configMap': { unsupported: "Istio's proxies fetch modules from a URL or an image registry; use one of them" },
  'wasm.inbound': 'native',
  'wasm.outbound': 'native',
  'wasm.gateway': {
    unsupported:
      'WasmPlugins cannot select requests through a gateway; select the workloads of gateways and omit filterContext',
  },
  'wasm.ports': 'native',
  'wasm.phase': 'native',
  'wasm.failOpen': 'native',
};

const MODES = { SIDECAR_INBOUND: 'SERVER', SIDECAR_OUTBOUND: 'CLIENT' } as const;

export function wasmPlugin(filter: WasmFilterView, workload: WorkloadFacts): NativeObject {
  const { source, config, rootId, phase, failOpen, weight, position } = filter;
  const { namespace, podLabels, name, kind } = workload;
  // In the root namespace an object applies to all namespaces, so it selects by the labels of the workload's pods.
  const everywhere = namespace === rootNamespace(workload.mesh);
  const labels = everywhere ? podLabels : filter.selector.labels;
  const spec = present({
    selector: Object.keys(labels).length === 0 ? undefined : { matchLabels: labels },
    ...codeFrom(source),
    pluginName: rootId === '' ? undefined : rootId,
    pluginConfig: config,
    phase,
    // Of equal priorities Istio puts the older object first, regardless of its position in the deployment.
    priority: weight * MAX_WASM_FILTERS - position,
    failStrategy: failOpen ? 'FAIL_OPEN' : 'FAIL_CLOSE',
    match: matches(filter),
  });
  return istioObject(WASM_PLUGIN, namespace, wasmName(filter, everywhere ? [kind.toLowerCase(), name] : []), spec);
}

function codeFrom(source: WasmSourceView): Record<string, unknown> {
  switch (source.kind) {
    case 'http':
      return { url: source.uri, sha256: source.sha256 };
    case 'image':
      return { url: `oci://${source.image}`, imagePullSecret: source.pullSecret };
    case 'configMap':
      throw new Error('modules of ConfigMaps are not carried, by the table of capabilities');
  }
}

function matches({ context, ports }: WasmFilterView): readonly Record<string, unknown>[] | undefined {
  const mode = context === 'SIDECAR_INBOUND' || context === 'SIDECAR_OUTBOUND' ? MODES[context] : undefined;
  if (mode === undefined && ports.length === 0) return undefined;
  return [present({ mode, ports: ports.length === 0 ? undefined : ports.map((number) => ({ number })) })];
}
