/** Controller references between workloads and the objects they create. */
import type { KubeObject, OwnerReference } from '../object.ts';
import type { KindRef, ObjectEvent, ObjectRef } from '../storage/controller-store.ts';

/** The reference that makes `owner` the controller of an object. */
export function controllerReference({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  const { name, uid = '' } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The owner that controls an object, if any. */
function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/** The objects that `owner` controls and that are not being deleted. */
export function controlledBy(owner: KubeObject, objects: readonly KubeObject[]): KubeObject[] {
  return objects.filter(
    (object) => object.metadata.deletionTimestamp === undefined && controllerOf(object)?.uid === owner.metadata.uid,
  );
}

/** For a watch: the controller of this kind that the object of an event has or had. */
export function controllerRefs(kind: KindRef): (event: ObjectEvent) => ObjectRef[] {
  return ({ object, previous }) =>
    [object, previous].flatMap((each) => {
      const owner = each === undefined ? undefined : controllerOf(each);
      if (each === undefined || owner?.kind !== kind.kind) return [];
      return [
        { name: owner.name, ...(each.metadata.namespace === undefined ? {} : { namespace: each.metadata.namespace }) },
      ];
    });
}
