/** The cost of one policy edit that touches exactly five destinations, in worlds of any size. */
import { key, policyKey, setObject, settle } from '@meshrelay/relay-core';
import { cpuMs, median, peakRssMiB, quantile, wallMs } from '../measure.ts';
import { isTranslation, WorkMeter } from '../work-done.ts';
import { generateWorld } from '../world/generate.ts';
import { digest, fill, OPTIONS, parsed } from '../world/plane.ts';
import { editedPolicy } from '../world/policies.ts';
import { EDITED_DESTINATIONS, EDITED_POLICIES, type WorldShape } from '../world/shape.ts';

export interface EditInput {
  readonly shape: WorldShape;
  readonly edits: number;
  /** Edits before anything is measured. */
  readonly warmUp: number;
}

export interface EditResult {
  readonly checksum: string;
  /** Median over five batches. */
  readonly cpuMsPerEdit: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Views translated again per translation that became different. */
  readonly recomputedPerChanged: number;
  /** Objects that became different per edit. */
  readonly objectsChangedPerEdit: number;
  /** Runs of any node per edit, whatever came of them. */
  readonly runsPerEdit: number;
  /** The node that ran most per edit. */
  readonly busiest: string;
  readonly busiestRunsPerEdit: number;
  readonly peakRssMiB: number;
  /** A new control plane, fed the final state, gave the same bytes. */
  readonly oracle: boolean;
}

const BATCHES = 5;

export function edit({ shape, edits, warmUp }: EditInput): EditResult {
  let world: ReturnType<typeof generateWorld> | undefined = generateWorld(shape);
  const { checksum, objects } = world;
  let plane: ReturnType<typeof fill> | undefined = fill(objects.map(parsed));
  world = undefined;
  let made = 0;
  const editOnce = (fleet: ReturnType<typeof fill>): void => {
    made += 1;
    const policy = editedPolicy(made % EDITED_POLICIES, 1_000 + made, 1 + made);
    fleet.graph.commit((transaction) => setObject(transaction, fleet.world, '', policy));
    settle(fleet, OPTIONS);
    fleet.rest();
  };
  expectTargets(plane);
  plane.rest();
  for (let position = 0; position < warmUp; position++) editOnce(plane);
  const meter = new WorkMeter(plane.graph);
  const walls: number[] = [];
  const batches: number[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const size = Math.ceil(edits / BATCHES);
    const fleet = plane;
    const cpu = cpuMs(() => {
      for (let position = 0; position < size; position++) walls.push(wallMs(() => editOnce(fleet)));
    });
    batches.push(cpu / size);
  }
  const translations = meter.of(isTranslation);
  const byNode = [...meter.byNode()];
  const [busiest = '', most] = byNode.toSorted(([, a], [, b]) => b.recomputed - a.recomputed)[0] ?? [];
  const measured = {
    objectsChangedPerEdit: meter.of((node) => node === 'output/desired').changed / walls.length,
    runsPerEdit: meter.of(() => true).recomputed / walls.length,
    busiest,
    busiestRunsPerEdit: (most?.recomputed ?? 0) / walls.length,
    peakRssMiB: peakRssMiB(),
  };
  const kept = { digest: digest(plane), ledgers: [...plane.world.ledgers.entries()].map(([, ledger]) => ledger) };
  plane = undefined;
  const edited = new Map<string, ReturnType<typeof parsed>>();
  for (let last = Math.max(1, made - EDITED_POLICIES + 1); last <= made; last++) {
    const object = editedPolicy(last % EDITED_POLICIES, 1_000 + last, 1 + last);
    edited.set(object.metadata.name, { cluster: '', object });
  }
  const final = objects.map(parsed).map((one) => (one.cluster === '' && edited.get(one.object.metadata.name)) || one);
  return {
    checksum,
    cpuMsPerEdit: median(batches),
    p50Ms: median(walls),
    p99Ms: quantile(walls, 0.99),
    recomputedPerChanged: translations.recomputed / translations.changed,
    ...measured,
    oracle: digest(fill(final, kept.ledgers)) === kept.digest,
  };
}

/** The figures mean what they say only if each edited policy has its five destinations, and is in force there. */
function expectTargets({ statuses }: ReturnType<typeof fill>): void {
  for (let position = 0; position < EDITED_POLICIES; position++) {
    const ref = { kind: 'TrafficPolicy', cluster: '', namespace: 'meshrelay', name: `edited-${position}` } as const;
    const status = statuses.get(policyKey(ref))?.status;
    if (status?.state === 'ACCEPTED' && status.targetCount === EDITED_DESTINATIONS) continue;
    throw new Error(
      `TrafficPolicy ${key(ref.name)}: expected ACCEPTED on ${EDITED_DESTINATIONS} destinations, found ${status?.state} on ${status?.targetCount}; mend bench/world`,
    );
  }
}
