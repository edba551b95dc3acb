/** WasmDeployments as the filters that a workload's proxies run, in the order in which requests pass them. */
import type { Report, WasmDeployment, WasmFilter } from '@meshrelay/api';
import { memoize } from '../../caches/memoize.ts';
import type { WasmFilterView, WasmSourceView } from '../../plugin/views/mod.ts';
import { comparePrecedence } from '../../store/precedence.ts';
import type { KnownWorkload, TargetingPolicy } from './workload-policies.ts';
import { selectsWorkload } from './workload-selectors.ts';

type Deployment = TargetingPolicy<WasmDeployment>;

/** The key of a ConfigMap's binary data if the deployment names none. */
const MODULE_KEY = 'module.wasm';

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
      const foreign = filter.configMapSource?.namespace;
      if (foreign !== undefined && foreign !== workload.namespace && !owns(deployment, foreign))
        refused.push({ policy: deployment, report: notGranted(position, foreign, workload) });
      else
        filters.push(
          filtersFor(deployment)(workload.namespace, selecting(deployment, workload))[position] as WasmFilterView,
        );
    }
  }
  return { filters, refused };
}

function byWeight(a: Deployment, b: Deployment): number {
  return (b.object.spec.weight ?? 0) - (a.object.spec.weight ?? 0) || comparePrecedence(a, b);
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
      source: sourceOf(filter, namespace),
      ...(filter.staticFilterConfig === undefined ? {} : { config: filter.staticFilterConfig }),
      rootId: filter.rootId ?? '',
      context: filter.filterContext ?? 'ANY',
      ports: [...new Set(filter.ports ?? [])].sort((a, b) => a - b),
      ...(filter.phase === undefined ? {} : { phase: filter.phase }),
      failOpen: filter.failurePolicy === 'FAIL_OPEN',
      weight: spec.weight ?? 0,
      selector: { position: selector, labels },
      position,
      from: [ref],
    }),
  );
}

/** Deployments are validated: each filter has exactly one source. */
function sourceOf({ httpUriSource, wasmImageSource, configMapSource }: WasmFilter, home: string): WasmSourceView {
  if (httpUriSource !== undefined) return { kind: 'http', uri: httpUriSource.uri, sha256: httpUriSource.sha256 };
  if (wasmImageSource !== undefined) {
    const { wasmImageTag: image, sha256, imagePullSecret: pullSecret } = wasmImageSource;
    return {
      kind: 'image',
      image,
      ...(sha256 === undefined ? {} : { sha256 }),
      ...(pullSecret === undefined ? {} : { pullSecret }),
    };
  }
  const { name = '', namespace = home, key = MODULE_KEY, sha256 } = configMapSource ?? {};
  return { kind: 'configMap', namespace, name, key, ...(sha256 === undefined ? {} : { sha256 }) };
}

function notGranted(position: number, namespace: string, { cluster }: Pick<KnownWorkload, 'cluster'>): Report {
  return {
    code: 'REF_NOT_PERMITTED',
    severity: 'error',
    field: `spec.filters[${position}].configMapSource.namespace`,
    message: `the policy may not use namespace ${namespace} of cluster ${cluster}, so its ConfigMaps are not read; omit the namespace and create the ConfigMap in the namespace of the workloads, or move the policy to a namespace with access`,
  };
}
