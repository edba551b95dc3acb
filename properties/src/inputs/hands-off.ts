/** Checks, independently of the code under test, that translation never changes users' objects. */
import type { KubeObject } from '@meshrelay/api';
import { crdValidator } from '@meshrelay/plugin-kit';
import { groupOf, isManaged, OBJECT_PATCH, readObjectPatch } from '@meshrelay/relay-core';
import { meshCrdFiles } from '@meshrelay/testing';
import { planeOf } from './control-plane.ts';
import type { InputCluster } from './manifests.ts';

const crds = (['istio', 'osm'] as const).flatMap((mesh) => meshCrdFiles(mesh) ?? []);
const problemsOf = crds.length === 0 ? undefined : crdValidator(crds);

/** @returns the kinds of the policies that produced objects. @throws Error that names the changed object */
export function keepHandsOff({ users, objects }: InputCluster, management: readonly KubeObject[]): ReadonlySet<string> {
  const before = JSON.stringify(objects);
  const plane = planeOf(objects, management);
  if (JSON.stringify(objects) !== before) throw new Error('what users wrote was changed in place');
  for (const [, desired] of plane.desired.entries()) {
    const object = desired.object as unknown as KubeObject;
    const id = idOf(object);
    if (users.some((unmanaged) => idOf(unmanaged) === id))
      throw new Error(`${id} belongs to a user, and a generated object has its name`);
    if (!isManaged(object)) throw new Error(`${id} does not have the label of generated objects`);
    if (desired.kind === OBJECT_PATCH) consented(object, management);
    else refuse(id, problemsOf?.(object) ?? []);
    if (object.kind === 'VirtualService') aloneWith(object, users);
  }
  const nothing = planeOf(
    objects,
    management.filter(({ kind }) => kind === 'Settings'),
  );
  refuse(
    'left without a policy',
    [...nothing.desired.entries()].map(([key]) => key),
  );
  return new Set(
    [...plane.desired.entries()].flatMap(([, { sourcePolicies }]) => sourcePolicies.map(({ kind }) => kind)),
  );
}

function consented(patch: KubeObject, management: readonly KubeObject[]): void {
  const what = readObjectPatch(patch.spec);
  const settings = management.find(({ kind }) => kind === 'Settings');
  if (what === undefined || !JSON.stringify(settings?.spec).includes('"meshConfig":true'))
    throw new Error(`${idOf(patch)} was not consented to`);
}

/**
 * Of two VirtualServices for one host, sidecars use only the older one: a generated one must not coexist with a user's.
 */
function aloneWith(managed: KubeObject, users: readonly KubeObject[]): void {
  for (const unmanaged of users) {
    if (unmanaged.kind !== 'VirtualService') continue;
    const { hosts = [], gateways = ['mesh'] } = (unmanaged.spec ?? {}) as { hosts?: string[]; gateways?: string[] };
    const full = hosts.map((host) =>
      host.includes('.') ? host : `${host}.${unmanaged.metadata.namespace}.svc.cluster.local`,
    );
    const both = ((managed.spec as { hosts: string[] }).hosts ?? []).find((host) => full.includes(host));
    if (both !== undefined && gateways.includes('mesh'))
      throw new Error(`${idOf(managed)} and ${idOf(unmanaged)} both configure ${both}`);
  }
}

function idOf({ apiVersion, kind, metadata }: KubeObject): string {
  return `${groupOf(apiVersion)} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}

function refuse(what: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`${what}:\n${problems.join('\n')}`);
}
