/** Extensions that policies add to the proxies of a workload. */
import {
  formatPolicyRef,
  type Output,
  type PolicyRef,
  type WasmFilterView,
  type WorkloadExtensionsView,
} from '@meshrelay/plugin';
import { accessLogs } from './access-log/telemetry.ts';
import { wasmPlugin } from './wasm/wasm-plugin.ts';

export function translateWorkloadExtensions(view: WorkloadExtensionsView, out: Output): void {
  const { workload, wasm } = view;
  accessLogs(view, out);
  for (const filter of wasm) out.emit(workload.mesh.cluster, wasmPlugin(filter, workload), filter.from);
  reportUndefinedOrders(wasm, out);
}

/** Istio's objects cannot express the order of two deployments with one weight. */
function reportUndefinedOrders(wasm: readonly WasmFilterView[], out: Output): void {
  const reported = new Set<PolicyRef>();
  for (const [at, { from, weight, phase, context }] of wasm.entries()) {
    const [policy] = from;
    if (policy === undefined || reported.has(policy)) continue;
    const [before] = wasm
      .slice(0, at)
      .filter((one) => one.weight === weight && one.phase === phase && seeOneRequest(one.context, context))
      .flatMap((one) => one.from.map(formatPolicyRef))
      .filter((name) => name !== formatPolicyRef(policy));
    if (before === undefined) continue;
    reported.add(policy);
    out.report(policy, {
      code: 'ORDER_UNDEFINED',
      severity: 'info',
      field: 'spec.weight',
      message: `${before} has the weight ${weight}, too. Istio then orders their modules by age of the objects, not by precedence; if the order matters, give one of the two another weight`,
    });
  }
}

function seeOneRequest(one: WasmFilterView['context'], other: WasmFilterView['context']): boolean {
  return one === other || one === 'ANY' || other === 'ANY';
}
