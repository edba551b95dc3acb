/** Deletes CustomResourceDefinitions, with all their objects. */
import type { KubeObject } from '@meshrelay/api';
import { collectionPath, isKubeError, type KubeConnection } from '@meshrelay/kube';
import { CRD } from '../online/kinds.ts';
import { waitUntil } from '../online/wait-until.ts';

interface Crd extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
  };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

/** @throws InputError if some remain after the timeout */
export async function deleteCrds(connection: KubeConnection, names: readonly string[], timeout: number): Promise<void> {
  const crds = connection.objects(CRD);
  let left = await present(connection, names);
  await Promise.all(
    left.map(async (crd) => {
      const { name } = crd.metadata;
      await waitUntil(
        { timeout },
        () => isReadable(connection, crd),
        () => `the API server lists ${name}; run the command again`,
      );
      await crds.delete({ name });
    }),
  );
  await waitUntil(
    { timeout },
    async () => {
      left = left.length === 0 ? left : await present(connection, names);
      return left.length === 0;
    },
    () => `these CRDs are gone: ${left.map(describe).join(', ')}; kubectl describe crd shows what holds them`,
  );
}

async function present(connection: KubeConnection, names: readonly string[]): Promise<readonly Crd[]> {
  if (names.length === 0) return [];
  const all = (await connection.objects(CRD).list()) as readonly Crd[];
  return all.filter(({ metadata }) => names.includes(metadata.name));
}

/**
 * Whether the API server can list the objects of a CRD. It begins to read them from etcd at the first request. If a
 * deletion is that request, it fails ("storage is (re)initializing"), and the API server repeats it after pauses that
 * grow to minutes.
 */
async function isReadable(connection: KubeConnection, { metadata, spec }: Crd): Promise<boolean> {
  const version = spec.versions.find(({ storage }) => storage)?.name;
  if (version === undefined) return true;
  const kind = { group: spec.group, version, kind: '', plural: spec.names.plural, namespaced: false };
  try {
    const query = { limit: 1 };
    await connection.request({ what: `list ${metadata.name}`, method: 'GET', path: collectionPath(kind), query });
    return true;
  } catch (error) {
    // Other errors do not concern the deletion, such as a permission that the user lacks.
    return !isKubeError(error, 'RELAY_E_KUBE_UNAVAILABLE');
  }
}

function describe({ metadata: { name }, status }: Crd): string {
  const message = status?.conditions?.find((one) => one.type === 'Terminating' && one.status === 'True')?.message;
  return message === undefined ? name : `${name} (${message})`;
}
