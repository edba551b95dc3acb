/** The fleet of a management cluster, for `meshctl create`. */
import type { KindName } from '@meshrelay/api';
import { pushedObjects } from '@meshrelay/relay-core';
import { type CreateFleet, planOf } from '../create/create-fleet.ts';
import type { CreateOptions } from '../create/options.ts';
import { fleetOfObjects } from '../describe/known-fleet.ts';
import { fleetOf } from '../offline/fleet.ts';
import { loadMeshPlugins } from '../offline/plugins.ts';
import { createObject } from './change-object.ts';
import { readStoredFleet } from './fleet.ts';
import { managementOf, reported } from './management.ts';

const UNPLANNED =
  'the plan does not consider policies and mesh objects that only the workload clusters have; the status of the policy will';

/** @throws InputError */
export function openStoredFleet(options: CreateOptions): Promise<CreateFleet> {
  return reported(async () => {
    await using cleanup = new AsyncDisposableStack();
    const management = cleanup.use(managementOf(options));
    const { namespace } = options;
    const { discovered, policies, administration } = await readStoredFleet(management, namespace);
    const plugins = await loadMeshPlugins(options.plugin);
    const opened = cleanup.move();
    return {
      known: fleetOfObjects(discovered, policies),
      unplanned: UNPLANNED,
      plan: (object) => {
        const pushed = pushedObjects(discovered);
        const inputs = { clusters: [], pushed, management: [...policies, ...administration], plugins, namespace };
        return planOf(fleetOf(inputs), inputs, object);
      },
      create: (object) => reported(() => createObject(management, object.kind as KindName, object)),
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    };
  });
}
