/** Runs rows on a fleet, one after the other, and checks each. */
import { NotConverged, until } from '@meshrelay/local-fleet';
import { FaultFleet } from '../fleet/fault-fleet.ts';
import type { FleetPlan } from '../fleet/plans.ts';
import type { Scale } from '../fleet/scale.ts';
import { INVARIANTS } from '../history/invariants.ts';
import { differences } from '../offline/compare.ts';
import { translateOffline } from '../offline/translate.ts';
import type { Row } from '../trial/row.ts';
import { Trial } from '../trial/trial.ts';
import { seconds } from './times.ts';

/** The result of one run of a row. */
export interface RowResult {
  readonly row: Row;
  readonly scale: Scale['name'];
  /** Violations; empty if it survived. */
  readonly violations: readonly string[];
  /** Milliseconds by measurement. */
  readonly measured: ReadonlyMap<string, readonly number[]>;
  readonly milliseconds: number;
}

export interface RunOptions {
  /** In order of execution; a row may occur several times. */
  readonly rows: readonly Row[];
  readonly plan: FleetPlan;
  readonly scale: Scale;
  readonly signal: AbortSignal;
  /** Called with each result. */
  readonly ended: (result: RowResult) => void;
  /** Called with the folder of the logs of a fleet with a violation. */
  readonly retained: (folder: string) => void;
  /** Called with each fleet when it has first converged. */
  readonly started?: (fleet: FaultFleet) => void;
  /** Called with each fleet before it ends. */
  readonly ending?: (fleet: FaultFleet) => Promise<void> | void;
}

/** Runs all rows. A fleet serves rows until one leaves it in disorder. */
export async function runRows(options: RunOptions): Promise<readonly RowResult[]> {
  const { rows, scale, ended, retained, started, ending } = options;
  const results: RowResult[] = [];
  while (results.length < rows.length) {
    await using fleet = await FaultFleet.start(options.plan, scale, options.signal);
    started?.(fleet);
    let inOrder = true;
    while (inOrder && results.length < rows.length) {
      const result = await runRow(rows[results.length] as Row, fleet, options);
      results.push(result);
      ended(result);
      inOrder = result.violations.length === 0;
    }
    await ending?.(fleet);
    if (!inOrder) retained(fleet.folder.keepLogs());
  }
  return results;
}

async function runRow(row: Row, fleet: FaultFleet, { scale, signal }: RunOptions): Promise<RowResult> {
  const start = performance.now();
  const trial = new Trial(fleet, signal);
  const violations: string[] = [];
  try {
    await row.run(trial);
  } catch (error) {
    signal.throwIfAborted();
    violations.push(messageOf(error));
  }
  try {
    await fleet.heal(signal);
    await fleet.settled(signal);
    violations.push(...(await remaining(fleet, signal)).map((each) => `I4: ${each}`));
  } catch (error) {
    signal.throwIfAborted();
    violations.push(`not in order afterwards: ${messageOf(error)}`);
  }
  violations.push(...evaluated(trial), ...tooLate(row, trial, scale));
  return { row, scale: scale.name, violations, measured: trial.measured, milliseconds: performance.now() - start };
}

/** Milliseconds that an agent that is catching up has to update the content of outputs that it already has by name. */
const CATCH_UP = 20_000;

/** Deviations that remain after a while; returns at once without deviations. */
async function remaining(fleet: FaultFleet, signal: AbortSignal): Promise<readonly string[]> {
  const expected = await translateOffline(fleet);
  let found: readonly string[] = [];
  const check = (): true | undefined => {
    found = differences(fleet, expected);
    return found.length === 0 ? true : undefined;
  };
  try {
    await until('every cluster to be what it should', { signal, timeout: CATCH_UP }, check);
  } catch (error) {
    if (!(error instanceof NotConverged)) throw error;
  }
  return found;
}

function evaluated(trial: Trial): string[] {
  const writes = trial.writes();
  const { electionLies } = trial;
  const entitlement = { electionLies, deletion: (write: (typeof writes)[number]) => trial.entitlesTo(write) };
  return INVARIANTS.flatMap(({ id, check }) => check(writes, entitlement).map((each) => `${id}: ${each}`));
}

function tooLate({ figure }: Row, { measured }: Trial, { slack }: Scale): string[] {
  return [figure ?? []]
    .flat()
    .flatMap(({ what, limit }) =>
      (measured.get(what) ?? [])
        .filter((milliseconds) => milliseconds > limit * slack)
        .map((milliseconds) => `${what} took ${seconds(milliseconds)}, allowed are ${seconds(limit * slack)}`),
    );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
