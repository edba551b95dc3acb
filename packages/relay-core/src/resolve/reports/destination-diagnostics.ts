/** All diagnostics of destinations that do not depend on the caller, with one pass per destination. */

import type { Collection, Key } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import { type Diagnostic, diagnosticKey, says } from '../diagnostic.ts';
import type { Plans, RouteSets } from '../plans/mod.ts';
import type { Outcome } from '../policies/mod.ts';
import type { ResolveContext } from '../resolve-context.ts';
import type { Federates } from '../virtual-meshes/mod.ts';
import { accessNotes } from './access-notes.ts';
import { callerNotes } from './callers.ts';
import type { DiagnoseDestination } from './diagnose-destination.ts';
import { outsideMeshNotes } from './outside-mesh-notes.ts';
import { localRouteDiagnostics } from './route-diagnostics.ts';

export function destinationDiagnostics(
  graph: Graph,
  resolveContext: ResolveContext,
  plans: Plans,
  routes: RouteSets,
  federates: Federates,
): Collection<Diagnostic> {
  const { policies, destinations } = resolveContext;
  const { traffic, access, isolation, ofTargets } = plans;
  // Diagnostics of one policy on one destination come in this order.
  const respects: readonly DiagnoseDestination[] = [
    accessNotes(graph, access, destinations),
    outcomesIn(access),
    outcomesIn(isolation),
    localRouteDiagnostics(resolveContext, plans, routes, federates),
    outsideMeshNotes(policies, ofTargets),
    outcomesIn(traffic),
    callerNotes(resolveContext, traffic, federates),
  ];
  return graph.deriveMany('resolve/destination-diagnostics', destinations.known, (destination, read, id) => {
    const reporting: Array<readonly [Key, Diagnostic]> = [];
    for (const diagnose of respects)
      for (const diagnostic of diagnose(destination, read))
        if (says(diagnostic)) reporting.push([diagnosticKey(id, reporting.length), diagnostic]);
    return reporting;
  });
}

const NOTHING: readonly never[] = [];

/** Results of policies; nearly all are accepted without a report. */
function outcomesIn(plans: Collection<{ readonly outcomes: readonly Outcome[] }>): DiagnoseDestination {
  return ({ key: id }, read) => {
    const outcomes = read.get(plans, id)?.outcomes ?? NOTHING;
    if (!outcomes.some(says)) return NOTHING;
    return outcomes.map((outcome) => ({ ...outcome, target: { kind: 'Destination', key: id } }));
  };
}
