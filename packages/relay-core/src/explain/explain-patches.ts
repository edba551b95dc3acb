/** Fields of user-owned objects for which policies request other values: with consent, or without effect. */
import type { PolicyRef } from '@meshrelay/api';
import { apiVersionOf, type Group, type Key } from '@meshrelay/plugin';
import type { ControlPlane } from '../control-plane.ts';
import { type DesiredObject, objectPatch } from '../output/mod.ts';
import { consents } from '../plugin/consent.ts';
import { SETTINGS_KEY } from '../store/fleet-state.ts';
import { compareRefs, mergeRefs } from '../store/precedence.ts';
import type { PatchProposal } from '../translate/mod.ts';
import type { ExplainedPatch } from './document.ts';

/** The matching ones, in the order of their keys. Reads all patches. */
export function patchesWhere(
  plane: Pick<ControlPlane, 'origins' | 'desired' | 'fleetState'>,
  fits: (proposal: PatchProposal) => boolean,
): ExplainedPatch[] {
  const found = [...plane.origins.patches.entries()].filter(([, group]) => group.some(fits));
  return found.sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([output, group]) => explained(plane, output, group));
}

/** The requests for the patch under this key among the outputs; one for each requested value. */
export function patchesOf(
  plane: Pick<ControlPlane, 'origins' | 'desired' | 'fleetState'>,
  output: Key,
): ExplainedPatch[] {
  const group = plane.origins.patches.get(output);
  return group === undefined ? [] : explained(plane, output, group);
}

/** A patch that is not sent, as it would be; undefined if no policy requested one. */
export function unappliedPatch(
  { origins }: Pick<ControlPlane, 'origins'>,
  output: Key,
): Pick<DesiredObject, 'cluster' | 'plugin' | 'object' | 'sourcePolicies'> | undefined {
  const group = origins.patches.get(output);
  const first = group?.[0];
  if (group === undefined || first === undefined) return undefined;
  const { object, fieldPath, operation } = first.request;
  return {
    cluster: object.cluster,
    plugin: first.plugin,
    object: objectPatch(object, fieldPath, operation),
    sourcePolicies: policiesOf(group),
  };
}

function explained(
  { desired, fleetState }: Pick<ControlPlane, 'desired' | 'fleetState'>,
  output: Key,
  group: Group<PatchProposal>,
): ExplainedPatch[] {
  const operations = new Map<string, PatchProposal[]>();
  for (const one of group) {
    const id = JSON.stringify(one.request.operation);
    operations.set(id, [...(operations.get(id) ?? []), one]);
  }
  const settings = fleetState.settings.get(SETTINGS_KEY);
  return [...operations.values()].flatMap((same): ExplainedPatch[] => {
    const [first] = same;
    if (first === undefined) return [];
    const { request, consent } = first;
    const { kind, cluster, namespace, name } = request.object;
    return [
      {
        object: { cluster, apiVersion: apiVersionOf(kind), kind: kind.kind, namespace, name },
        fieldPath: request.fieldPath,
        operation: request.operation,
        ...(request.current === undefined ? {} : { current: request.current }),
        without: request.without,
        consent,
        consented: consents(settings?.spec, consent),
        sent: desired.has(output) && sends(desired.get(output)?.object['spec'], request.operation),
        from: policiesOf(same),
      },
    ];
  });
}

/** Whether the sent patch satisfies an operation: of different values one is sent, of lists all members are. */
function sends(spec: unknown, operation: ExplainedPatch['operation']): boolean {
  const { set, include } = spec as { readonly set?: unknown; readonly include?: readonly string[] };
  if ('include' in operation) return operation.include.every((member) => include?.includes(member) === true);
  return JSON.stringify(set) === JSON.stringify(operation.set);
}

function policiesOf(group: readonly PatchProposal[]): PolicyRef[] {
  return mergeRefs(...group.map(({ sourcePolicies }) => sourcePolicies)).toSorted(compareRefs);
}
