/** Destinations in no mesh: policies have no effect there, and get a report. */
import type { Report, TrafficPolicy } from '@meshrelay/api';
import { CONNECTION_FIELDS } from '../../fields/traffic/mod.ts';
import type { Collection } from '../../graph/collection.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { type KnownDestination, notInMesh, serviceText } from '../inventory/mod.ts';
import type { MeshOfTargets } from '../plans/mod.ts';
import type { Policies, TargetedPolicy } from '../policies/mod.ts';
import type { DiagnoseDestination } from './diagnose-destination.ts';

/** Reports to every policy on a destination that is in no mesh. */
export function outsideMeshNotes(
  { trafficPolicies, accessPolicies }: Policies,
  ofTargets: Collection<MeshOfTargets>,
): DiagnoseDestination {
  return (destination, read) => {
    if (destination.mesh !== undefined) return [];
    const target = { kind: 'Destination', key: destination.key } as const;
    const noteOn = (report: Report, { ref }: Pick<TargetedPolicy, 'ref'>): Diagnostic => ({
      ...{ policy: ref, target, state: 'DEGRADED', infoUnlessNamed: true },
      reports: [report],
    });
    const access = read.get(accessPolicies, destination.key) ?? [];
    const traffic = read.get(trafficPolicies, destination.key) ?? [];
    const found = traffic.length === 0 ? undefined : read.get(ofTargets, destination.key);
    const outside = notInMesh(destination);
    const onTraffic =
      found === undefined
        ? traffic.map((policy) => noteOn(notInMesh(destination, { canShift: true }), policy))
        : found.unsupported === undefined
          ? traffic.flatMap((policy) => connectionNotes(destination, policy.object).map((one) => noteOn(one, policy)))
          : traffic.map((policy) => noteOn(notRouted(destination, found), policy));
    return [...onTraffic, ...access.map((policy) => noteOn(outside, policy))];
  };
}

/** Requests go to other Services, so no client connects to this one. */
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
