/** Properties about scope: undeclared kinds, other clusters, and a fleet without policies. */
import { isMeshrelayApiVersion, type KubeObject } from '@meshrelay/api';
import { apiVersionOf, groupOf, key, type NativeObject, type ResourceKind } from '@meshrelay/plugin';
import { type ControlPlane, MANAGEMENT_CLUSTER } from '@meshrelay/relay-core';
import type { Fleet } from '../fleet/expand-fleet.ts';
import { LiveFleet } from '../fleet/live-fleet.ts';
import { policyObject } from '../fleet/policy-object.ts';
import { loaded } from '../tested-plugin.ts';
import { built, expectedOf, firstDifference, outputLines } from './outcome.ts';
import type { Property } from './property.ts';
import { everyObject } from './repeatable.ts';

/**
 * The plugin writes only declared kinds in their declared versions, each object once and in its namespace. Objects that
 * core rejects are faults of the plugin.
 */
export const writesWhatItDeclares: Property = (tested, fleets) => {
  const { plugin } = tested;
  const declared = new Map(plugin.writes.map((kind) => [`${apiVersionOf(kind)} ${kind.kind}`, kind]));
  const written = new Set<string>();
  for (const { name, fleet } of fleets) {
    const { objects, reports } = expectedOf(tested, fleet);
    for (const object of objects) {
      // Patches appear here as objects of core's own kind; core has validated them against the plugin's declaration.
      if (isMeshrelayApiVersion(object.apiVersion)) continue;
      const text = `${object.apiVersion} ${object.kind}`;
      const kind = declared.get(text);
      if (kind === undefined) throw new Error(`${name}: it writes ${text}, which its "writes" does not declare`);
      written.add(text);
      const problem = placeProblem(object, kind) ?? fieldProblem(object);
      if (problem !== undefined) throw new Error(`${name}: ${object.kind} ${object.metadata.name}: ${problem}`);
    }
    const fault = reports.find(({ code }) => code === 'PLUGIN_INVALID_OUTPUT' || code === 'DUPLICATE_OUTPUT');
    if (fault !== undefined) throw new Error(`${name}: ${fault.code}: ${fault.message}`);
  }
  // Objects of core's own kinds may have other sources than policies.
  const idle = plugin.writes
    .map((kind) => `${apiVersionOf(kind)} ${kind.kind}`)
    .find((text) => !written.has(text) && !isMeshrelayApiVersion(text.split(' ')[0] ?? ''));
  if (idle !== undefined)
    throw new Error(
      `its "writes" declares ${idle}, which it writes in no test fleet; agents get permissions for it: remove it, or show it in a golden case`,
    );
};

function placeProblem({ metadata: { namespace } }: NativeObject, { namespaced }: ResourceKind): string | undefined {
  if (namespaced && namespace === undefined) return 'it has no namespace, but its kind is namespaced';
  if (!namespaced && namespace !== undefined)
    return `it has the namespace ${namespace}, but "writes" says that its kind is not namespaced`;
  return undefined;
}

const METADATA: ReadonlySet<string> = new Set(['name', 'namespace', 'labels', 'annotations']);

/** Plugins must not set fields that belong to API servers and controllers. */
function fieldProblem({ metadata, status }: NativeObject): string | undefined {
  const field = Object.keys(metadata).find((one) => !METADATA.has(one));
  if (field !== undefined) return `it has metadata.${field}; a plugin says ${[...METADATA].join(', ')}, and no more`;
  return status === undefined ? undefined : 'it has a status, which is for the mesh to write';
}

/**
 * A deleted policy deletes its outputs; without policies no output remains, and without objects discovery finds
 * nothing.
 */
export const leavesNothing: Property = (tested, fleets) => {
  for (const { name, fleet } of fleets) {
    const live = new LiveFleet(loaded(tested));
    const all = everyObject(fleet);
    live.reportFleet(fleet);
    live.settle();
    const [policies, others] = [all.filter(isManaged), all.filter((one) => !isManaged(one))];
    const left = new Set(policies.map(nameOf));
    for (const policy of policies) {
      const [cluster, object] = policy;
      live.report(cluster, object, 'gone');
      left.delete(nameOf(policy));
      refuseUnasked(`${name}: without ${object.kind} ${object.metadata.name}`, left, live.plane.desired);
    }
    for (const [cluster, object] of others) live.report(cluster, object, 'gone');
    const [found] = live.plane.shown.activate().discovered.entries();
    if (found !== undefined) throw new Error(`${name}: no object is left, but it finds ${found[0]}`);
  }
};

function nameOf([cluster, { kind, metadata }]: readonly [string, KubeObject]): string {
  return key(cluster, kind, metadata.namespace ?? '', metadata.name);
}

/** Every object has only source policies that still exist. */
function refuseUnasked(when: string, left: ReadonlySet<string>, desired: ControlPlane['desired']): void {
  for (const [itemKey, { sourcePolicies }] of desired.entries()) {
    const gone = sourcePolicies.find(
      ({ cluster, kind, namespace, name }) => !left.has(key(cluster, kind, namespace, name)),
    );
    if (sourcePolicies.length > 0 && gone === undefined) continue;
    const why = gone === undefined ? 'no policy' : `${gone.kind} ${gone.namespace}/${gone.name}, which is gone`;
    throw new Error(`${when} it still writes ${itemKey}, for ${why}`);
  }
}

function isManaged([cluster, { apiVersion }]: readonly [string, KubeObject]): boolean {
  return cluster === MANAGEMENT_CLUSTER || groupOf(apiVersion).endsWith('.meshrelay.dev');
}

const STRANGER = 'stranger';
const STRANGE_DESTINATIONS = [{ kubeServiceMatcher: { clusters: [STRANGER] } }];

/** Policies for its Services, so the plugin has outputs for it. */
const STRANGE_POLICIES = [
  { TrafficPolicy: STRANGER, spec: { destinationSelector: STRANGE_DESTINATIONS, policy: { requestTimeout: '9s' } } },
  { AccessPolicy: STRANGER, spec: { destinationSelector: STRANGE_DESTINATIONS } },
].map(policyObject);

/** A cluster that shares nothing with the others changes nothing in them, with or without the mesh. */
export const unmovedByStrangers: Property = (tested, fleets) => {
  const plugins = loaded(tested);
  for (const { name, fleet } of fleets) {
    const expected = expectedOf(tested, fleet).outputs;
    for (const stranger of strangers(fleet)) {
      // It comes first, so any state that the plugin keeps of it affects the others.
      const clusters = [stranger, ...fleet.clusters];
      const plane = built({ clusters, management: [...fleet.management, ...STRANGE_POLICIES] }, plugins);
      const otherPlace = outputLines(plane, STRANGER);
      const difference = firstDifference(otherPlace, expected);
      if (difference !== undefined) throw new Error(`${name}: an unrelated cluster changed the others: ${difference}`);
    }
  }
};

/** An empty one, and one that copies the first: with the same mesh, Services and pods, but no policies. */
function strangers({ clusters }: Fleet): Fleet['clusters'] {
  const [first] = clusters;
  const same = first?.objects.filter((object) => !isManaged([STRANGER, object])) ?? [];
  return [
    { name: STRANGER, objects: [] },
    { name: STRANGER, objects: same },
  ];
}
