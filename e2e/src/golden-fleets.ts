/**
 * The golden cases of a mesh plugin as whole fleets: users' objects, and the generated objects exactly as they would be
 * written.
 */
import { expandFleet, type Fleet, GoldenFolder, type MeshFixture, sha256 } from '@meshrelay/plugin-kit';
import { buildFleet, type ControlPlane, loadPlugins, type MeshPlugin } from '@meshrelay/relay-core';
import type { CustomResource } from '@meshrelay/testing/custom-resources';
import { outputsOf } from './outputs.ts';

/** One case. */
export interface GoldenFleet {
  readonly name: string;
  readonly inputs: Fleet;
  readonly plane: ControlPlane;
  /** Objects of Meshrelay's kinds, of every cluster. */
  readonly written: readonly CustomResource[];
  /** As agents write them. */
  readonly outputs: readonly CustomResource[];
}

/** Every case in a plugin's package. */
export function goldenFleets(plugin: MeshPlugin, fixture: MeshFixture): GoldenFleet[] {
  const folder = new GoldenFolder(new URL(`../../packages/plugin-${plugin.name}/test/golden`, import.meta.url));
  const plugins = loadPlugins([{ module: plugin.name, plugin }]);
  return folder.cases().map((name) => {
    const inputs = expandFleet(folder.input(name), { type: plugin.name, fixture });
    const all = [...inputs.management, ...inputs.clusters.flatMap(({ objects }) => objects)];
    const plane = buildFleet({ ...inputs, plugins, hash: sha256 });
    return {
      name,
      inputs,
      plane,
      written: all.filter(({ apiVersion }) => apiVersion.includes('meshrelay.dev/')),
      outputs: outputsOf(plane),
    };
  });
}
