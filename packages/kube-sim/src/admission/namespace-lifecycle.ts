/** Objects can only be created in namespaces that exist and are not terminating. */
import type { Cluster } from '../cluster.ts';
import { forbiddenResource, notFound } from '../errors/api-errors.ts';
import { StatusError } from '../object.ts';
import type { ResourceDefinition } from '../resources/definition.ts';

/** Core namespaces. */
export const NAMESPACES = { group: '', plural: 'namespaces' } as const;

/** @throws StatusError 404 when the namespace does not exist, 403 when it is terminating */
export function requireNamespace(
  cluster: Cluster,
  definition: ResourceDefinition,
  namespace: string,
  name: string,
): void {
  const object = cluster.store.collection(NAMESPACES).get(namespace);
  if (object === undefined) throw notFound(NAMESPACES, namespace);
  if (object.metadata.deletionTimestamp === undefined) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status } = forbiddenResource(definition, name, why);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  throw new StatusError({ ...status, details: { ...status.details, causes: [cause] } });
}
