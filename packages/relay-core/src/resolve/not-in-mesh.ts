/** Destinations in no mesh: policies have no effect there, and get a report. */
import type { Report, TrafficPolicy } from '@meshrelay/api';
import { CONNECTION_FIELDS } from '../fields/traffic/mod.ts';
import type { Collection } from '../graph/collection.ts';
import type { KnownDestination } from './destinations.ts';
import type { DiagnoseDestination } from './diagnose-destination.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Policies, TargetedPolicy } from './policies.ts';
import { hasNoPods, type MeshOfTargets } from './services-without-pods.ts';

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
        ? traffic.map((policy) => noteOn(notInMesh(destination, true), policy))
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
    message: `${nameOf(destination)} has no pods, so proxies open no connections to it; set it for the Services that its requests go to`,
  }));
}

function notRouted(destination: KnownDestination, { mesh, unsupported }: MeshOfTargets): Report {
  return {
    code: 'NOT_IN_A_MESH',
    severity: 'warning',
    message: `${nameOf(destination)} has no pods, and mesh ${mesh.namespace}/${mesh.name}, which its requests are to go to, cannot route them: ${unsupported}`,
  };
}

function nameOf({ name, namespace, cluster }: KnownDestination): string {
  return `Service ${namespace}/${name} of cluster ${cluster}`;
}

/**
 * The report to policies that select the destination, or would federate it.
 * @param canShift whether a traffic shift of such a policy could send its requests elsewhere
 */
export function notInMesh(destination: KnownDestination, canShift = false): Report {
  const { serviceType } = destination;
  const where = nameOf(destination);
  if (hasNoPods(destination)) {
    const others = canShift
      ? 'select the Services that have them, or shift its requests to Services that are in a mesh of its cluster or federated to one'
      : 'or select the Services that have them';
    const message = `${where} has no pods, so nothing can carry the policy there; give it pods with a sidecar, ${others}`;
    return { code: 'NOT_IN_A_MESH', severity: 'warning', message };
  }
  return serviceType === 'EXTERNAL_NAME'
    ? {
        code: 'EXTERNAL_NAME',
        severity: 'warning',
        message: `${where} is an alias of another host (ExternalName), which no mesh handles as its own; select the Service behind it`,
      }
    : {
        code: 'NOT_IN_A_MESH',
        severity: 'warning',
        message: `${where} has no workload in a mesh, so nothing can carry the policy there; give its pods a sidecar or do not select it`,
      };
}
