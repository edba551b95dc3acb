/** Builds a fleet from files. */
import type { KubeObject } from '@meshrelay/api';
import { sha256 } from '@meshrelay/host/hash';
import { buildFleet, type ControlPlane, type FleetInputs } from '@meshrelay/relay-core';
import { InputError } from '../problem.ts';

/** @throws InputError if a stage cannot process an object, since a part of the result would be missing silently */
export function fleetOf(inputs: Omit<FleetInputs, 'hash'>): ControlPlane {
  try {
    return buildFleet({ ...inputs, hash: sha256 });
  } catch (cause) {
    throw new InputError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/**
 * The fleet after a change of its inputs. It starts from the decisions of the earlier one, so policies keep their order
 * and hosts their addresses, as on a server.
 * @throws InputError as {@link fleetOf}
 */
export function laterFleet(before: ControlPlane, inputs: Omit<FleetInputs, 'hash'>): ControlPlane {
  const decisions = [...before.fleetState.ledgers.entries()].map(([, ledger]) => ledger as KubeObject);
  const others = inputs.management.filter(({ kind }) => kind !== 'Ledger');
  return fleetOf({ ...inputs, management: [...others, ...decisions] });
}
