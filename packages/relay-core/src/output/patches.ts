/** Patches of user-owned objects: sent if Settings consents, otherwise reported to the policies that request them. */

import type { JsonValue, PolicyState, Report, SettingsSpec } from '@meshrelay/api';
import type { Collection, Group, Key, PatchOperation } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import { Packed } from '../packed/packed.ts';
import { consents } from '../plugin/consent.ts';
import { isSatisfied } from '../plugin/patches.ts';
import { collectDiagnostics, type Diagnostic } from '../resolve/mod.ts';
import { SETTINGS_KEY } from '../store/fleet-state.ts';
import { compareRefs, mergeRefs } from '../store/precedence.ts';
import { desiredKey, type PackedOutput, type PatchProposal } from '../translate/mod.ts';
import { OBJECT_PATCH, objectPatch } from './object-patch.ts';

export interface ChosenPatches {
  readonly desired: Collection<PackedOutput>;
  /**
   * The requests for each patch, sent or not, under its key in `desired`; for readers outside the graph. Groups are
   * never empty.
   */
  readonly proposals: Collection<Group<PatchProposal>>;
  readonly diagnostics: Collection<Diagnostic>;
}

interface PatchContext {
  readonly settings: Collection<SettingsSpec>;
}

/**
 * Selects one operation for each field: lists get the members of all requests; of different values the first by key
 * wins.
 */
export function choosePatches(
  graph: Graph,
  proposals: Collection<PatchProposal>,
  { settings }: PatchContext,
): ChosenPatches {
  const byField = graph.group(
    'output/patch-proposals',
    proposals,
    (proposal): Array<readonly [Key, PatchProposal]> => [[keyOf(proposal), proposal]],
  );
  const choices = graph.derive('output/patch-choices', byField, (group, read): Choice => {
    const { operation, agreed, others } = agreedOn(group);
    const clashes = others.map(
      (one): Reported => ({ one, state: 'CONFLICT', report: clashReport(one, operation, agreed) }),
    );
    if (!consents(read.get(settings, SETTINGS_KEY), agreed[0].consent)) {
      const waiting = agreed.filter(({ request }) => !isSatisfied(request.current, request.operation));
      return {
        reported: [
          ...waiting.map((one): Reported => ({ one, state: 'DEGRADED', report: consentReport(one) })),
          ...clashes,
        ],
      };
    }
    return { chosen: patchOf(agreed, operation), reported: clashes };
  });
  const desired = graph.derive('output/patches', choices, ({ chosen }) => chosen);
  const diagnostics = collectDiagnostics(graph, 'output/patch-diagnostics', choices, ({ reported }) =>
    reported.flatMap(({ one: { sourcePolicies, target }, state, report }) =>
      sourcePolicies.map((policy): Diagnostic => ({ policy, target, state, reports: [report] })),
    ),
  );
  return { desired, proposals: byField, diagnostics };
}

interface Reported {
  readonly one: PatchProposal;
  readonly state: PolicyState;
  readonly report: Report;
}

interface Choice {
  readonly chosen?: PackedOutput;
  readonly reported: readonly Reported[];
}

type Some = readonly [PatchProposal, ...PatchProposal[]];

function keyOf({ request: { object, fieldPath, operation } }: PatchProposal): Key {
  return desiredKey(
    object.cluster,
    OBJECT_PATCH,
    object.namespace,
    objectPatch(object, fieldPath, operation).metadata.name,
  );
}

/** Groups are never empty. */
function agreedOn(group: Group<PatchProposal>): {
  readonly operation: PatchOperation;
  readonly agreed: Some;
  readonly others: readonly PatchProposal[];
} {
  const [first, ...rest] = group as unknown as Some;
  const agrees = ({ request: { operation } }: PatchProposal): boolean =>
    'include' in first.request.operation
      ? 'include' in operation
      : 'set' in operation && isSatisfied(operation.set, first.request.operation);
  const agreed: Some = [first, ...rest.filter(agrees)];
  const others = rest.filter((one) => !agrees(one));
  if ('set' in first.request.operation) return { operation: first.request.operation, agreed, others };
  const members = agreed.flatMap(({ request: { operation } }) => ('include' in operation ? operation.include : []));
  return { operation: { include: [...new Set(members)].sort() }, agreed, others };
}

function patchOf(agreed: Some, operation: PatchOperation): PackedOutput {
  const [{ request, plugin }] = agreed;
  const sourcePolicies = mergeRefs(...agreed.map((one) => one.sourcePolicies)).toSorted(compareRefs);
  const object = objectPatch(request.object, request.fieldPath, operation);
  return new Packed({ cluster: request.object.cluster, object }, { kind: OBJECT_PATCH, plugin, sourcePolicies });
}

function consentReport({ request, consent }: PatchProposal): Report {
  const { object, fieldPath, operation, current, field, without } = request;
  const { kind, namespace, name, cluster } = object;
  const now = current === undefined ? '' : current === null ? ' (not set now)' : ` (now ${JSON.stringify(current)})`;
  return {
    code: 'NEEDS_CONSENT',
    severity: 'warning',
    field,
    message: `${without}: field ${fieldPath} of ${kind.kind} ${namespace}/${name} of cluster ${cluster} must ${operationText(operation)}${now}; you own that object, so set ${consent}: true in Settings to let Meshrelay patch it, or change it yourself`,
    related: [{ kind: kind.kind, namespace, name, cluster }],
  };
}

function clashReport(
  { request }: PatchProposal,
  operation: PatchOperation,
  [{ sourcePolicies: winners }]: Some,
): Report {
  const { kind, namespace, name, cluster } = request.object;
  return {
    code: 'CONFLICT',
    severity: 'error',
    field: request.field,
    message: `field ${request.fieldPath} of ${kind.kind} ${namespace}/${name} of cluster ${cluster} should ${operationText(request.operation)}, but an earlier request makes it ${operationText(operation)}`,
    related: [...winners],
  };
}

function operationText(operation: PatchOperation): string {
  const text = (value: JsonValue): string => JSON.stringify(value);
  return 'set' in operation ? `be ${text(operation.set)}` : `have ${operation.include.map(text).join(', ')}`;
}
