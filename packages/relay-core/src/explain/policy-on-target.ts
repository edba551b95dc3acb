/** All diagnostics of one policy on one target. */
import type { PolicyRef, PolicyState, Report } from '@meshrelay/api';
import type { Key } from '@meshrelay/plugin';
import type { ControlPlane } from '../control-plane.ts';
import type { Diagnostic } from '../resolve/mod.ts';
import { worse } from '../status/mod.ts';
import { policyKey } from '../store/fleet-state.ts';

export interface Reported {
  readonly state: PolicyState;
  readonly reports: readonly Report[];
}

/** All of them: statuses contain only the first. */
export function policyOn(plane: ControlPlane, policy: PolicyRef, target: Key): Reported {
  return reported(plane.diagnosticsFor(policyKey(policy)).filter((diagnostic) => diagnostic.target.key === target));
}

/** Combines the diagnostics on one target. Those caused by the nature of the target become info. */
export function reported(diagnostics: readonly Diagnostic[]): Reported {
  let state: PolicyState = 'ACCEPTED';
  const reports = new Map<string, Report>();
  for (const diagnostic of diagnostics) {
    if (diagnostic.infoUnlessNamed !== true) state = worse(state, diagnostic.state);
    for (const report of diagnostic.reports)
      reports.set(
        `${report.code} ${report.message}`,
        diagnostic.infoUnlessNamed === true ? { ...report, severity: 'info' } : report,
      );
  }
  return { state, reports: [...reports.values()] };
}
