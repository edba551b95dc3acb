/** Reports on policies that select destinations outside of every mesh, where policies have no effect. */
import type { Report, TrafficPolicy } from '@meshrelay/api';
import type { Collection } from '@meshrelay/plugin';
import { CONNECTION_FIELDS } from '../../fields/traffic/mod.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { type KnownDestination, notInMesh, serviceText } from '../inventory/mod.ts';
import type { MeshOfTargets } from '../plans/mod.ts';
import type { Policies, TargetedPolicy } from '../policies/mod.ts';
import type { DiagnoseDestination } from './diagnose-destination.ts';

/** Diagnoses every policy on a destination that is in no mesh. */
export function outsideMeshNotes(
  { trafficPolicies, accessPolicies }: Policies,
  ofTargets: Collection<MeshOfTargets>,
): DiagnoseDestination {
  return (destination, read) => {
    if (destination.mesh !== undefined) return [];
    const target = { kind: 'Destination', key: destination.key } as const;
    const diagnosticOf = (report: Report, { ref }: Pick<TargetedPolicy, 'ref'>): Diagnostic => ({
      ...{ policy: ref, target, state: 'DEGRADED', infoUnlessNamed: true },
      reports: [report],
    });
    const access = read.get(accessPolicies, destination.key) ?? [];
    const traffic = read.get(trafficPolicies, destination.key) ?? [];
    const meshOfTargets = traffic.length === 0 ? undefined : read.get(ofTargets, destination.key);
    const accessReport = notInMesh(destination);
    const onTraffic =
      meshOfTargets === undefined
        ? traffic.map((policy) => diagnosticOf(notInMesh(destination, { canShift: true }), policy))
        : meshOfTargets.unsupported === undefined
          ? traffic.flatMap((policy) =>
              connectionNotes(destination, policy.object).map((one) => diagnosticOf(one, policy)),
            )
          : traffic.map((policy) => diagnosticOf(notRouted(destination, meshOfTargets), policy));
    return [...onTraffic, ...access.map((policy) => diagnosticOf(accessReport, policy))];
  };
}

/** Connection settings of a Service without pods have no effect: its requests go to other Services. */
function connectionNotes(destination: KnownDestination, { spec }: TrafficPolicy): Report[] {
  return CONNECTION_FIELDS.filter((field) => spec.policy?.[field] !== undefined).map((field) => ({
    code: 'NOT_IN_A_MESH',
    severity: 'warning',
    field: `spec.policy.${field}`,
    message: `${serviceText(destination)} has no pods, so proxies open no connections to it; set it on the Services that receive its requests`,
  }));
}

function notRouted(destination: KnownDestination, { mesh, unsupported }: MeshOfTargets): Report {
  return {
    code: 'NOT_IN_A_MESH',
    severity: 'warning',
    message: `${serviceText(destination)} has no pods, and mesh ${mesh.namespace}/${mesh.name}, to which its requests are shifted, cannot route them: ${unsupported}`,
  };
}
