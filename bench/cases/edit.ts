/** The cost of one edit, of a policy on a handful of destinations or of a VirtualDestination, in fleets of any size. */
import type { KubeObject, PolicyRef } from '@meshrelay/api';
import { policyKey, setObject, settle } from '@meshrelay/relay-core';
import { generateFleet } from '../fleet/generate.ts';
import { digest, fill, OPTIONS, parsed } from '../fleet/plane.ts';
import { editedPolicy } from '../fleet/policies.ts';
import { EDITED_DESTINATIONS, EDITED_POLICIES, type FleetShape } from '../fleet/shape.ts';
import { virtualDestination } from '../fleet/virtual-destinations.ts';
import { WORKSPACE_DESTINATIONS } from '../fleet/workspaces.ts';
import { cpuMs, median, peakRssMiB, quantile, wallMs } from '../measure.ts';
import { isTranslation, WorkMeter } from '../work-done.ts';

export interface EditInput {
  readonly shape: FleetShape;
  readonly edits: number;
  /** Warm-up edits. */
  readonly warmUp: number;
  /** The edited kind; TrafficPolicy by default. */
  readonly what?: 'TrafficPolicy' | 'VirtualDestination';
}

export interface EditResult {
  readonly checksum: string;
  /** Median over five batches. */
  readonly cpuMsPerEdit: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Views translated again per changed translation. */
  readonly recomputedPerChanged: number;
  /** Objects changed per edit. */
  readonly objectsChangedPerEdit: number;
  /** Runs of all nodes per edit, with or without a change. */
  readonly runsPerEdit: number;
  /** The node that ran most per edit. */
  readonly busiest: string;
  readonly busiestRunsPerEdit: number;
  readonly peakRssMiB: number;
  /** A new control plane, fed the final state, gave the same bytes. */
  readonly oracle: boolean;
}

const BATCHES = 5;

export function edit({ shape, edits, warmUp, what = 'TrafficPolicy' }: EditInput): EditResult {
  const edited = what === 'TrafficPolicy' ? editedPolicies(shape) : editedDestinations(shape);
  let fleet: ReturnType<typeof generateFleet> | undefined = generateFleet(shape);
  const { checksum, objects } = fleet;
  let plane: ReturnType<typeof fill> | undefined = fill(objects.map(parsed));
  fleet = undefined;
  let made = 0;
  const editOnce = (fleet: ReturnType<typeof fill>): void => {
    made += 1;
    const object = edited.after(made);
    fleet.graph.commit((transaction) => setObject(transaction, fleet.fleetState, '', object));
    settle(fleet, OPTIONS);
    fleet.compact();
  };
  edited.expect(plane);
  plane.compact();
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
  const [busiest = '', max] = byNode.toSorted(([, a], [, b]) => b.recomputed - a.recomputed)[0] ?? [];
  const measured = {
    objectsChangedPerEdit: meter.of((node) => node === 'output/desired').changed / walls.length,
    runsPerEdit: meter.of(() => true).recomputed / walls.length,
    busiest,
    busiestRunsPerEdit: (max?.recomputed ?? 0) / walls.length,
    peakRssMiB: peakRssMiB(),
  };
  const retained = {
    digest: digest(plane),
    ledgers: [...plane.fleetState.ledgers.entries()].map(([, ledger]) => ledger),
  };
  plane = undefined;
  const newest = new Map<string, ReturnType<typeof parsed>>();
  for (let last = Math.max(1, made - EDITED_POLICIES + 1); last <= made; last++) {
    const object = edited.after(last);
    newest.set(object.metadata.name, { cluster: '', object });
  }
  const isEdited = ({ cluster, object }: ReturnType<typeof parsed>): boolean => cluster === '' && object.kind === what;
  const final = objects.map(parsed).map((one) => (isEdited(one) && newest.get(one.object.metadata.name)) || one);
  return {
    checksum,
    cpuMsPerEdit: median(batches),
    p50Ms: median(walls),
    p99Ms: quantile(walls, 0.99),
    recomputedPerChanged: translations.recomputed / translations.changed,
    ...measured,
    oracle: digest(fill(final, retained.ledgers)) === retained.digest,
  };
}

/** The edited objects, one after the other: {@link EDITED_POLICIES} objects of one kind. */
interface Edited {
  /** The object that the edit of this number creates. */
  after(edit: number): KubeObject;
  /** The figures are valid only if all of them are fully applied. @throws Error naming one that is not */
  expect(plane: ReturnType<typeof fill>): void;
}

function editedPolicies(shape: FleetShape): Edited {
  const targets = shape.workspaces === true ? WORKSPACE_DESTINATIONS : EDITED_DESTINATIONS;
  return {
    after: (edit) => editedPolicy(shape, edit % EDITED_POLICIES, 1_000 + edit, 1 + edit),
    expect: (plane) => {
      for (let position = 0; position < EDITED_POLICIES; position++)
        expectAccepted(plane, editedPolicy(shape, position, 1_000, 1), targets);
    },
  };
}

function editedDestinations(shape: FleetShape): Edited {
  return {
    after: (edit) => virtualDestination(shape, edit % EDITED_POLICIES, 5 + edit, 1 + edit),
    expect: (plane) => {
      for (let position = 0; position < EDITED_POLICIES; position++)
        expectAccepted(plane, virtualDestination(shape, position, 5, 1), 2);
    },
  };
}

function expectAccepted({ statuses }: ReturnType<typeof fill>, { kind, metadata }: KubeObject, targets: number): void {
  const { namespace = '', name } = metadata;
  const ref = { kind: kind as PolicyRef['kind'], cluster: '', namespace, name };
  const status = statuses.get(policyKey(ref))?.status;
  if (status?.state === 'ACCEPTED' && status.targetCount === targets) return;
  throw new Error(
    `${kind} ${namespace}/${name}: expected ACCEPTED on ${targets} destinations, found ${status?.state} on ${status?.targetCount} ${JSON.stringify(status?.reports)}; correct bench/fleet`,
  );
}
