/** All objects of a cluster, to compare what an uninstall leaves with what was there before. */
import type { Client } from '@meshrelay/testing/api-server';

/** Kinds that the cluster itself writes and deletes at any time, by their plural names. */
const TRANSIENT = new Set(['events', 'leases', 'endpoints', 'endpointslices', 'componentstatuses']);

interface Resource {
  readonly name: string;
  readonly verbs: readonly string[];
}

interface Item {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly ownerReferences?: readonly {
      readonly kind: string;
      readonly name: string;
      readonly controller?: boolean;
    }[];
  };
}

/**
 * `PLURAL.GROUP NAMESPACE/NAME` of each object that is listed; those of a controller have its name.
 * @throws Error if the server does not list a kind
 */
export async function objectsOf(client: Client): Promise<ReadonlySet<string>> {
  const groups = (await client.get('/apis')).body.groups as readonly {
    readonly name: string;
    readonly preferredVersion: { readonly groupVersion: string };
  }[];
  const paths = [
    ['', '/api/v1'],
    ...groups.map(({ name, preferredVersion }) => [name, `/apis/${preferredVersion.groupVersion}`]),
  ];
  const keys = await Promise.all(paths.map(([group = '', path = '']) => keysBelow(client, group, path)));
  return new Set(keys.flat());
}

async function keysBelow(client: Client, group: string, path: string): Promise<readonly string[]> {
  const resources = ((await client.get(path)).body?.resources ?? []) as readonly Resource[];
  const listed = resources.filter(({ name, verbs }) => verbs.includes('list') && !TRANSIENT.has(name));
  const keys = await Promise.all(
    listed.map(async ({ name }) => {
      const { status, body } = await client.get(`${path}/${name}`);
      if (status !== 200) throw new Error(`GET ${path}/${name} answered ${status}`);
      return (body.items as readonly Item[]).map(
        (item) => `${name}.${group} ${item.metadata.namespace ?? ''}/${stableName(item)}`,
      );
    }),
  );
  return keys.flat();
}

/** A controller may replace its pods, so they have the name of their controller. */
function stableName({ metadata: { name, ownerReferences = [] } }: Item): string {
  const owner = ownerReferences.find(({ controller }) => controller === true);
  return owner === undefined ? name : `of ${owner.kind} ${owner.name}`;
}

/** Objects that are not in an earlier state, sorted. */
export function added(before: ReadonlySet<string>, after: ReadonlySet<string>): readonly string[] {
  return [...after].filter((key) => !before.has(key)).sort();
}
