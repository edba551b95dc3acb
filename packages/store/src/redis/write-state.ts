/** Converts a captured state of a cluster to a write, without blocking the thread for long. */
import type { RemoteSnapshots, SealedField, SealedState } from './remote-snapshots.ts';
import type { RedisLimits } from './settings.ts';
import type { Capture } from './shared-cluster.ts';
import { type Step, writeIndex } from './values.ts';

/** Values sealed before the loop yields: some milliseconds of work. */
const SEALED_AT_ONCE = 64;

export interface StateToWrite {
  readonly cluster: string;
  readonly capture: Capture;
  /** The present version in Redis; '' for none. */
  readonly there: string;
  /** Name of this replica. */
  readonly from: string;
}

/** Seals everything. The capture is atomic, so concurrent changes are not included. */
export async function sealState(
  remote: Pick<RemoteSnapshots, 'sealed'>,
  { cluster, capture, there, from }: StateToWrite,
  limits: Pick<RedisLimits, 'step'>,
): Promise<SealedState> {
  const { version, base, head, buckets, objects, deletes } = capture;
  const fields: SealedField[] = [];
  const add = async (field: SealedField): Promise<void> => {
    fields.push(field);
    if (fields.length % SEALED_AT_ONCE === 0) await new Promise((resume) => setImmediate(resume));
  };
  for (const { field, object } of objects) await add(remote.sealed(cluster, 'object', field, version, object.body));
  for (const { field, entries } of buckets)
    await add(remote.sealed(cluster, 'index', field, version, writeIndex(entries)));
  const mode = base === undefined ? 'whole' : base.fields === 0 ? 'first' : 'patch';
  return {
    cluster,
    version,
    expected: there,
    mode,
    head,
    fields,
    deletes,
    step: stepOf(cluster, capture, from, limits),
  };
}

/** Includes small changes themselves, so that followers need not read. */
function stepOf(cluster: string, capture: Capture, from: string, limits: Pick<RedisLimits, 'step'>): Step {
  const { version, base, steps, fields, head, observed } = capture;
  const common = { from, cluster, version };
  const bytes = steps.flatMap(({ upserts }) => upserts).reduce((sum, { body }) => sum + body.byteLength + NAME, 0);
  const deletes = steps.reduce((sum, step) => sum + step.deletes.length * NAME, 0);
  if (base === undefined || head.removed || bytes + deletes > limits.step) return { ...common, type: 'moved' };
  return {
    ...common,
    type: 'step',
    before: base.version,
    compared: head.compared ?? null,
    kinds: steps,
    fields,
    observed,
  };
}

/** Approximate bytes of a name. */
const NAME = 256;
