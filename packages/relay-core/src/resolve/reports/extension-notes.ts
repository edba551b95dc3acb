/** Reports to policies about the workloads they select, whatever they configure. */
import type { Report } from '@meshrelay/api';
import type { Collection, MeshFacts } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import { type Diagnostic, diagnosticKey, says } from '../diagnostic.ts';
import type { Extensions, KnownWorkload } from '../extensions/mod.ts';
import type { ConfiguredMeshes } from '../virtual-meshes/mod.ts';

/** Reports workloads whose proxies cannot be extended: they do not exist, or are not configured yet. */
export function workloadNotes(
  graph: Graph,
  {
    ofWorkload,
    targeting,
    filtered,
    workloads,
  }: Pick<Extensions, 'ofWorkload' | 'targeting' | 'filtered' | 'workloads'>,
  { meshes, configured }: { readonly meshes: Collection<MeshFacts>; readonly configured: ConfiguredMeshes },
): Collection<Diagnostic> {
  return graph.deriveMany('extensions/diagnostics', ofWorkload, (keys, read, id) => {
    const workload = read.get(workloads, id);
    if (workload === undefined) return [];
    const mesh = workload.mesh === undefined ? undefined : read.get(meshes, workload.mesh);
    const report =
      mesh === undefined
        ? notInMesh(workload)
        : configured.hasConfiguredProxies(mesh.type) && configured.of(read, mesh) === undefined
          ? notDescribed(workload, mesh)
          : undefined;
    const target = { kind: 'Workload', key: id } as const;
    const refused = (read.get(filtered, id)?.refused ?? []).map(
      ({ policy: { ref }, report: why }): Diagnostic => ({ policy: ref, target, state: 'DEGRADED', reports: [why] }),
    );
    const unheard = (report === undefined ? [] : keys.flatMap((policy) => read.get(targeting, policy) ?? [])).map(
      ({ ref }): Diagnostic => ({
        policy: ref,
        target,
        state: 'DEGRADED',
        reports: report === undefined ? [] : [report],
        infoUnlessNamed: true,
      }),
    );
    return [...unheard, ...refused]
      .filter(says)
      .map((diagnostic, position) => [diagnosticKey(id, position), diagnostic] as const);
  });
}

function where({ kind, namespace, name, cluster }: KnownWorkload): string {
  return `${kind} ${namespace}/${name} of cluster ${cluster}`;
}

function notInMesh(workload: KnownWorkload): Report {
  return {
    code: 'NOT_IN_A_MESH',
    severity: 'warning',
    message: `${where(workload)} is in no mesh, so it has no proxies to apply the policy; add sidecars to its pods or do not select it`,
  };
}

function notDescribed(workload: KnownWorkload, { name, namespace, cluster }: MeshFacts): Report {
  return {
    code: 'NOT_IN_A_VIRTUAL_MESH',
    severity: 'warning',
    message: `the proxies of ${where(workload)} get no configuration while their mesh is in no VirtualMesh; add mesh ${namespace}/${name} of cluster ${cluster} to one`,
  };
}
