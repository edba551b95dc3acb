/** WasmDeployments as the filters that a workload's proxies run, in the order in which requests pass them. */
import type { Report, WasmDeployment } from '@meshrelay/api';
import { memoize, type WasmFilterView } from '@meshrelay/plugin';
import { namespacesNotPermitted, wasmFilterOf } from '../../fields/wasm/mod.ts';
import { weightOf } from '../../fields/wasm/weight.ts';
import { comparePrecedence } from '../../store/precedence.ts';
import type { KnownWorkload, TargetingPolicy } from './workload-policies.ts';
import { selectsWorkload } from './workload-selectors.ts';

type Deployment = TargetingPolicy<WasmDeployment>;

/** The filters of several deployments for one workload. */
export interface WasmFilters {
  /** In order: by weight, then by precedence, then as written. */
  readonly filters: readonly WasmFilterView[];
  /** The filters that are left out, and why. */
  readonly refused: readonly { readonly policy: Deployment; readonly report: Report }[];
}

/** @param owns whether a deployment may read the contents of a namespace of the workload's cluster */
export function wasmFilters(
  deployments: readonly Deployment[],
  workload: KnownWorkload,
  owns: (deployment: Deployment, namespace: string) => boolean,
): WasmFilters {
  const filters: WasmFilterView[] = [];
  const refused: { policy: Deployment; report: Report }[] = [];
  for (const deployment of deployments.toSorted(byWeight)) {
    for (const [position, filter] of deployment.object.spec.filters.entries()) {
      const [report] = namespacesNotPermitted(
        filter,
        { path: `spec.filters[${position}]`, cluster: workload.cluster },
        (namespace) => namespace === workload.namespace || owns(deployment, namespace),
      );
      if (report !== undefined) refused.push({ policy: deployment, report });
      else
        filters.push(
          filtersFor(deployment)(workload.namespace, selecting(deployment, workload))[position] as WasmFilterView,
        );
    }
  }
  return { filters, refused };
}

function byWeight(a: Deployment, b: Deployment): number {
  return weightOf(b.object.spec) - weightOf(a.object.spec) || comparePrecedence(a, b);
}

/**
 * The position of the first selector that matches the workload. Without selectors, one empty selector matches all
 * workloads.
 */
function selecting({ object: { spec } }: Deployment, workload: KnownWorkload): number {
  const at = (spec.workloadSelectors ?? []).findIndex((selector) => selectsWorkload([selector], workload));
  return Math.max(at, 0);
}

/** The same for all workloads of a namespace that one selector selects. */
const filtersFor = memoize((deployment: Deployment) => {
  const made = new Map<string, readonly WasmFilterView[]>();
  return (namespace: string, selector: number): readonly WasmFilterView[] => {
    const id = `${selector}/${namespace}`;
    const known = made.get(id) ?? filtersOf(deployment, namespace, selector);
    made.set(id, known);
    return known;
  };
});

function filtersOf({ object: { spec }, ref }: Deployment, namespace: string, selector: number): WasmFilterView[] {
  const labels = spec.workloadSelectors?.[selector]?.kubeWorkloadMatcher?.labels ?? {};
  return spec.filters.map(
    (filter, position): WasmFilterView => ({
      ...wasmFilterOf(filter, spec, namespace),
      selector: { position: selector, labels },
      position,
      from: [ref],
    }),
  );
}
