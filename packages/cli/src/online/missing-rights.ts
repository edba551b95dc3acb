/** The permissions that a server needs in a cluster, and that its credential lacks. */
import { mapConcurrent } from '@meshrelay/concurrency';
import type { Reviews } from '@meshrelay/kube';
import type { RbacRule, Rights } from '@meshrelay/relay-core';

/** Number of concurrent reviews. */
const AT_ONCE = 16;

export interface ReviewedRights extends Pick<Rights, 'cluster' | 'namespace'> {
  readonly otherClusters: readonly Pick<Rights['otherClusters'][number], 'namespace' | 'rules'>[];
}

interface Requested {
  readonly verb: string;
  readonly group: string;
  /** With its subresource: `pods/status`. */
  readonly resource: string;
  readonly name?: string;
  readonly namespace?: string;
}

/**
 * Reviews each permission at the API server.
 * @returns such as `list, watch of pods`, in the order of the permissions; empty if none is missing
 * @throws KubeError
 */
export async function missingRights(
  reviews: Pick<Reviews, 'mayI'>,
  rights: ReviewedRights,
  namespace: string,
): Promise<readonly string[]> {
  const requested = withoutRepeated([
    ...rights.cluster.flatMap((rule) => accesses(rule)),
    ...rights.namespace.flatMap((rule) => accesses(rule, namespace)),
    ...rights.otherClusters.flatMap((where) => where.rules.flatMap((rule) => accesses(rule, where.namespace))),
  ]);
  const allowed = await mapConcurrent(requested, AT_ONCE, (access) => reviews.mayI(attributes(access)));
  const missing = requested.filter((_, index) => allowed[index] !== true);
  const byResource = Map.groupBy(missing, describe);
  return [...byResource].map(([resource, list]) => `${list.map(({ verb }) => verb).join(', ')} of ${resource}`);
}

function withoutRepeated(requested: readonly Requested[]): readonly Requested[] {
  return [...new Map(requested.map((access) => [`${access.verb} ${describe(access)}`, access])).values()];
}

function accesses({ apiGroups, resources, resourceNames, verbs }: RbacRule, namespace?: string): Requested[] {
  const where = namespace === undefined ? {} : { namespace };
  const names = resourceNames?.map((name) => ({ name })) ?? [{}];
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      names.flatMap((name) => verbs.map((verb) => ({ verb, group, resource, ...name, ...where }))),
    ),
  );
}

function attributes({ resource, ...access }: Requested): Parameters<Reviews['mayI']>[0] {
  const [plural = '', subresource] = resource.split('/');
  return { ...access, resource: plural, ...(subresource === undefined ? {} : { subresource }) };
}

function describe({ group, resource, name, namespace }: Requested): string {
  const kind = group === '' ? resource : `${resource}.${group}`;
  return `${kind}${name === undefined ? '' : ` named ${name}`}${namespace === undefined ? '' : ` in namespace ${namespace}`}`;
}
