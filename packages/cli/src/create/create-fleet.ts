/** The fleet that `meshctl create` asks about: what discovery knows, the plan, and where the object goes. */
import type { KubeObject } from '@meshrelay/api';
import { type ControlPlane, type FleetInputs, type PlanDocument, plan } from '@meshrelay/relay-core';
import type { KnownFleet } from '../describe/known-fleet.ts';
import { laterFleet } from '../offline/fleet.ts';

export interface CreateFleet extends AsyncDisposable {
  readonly known: KnownFleet;
  /** What the plan cannot show; absent if it shows everything. */
  readonly unplanned?: string;
  /** What the new object would change. */
  plan(object: KubeObject): PlanDocument;
  /** Creates the object; absent for a fleet from files. */
  readonly create?: (object: KubeObject) => Promise<void>;
}

/** @throws InputError */
export function planOf(before: ControlPlane, inputs: Omit<FleetInputs, 'hash'>, object: KubeObject): PlanDocument {
  return plan(before, laterFleet(before, { ...inputs, management: [...inputs.management, object] }));
}
