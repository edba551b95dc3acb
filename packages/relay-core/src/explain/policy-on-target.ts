/** What there is to say about one policy on one target. */
import type { PolicyRef, PolicyState, Report } from '@meshrelay/api';
import type { ControlPlane } from '../control-plane.ts';
import type { Key } from '../graph/key.ts';
import type { Verdict } from '../resolve/verdict.ts';
import { worse } from '../status/told-targets.ts';
import { policyKey } from '../store/world.ts';

export interface Told {
  readonly state: PolicyState;
  readonly reports: readonly Report[];
}

/** All of it: statuses hold the first only. */
export function policyOn(plane: ControlPlane, policy: PolicyRef, target: Key): Told {
  return told(plane.verdictsOn(policyKey(policy)).filter((verdict) => verdict.target.key === target));
}

/** Verdicts on one target as one. What is in the target's nature is told in passing. */
export function told(verdicts: readonly Verdict[]): Told {
  let state: PolicyState = 'ACCEPTED';
  const reports = new Map<string, Report>();
  for (const verdict of verdicts) {
    if (verdict.moot !== true) state = worse(state, verdict.state);
    for (const report of verdict.reports)
      reports.set(`${report.code} ${report.message}`, verdict.moot === true ? { ...report, severity: 'info' } : report);
  }
  return { state, reports: [...reports.values()] };
}
