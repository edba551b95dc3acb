/** Rules of Roles and ClusterRoles, and how they are collected. */
import type { ResourceKind } from '@meshrelay/plugin';

export interface RbacRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Omitted: any name. */
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export type Resource = Pick<ResourceKind, 'group' | 'plural'>;

export const READ: readonly string[] = ['get', 'list', 'watch'];
/** Outputs are applied by server-side apply, which is a patch, and a create if the object does not exist. */
export const WRITE: readonly string[] = ['get', 'list', 'watch', 'create', 'patch', 'delete'];

export const LEASES: Resource = { group: 'coordination.k8s.io', plural: 'leases' };
export const SECRETS: Resource = { group: '', plural: 'secrets' };
export const CONFIG_MAPS: Resource = { group: '', plural: 'configmaps' };

/** The status subresource of a resource. */
export function statusOf({ group, plural }: Resource): Resource {
  return { group, plural: `${plural}/status` };
}

/** A rule for objects with these names only. */
export function namedRule({ group, plural }: Resource, names: readonly string[], verbs: readonly string[]): RbacRule {
  return { apiGroups: [group], resources: [plural], resourceNames: [...new Set(names)].sort(), verbs };
}

/** Verbs by resource, in few rules. */
export class Grants {
  readonly #verbs = new Map<string, { readonly resource: Resource; readonly verbs: Set<string> }>();

  give(resources: readonly Resource[], verbs: readonly string[]): this {
    for (const { group, plural } of resources) {
      const name = `${group}/${plural}`;
      const entry = this.#verbs.get(name) ?? { resource: { group, plural }, verbs: new Set() };
      for (const verb of verbs) entry.verbs.add(verb);
      this.#verbs.set(name, entry);
    }
    return this;
  }

  /** One for each group and set of verbs, in order. */
  rules(): readonly RbacRule[] {
    const alike = Map.groupBy(this.#verbs.values(), ({ resource, verbs }) =>
      JSON.stringify([resource.group, [...verbs].sort()]),
    );
    return [...alike]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, entries]) => {
        const [group, verbs] = JSON.parse(name) as [string, string[]];
        return { apiGroups: [group], resources: entries.map(({ resource }) => resource.plural).sort(), verbs };
      });
  }
}
