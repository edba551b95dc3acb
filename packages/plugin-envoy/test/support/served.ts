/** The configuration that each cluster's agent would serve. */
import type { XdsConfigSpec } from '@meshrelay/api';
import { expandFleet, type FleetSpec, sha256 } from '@meshrelay/plugin-kit';
import { buildFleet, loadPlugins, valuesInOrder } from '@meshrelay/relay-core';
import * as fixture from '../../src/fixture.ts';
import envoy from '../../src/mod.ts';

const plugins = loadPlugins([{ module: 'envoy', plugin: envoy }]);

/** The objects' specs by cluster. */
export function served(fleet: FleetSpec): ReadonlyMap<string, readonly XdsConfigSpec[]> {
  const inputs = expandFleet(fleet, { type: envoy.name, fixture });
  const found = new Map<string, XdsConfigSpec[]>();
  for (const { cluster, object } of valuesInOrder(buildFleet({ ...inputs, plugins, hash: sha256 }).desired))
    found.set(cluster, [...(found.get(cluster) ?? []), object['spec'] as XdsConfigSpec]);
  return found;
}
