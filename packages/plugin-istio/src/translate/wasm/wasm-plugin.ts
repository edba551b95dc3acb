/**
 * The WasmPlugin of a module. Istio selects proxies as deployments select workloads: by pod labels in a namespace. So
 * all workloads of a namespace that one selector of a deployment selects share one object.
 */
import type { NativeObject, WasmFilterView, WorkloadFacts } from '@meshrelay/plugin';
import { istioObject, WASM_PLUGIN } from '../../kinds.ts';
import { wasmName } from '../../names.ts';
import { present } from '../../present.ts';
import { rootNamespace } from '../../root-namespace.ts';
import { pluginSpec } from './mod.ts';

export function wasmPlugin(filter: WasmFilterView, workload: WorkloadFacts): NativeObject {
  const { namespace, podLabels, name, kind } = workload;
  // In the root namespace an object applies to all namespaces, so it selects by the labels of the workload's pods.
  const inRootNamespace = namespace === rootNamespace(workload.mesh);
  const labels = inRootNamespace ? podLabels : filter.selector.labels;
  const spec = present({
    selector: Object.keys(labels).length === 0 ? undefined : { matchLabels: labels },
    ...pluginSpec(filter),
  });
  return istioObject(WASM_PLUGIN, namespace, wasmName(filter, inRootNamespace ? [kind.toLowerCase(), name] : []), spec);
}
