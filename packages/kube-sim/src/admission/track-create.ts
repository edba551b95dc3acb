/** Field ownership of a new object. */
import type { Cluster } from '../cluster.ts';
import type { KubeObject } from '../object.ts';
import { writeManagers } from '../patch/managers.ts';
import { recordUpdate, trackUpdate } from '../patch/track-update.ts';
import { apiVersionOf, type ServedResource } from '../resources/definition.ts';
import type { WriteOptions } from './write-options.ts';

/** The new object with its managedFields: its creator owns all fields, except those that every object has. */
export function trackCreate(
  cluster: Cluster,
  after: KubeObject,
  { definition, version }: ServedResource,
  options: WriteOptions,
): KubeObject {
  const write = {
    after,
    manager: options.fieldManager,
    schema: version.schema,
    apiVersion: apiVersionOf(definition.group, version.name),
    now: cluster.clock.now(),
  };
  const { zero } = definition.strategy;
  if (zero === undefined || after.metadata.managedFields !== undefined) return trackUpdate(write);
  const before: KubeObject = { apiVersion: after.apiVersion, kind: after.kind, metadata: { name: '' }, ...zero };
  return writeManagers(after, recordUpdate({ ...write, before }, new Map()));
}
