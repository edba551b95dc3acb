/** Inputs of a fleet after a change. */
import type { KubeObject } from '@meshrelay/api';
import { type ControlPlane, type FleetInputs, groupOf } from '@meshrelay/relay-core';

/** The inputs with the decisions of the earlier fleet: policies keep their order and hosts their addresses, as on a server. */
export function laterInputs<Inputs extends Pick<FleetInputs, 'management'>>(
  before: ControlPlane,
  inputs: Inputs,
): Inputs {
  const decisions = [...before.fleetState.ledgers.entries()].map(([, ledger]) => ledger as KubeObject);
  const others = inputs.management.filter(({ kind }) => kind !== 'Ledger');
  return { ...inputs, management: [...others, ...decisions] };
}

/** The objects after others were applied over them: those of the same kind and name are replaced. */
export function withApplied(objects: readonly KubeObject[], applied: readonly KubeObject[]): KubeObject[] {
  return [...new Map([...objects, ...applied].map((object) => [idOf(object), object])).values()];
}

function idOf({ apiVersion, kind, metadata: { name, namespace = '' } }: KubeObject): string {
  return JSON.stringify([groupOf(apiVersion), kind, namespace, name]);
}
