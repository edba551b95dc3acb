/** F47: unexpected objects. */
import { type KubeObject, StatusError } from '@meshrelay/kube-sim';
import type { Row } from '../trial/row.ts';
import type { Trial } from '../trial/trial.ts';

const NAMESPACE = 'poisoned';

export const poison: Row = {
  id: 'F47',
  title: 'unexpected objects',
  inject:
    "copies of every user's object of cluster-2, each with one field null, or of another type, as far as the API server takes them",
  expect: 'no program ends; what does not depend on them continues',
  async run(trial) {
    const { fleet } = trial;
    const { sim } = fleet.cluster('cluster-2');
    const before = fleet.replicas.map(({ program }) => program.pid);
    sim.objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    const taken = poisonedCopies(trial).filter((object) => isTaken(sim.objects.create, object)).length;
    if (taken < 50) throw new Error(`the API server took ${taken} poisoned objects only`);
    for (let edit = 0; edit < 3; edit++) await trial.follows();
    trial.mayDelete(({ object }) => JSON.stringify(object).includes(NAMESPACE));
    sim.objects.delete({ apiVersion: 'v1', kind: 'Namespace', name: NAMESPACE });
    await trial.eventually(
      'the poison to be gone',
      () => sim.snapshot().every(({ metadata }) => metadata.namespace !== NAMESPACE) || undefined,
    );
    await trial.follows();
    const after = fleet.replicas.map(({ program, running }) => (running ? program.pid : `${program.name} ended`));
    if (after.join() !== before.join()) throw new Error(`programs ended: ${before.join()} became ${after.join()}`);
  },
};

/** Kinds whose objects plugins read. */
const KINDS = ['Service', 'Deployment', 'ServiceAccount', 'ConfigMap', 'VirtualService', 'DestinationRule', 'Gateway'];
const VALUES: readonly unknown[] = [null, '', -1, [], { poison: null }];

function poisonedCopies({ fleet }: Trial): KubeObject[] {
  const objects = fleet
    .cluster('cluster-2')
    .sim.snapshot()
    .filter(({ kind, metadata }) => KINDS.includes(kind) && metadata.namespace !== 'kube-system')
    // A user's copy of a generated object with the same host correctly keeps the generated one from being applied.
    .filter(({ metadata }) => metadata.labels?.['meshrelay.dev/owner'] === undefined);
  let number = 0;
  return objects.flatMap((object) =>
    fields(object).flatMap((path) =>
      VALUES.map((value) => {
        const { labels, annotations } = object.metadata;
        const { status: _, ...rest } = structuredClone(object) as KubeObject & { readonly status?: unknown };
        const metadata = {
          name: `p-${number++}`,
          namespace: NAMESPACE,
          ...(labels && { labels }),
          ...(annotations && { annotations }),
        };
        const copy = { ...rest, metadata: structuredClone(metadata) } as KubeObject;
        set(copy, path, value);
        return copy;
      }),
    ),
  );
}

/** Paths of the fields of an object, spec and labels, three levels deep. */
function fields(object: KubeObject): string[][] {
  const below = (value: unknown, path: string[]): string[][] => {
    if (typeof value !== 'object' || value === null || path.length >= 4) return [path];
    return [path, ...Object.entries(value).flatMap(([key, inner]) => below(inner, [...path, key]))];
  };
  return ['spec', 'data'].flatMap((top) => (object[top] === undefined ? [] : below(object[top], [top])));
}

function set(object: object, path: readonly string[], value: unknown): void {
  const last = path.at(-1) ?? '';
  const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], object);
  (parent as Record<string, unknown>)[last] = value;
}

function isTaken(create: (object: KubeObject) => unknown, object: KubeObject): boolean {
  try {
    create(object);
    return true;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}
