/**
 * One schedule from beginning to end: the fleet starts, operations run, all faults end, and the fleet must reach its
 * desired state.
 */
import type { KubeObject } from '@meshrelay/api';
import type { Logger } from '@meshrelay/telemetry';
import { differences, expectedOutputs, hasOutput } from '../check/convergence.ts';
import { Invariants } from '../check/invariants.ts';
import { Isolation } from '../check/isolation.ts';
import { Oracle } from '../check/oracle.ts';
import type { Violation } from '../check/violation.ts';
import type { Credentials } from '../fleet/credentials.ts';
import { MANAGEMENT, SimFleet } from '../fleet/fleet.ts';
import { emptyCluster, kubernetesCluster, NAMESPACE, service, virtualMesh } from '../fleet/objects.ts';
import { approve, CLUSTERS, perform, type Stage } from './perform.ts';
import { type Schedule, SETTLED } from './schedule.ts';

/** The result of a schedule. */
export interface Outcome {
  readonly violations: readonly Violation[];
  readonly steps: number;
  /** A hash of all steps, in order. */
  readonly digest: number;
  readonly checks: number;
  /** Simulated milliseconds from the end of all faults until the fleet reached its desired state. */
  readonly recovery: number;
}

export interface SimulateOptions {
  readonly credentials: Credentials;
  readonly logger?: ((process: string, now: () => number) => Logger) | undefined;
  /** Called with each operation. */
  readonly onOperation?: ((text: string, at: number) => void) | undefined;
}

/** Milliseconds without any fault within which the fleet must reach its desired state. */
const TIMEOUT_MS = 240_000;
/** Milliseconds after which the user approves held deletions. */
const HELD = 20_000;
/** Milliseconds between two checks. */
const RESYNC_INTERVAL_MS = 5_000;
/** Milliseconds for which the state must then hold without a write, unless the schedule sets another value. */
const CALM = 40_000;

/** Runs a schedule. Call it from a macrotask; no other code may run meanwhile. */
export function simulate(schedule: Schedule, { credentials, logger, onOperation }: SimulateOptions): Outcome {
  const fleet = new SimFleet(schedule.seed, schedule.shape);
  const { scheduler } = fleet;
  const isPresent = (cluster: string, id: string): boolean => hasOutput(fleet, cluster, id);
  const oracle = new Oracle(fleet.clusters, isPresent);
  const invariants = new Invariants(oracle);
  const isolation = new Isolation(fleet, oracle, SETTLED);
  const { violations } = invariants;
  const crashed = (message: string): void => void violations.push({ invariant: 'crash', at: scheduler.now, message });
  if (logger !== undefined) fleet.logger = (process) => logger(process, () => scheduler.now);
  scheduler.onUncaught = (process, error) => crashed(`${process.name}: ${textOf(error)}`);
  for (const [host, { server }] of fleet.apis)
    server.onWrite = (write) => {
      oracle.see(host, write);
      invariants.check(host, write);
      violations.push(...isolation.check(write.at));
    };
  const goOn = (): boolean => violations.length === 0;
  const result = (recovery = 0): Outcome => ({
    violations,
    steps: scheduler.steps,
    digest: scheduler.digest,
    checks: invariants.checks + isolation.checks,
    recovery,
  });
  try {
    furnish(fleet, credentials);
    for (const name of fleet.places.keys()) fleet.start(name);
    for (const operation of schedule.operations) {
      scheduler.runUntil(operation.at, goOn);
      if (!goOn()) return result();
      onOperation?.(JSON.stringify(operation), scheduler.now);
      isolation.note(operation);
      scheduler.act(() => perform({ fleet, invariants }, operation));
    }
    scheduler.runUntil(Math.max(SETTLED, scheduler.now), goOn);
    onOperation?.('everything heals', scheduler.now);
    scheduler.act(() => heal(fleet));
    return result(settle({ fleet, invariants }, oracle, { goOn, calm: schedule.calm ?? CALM }));
  } finally {
    fleet.end();
  }
}

/** Objects that exist before any program runs. */
function furnish(fleet: SimFleet, credentials: Credentials): void {
  fleet.put(MANAGEMENT, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } } as KubeObject);
  for (const [number, cluster] of fleet.clusters.entries()) {
    fleet.put(MANAGEMENT, kubernetesCluster(cluster));
    const own = credentials[cluster] ?? [];
    for (const object of [...own, ...emptyCluster(number + 1), ...service('a', 80)]) fleet.put(cluster, object);
  }
  for (const object of credentials[MANAGEMENT] ?? []) fleet.put(MANAGEMENT, object);
  fleet.put(MANAGEMENT, virtualMesh('all', fleet.clusters));
}

/** Ends all faults: all programs run, and no cluster is suspended. */
export function heal(fleet: SimFleet): void {
  const { network, scheduler, places, apis } = fleet;
  network.healAll();
  for (const cluster of fleet.clusters) {
    const stored = fleet.api(MANAGEMENT).get(CLUSTERS, NAMESPACE, cluster);
    if (stored === undefined || (stored.spec as { suspended?: boolean }).suspended === true)
      fleet.put(MANAGEMENT, kubernetesCluster(cluster));
  }
  if (fleet.redis !== undefined) fleet.redis.down = false;
  for (const { faults, server } of apis.values()) {
    Object.assign(faults, { down: false, errors: 0, silent: false });
    server.freshenLists();
  }
  for (const place of places.values()) {
    if (place.process?.alive === true && place.process.frozen !== 'no') scheduler.thaw(place.process);
    fleet.start(place.name);
  }
}

/**
 * I1, I2, I4, I8: the fleet reaches the state of a translation from scratch. I10: after that, no write occurs. @returns
 * how long it took
 */
function settle(
  { fleet, invariants }: Stage,
  oracle: Oracle,
  { goOn, calm }: { readonly goOn: () => boolean; readonly calm: number },
): number {
  const { scheduler } = fleet;
  const { violations } = invariants;
  const healed = scheduler.now;
  // The oracle is fast; its result is verified once it agrees.
  const missing = (): readonly string[] => {
    const quick = differences(fleet, new Map(fleet.clusters.map((cluster) => [cluster, oracle.desired(cluster)])));
    return quick.length > 0 ? quick : differences(fleet, expectedOutputs(fleet));
  };
  let found: readonly string[] = [];
  do {
    scheduler.runUntil(scheduler.now + RESYNC_INTERVAL_MS, goOn);
    if (!goOn()) return 0;
    found = missing();
    // A held deletion waits until a user approves it, and does not happen by itself.
    if (found.length > 0 && found.every((one) => / still has /.test(one)) && scheduler.now - healed > HELD)
      scheduler.act(() => {
        for (const cluster of fleet.clusters) approve({ fleet, invariants }, cluster);
      });
  } while (found.length > 0 && scheduler.now - healed < TIMEOUT_MS);
  if (found.length > 0) {
    violations.push({ invariant: 'I1', at: scheduler.now, message: `after all has healed, ${found.join(', ')}` });
    return 0;
  }
  const recovery = scheduler.now - healed;
  scheduler.runUntil(scheduler.now + calm, goOn);
  const later = missing();
  if (later.length > 0)
    violations.push({ invariant: 'I1', at: scheduler.now, message: `it did not last: ${later.join(', ')}` });
  return recovery;
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
