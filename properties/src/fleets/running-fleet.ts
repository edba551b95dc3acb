/** A fleet that replays its history: discovery in every cluster, one control plane, and the store of its decisions. */
import istio from '@meshrelay/plugin-istio';
import { LiveFleet, type LiveFleetOptions } from '@meshrelay/plugin-kit';
import osm from '@meshrelay/plugin-osm';
import { type LoadedPlugin, loadPlugins, MANAGEMENT_CLUSTER } from '@meshrelay/relay-core';
import { CLUSTER_NAMES, type Event } from './fleet.ts';

/** The meshes of the fleet. */
export const PLUGINS: readonly LoadedPlugin[] = loadPlugins([
  { module: '@meshrelay/plugin-istio', plugin: istio },
  { module: '@meshrelay/plugin-osm', plugin: osm },
]);

/** The fleet. */
export class RunningFleet extends LiveFleet {
  constructor(options: LiveFleetOptions = {}) {
    super(PLUGINS, { freeze: true, ...options });
    for (const name of CLUSTER_NAMES) this.register(name);
  }

  /** Passes an event through every stage, and records the decisions that it requires. */
  live(event: Event): void {
    for (const cluster of [MANAGEMENT_CLUSTER, ...CLUSTER_NAMES]) {
      const own = event.filter((change) => change.cluster === cluster);
      if (own.length > 0)
        this.reportAll(
          cluster,
          own.map(({ object, gone }) => ({ object, outcome: gone ? 'gone' : 'there' })),
        );
    }
    this.settle();
  }
}
