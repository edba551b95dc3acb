/**
 * Golden cases as checks: outputs and reports are as recorded, in any order of the inputs, and the mesh's own API
 * accepts them.
 */
import { strictEqual } from 'node:assert';
import type { MeshPlugin } from '@meshrelay/plugin';
import {
  buildFleet,
  type ControlPlane,
  loadPlugins,
  OBJECT_PATCH,
  statusDocument,
  valuesInOrder,
} from '@meshrelay/relay-core';
import type { Check } from '../check.ts';
import { expandFleet, type Fleet, type NamedFixture } from '../fleet/expand-fleet.ts';
import type { FleetSpec } from '../fleet/fleet-spec.ts';
import type { MeshFixture } from '../fleet/mesh-fixture.ts';
import { sha256 } from '../hash.ts';
import type { CrdValidator } from '../schema/crd-validator.ts';
import { GoldenFolder } from './golden-folder.ts';
import { shownOutputs } from './shown-outputs.ts';

/** Options of a plugin's golden cases. */
export interface GoldenOptions {
  /** The folder of the cases: each a folder with `input.yaml` ({@link FleetSpec}), `output.yaml` and `report.yaml`. */
  readonly folder: string | URL;
  readonly fixture: MeshFixture;
  readonly settings?: unknown;
  /**
   * Whether a case is built a second time with its inputs in reverse order, which a quick run may skip; omitted: all
   * are.
   */
  readonly reverses?: (name: string) => boolean;
  /** Validates every generated object, preferably with the mesh's own CRDs: {@link crdValidatorOf}. */
  readonly problemsOf?: CrdValidator | undefined;
}

/** One check for each case, and one that fails without cases. */
export function goldenChecks(plugin: MeshPlugin, options: GoldenOptions): readonly Check[] {
  const folder = new GoldenFolder(options.folder);
  const checks = [
    ...folder.cases().map((name) => ({ name: `golden ${name}`, run: () => runCase(folder, name, plugin, options) })),
    ...folder.unfinished().map((name) => ({ name: `golden ${name}`, run: () => rejectMissingInput(folder, name) })),
  ];
  return checks.length > 0 ? checks : [{ name: 'golden cases', run: () => rejectMissingInput(folder, '<case>') }];
}

function rejectMissingInput(folder: GoldenFolder, name: string): never {
  throw new Error(
    `${folder.path(name, 'input.yaml')} does not exist; write it, then MESHRELAY_GOLDEN=update writes its outputs`,
  );
}

function runCase(folder: GoldenFolder, name: string, plugin: MeshPlugin, options: GoldenOptions): void {
  const { fixture, settings, problemsOf, reverses = () => true } = options;
  const plugins = loadPlugins([{ module: plugin.name, plugin, settings }]);
  const spec = folder.input(name);
  const inputs = expanded(folder.path(name, 'input.yaml'), spec, { type: plugin.name, fixture });
  const fleet = buildFleet({ ...inputs, plugins, hash: sha256 });
  folder.compare(name, 'output.yaml', shownOutputs(fleet));
  folder.compare(name, 'report.yaml', statusDocument(fleet).policies);
  if (spec.discovers === true)
    folder.compare(name, 'discovered.yaml', valuesInOrder(fleet.shown.activate().discovered));
  if (problemsOf !== undefined) refuseBadObjects(fleet, problemsOf);
  if (!reverses(name)) return;
  const other = buildFleet({ ...backwards(inputs), plugins, hash: sha256 });
  strictEqual(JSON.stringify(shownOutputs(other)), JSON.stringify(shownOutputs(fleet)));
  strictEqual(JSON.stringify(statusDocument(other)), JSON.stringify(statusDocument(fleet)));
}

function expanded(path: string, spec: FleetSpec, mesh: NamedFixture): Fleet {
  try {
    return expandFleet(spec, mesh);
  } catch (cause) {
    throw new Error(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function refuseBadObjects({ desired }: ControlPlane, problemsOf: CrdValidator): void {
  for (const { cluster, kind, object } of valuesInOrder(desired)) {
    // Patches go to agents; API servers have no such kind.
    if (kind === OBJECT_PATCH) continue;
    const problems = problemsOf(object);
    if (problems.length === 0) continue;
    const { namespace = '', name } = object.metadata;
    throw new Error(
      `the mesh does not take ${object.kind} ${namespace}/${name} of ${cluster}:\n${problems.join('\n')}`,
    );
  }
}

/** The same fleet in reverse order. */
function backwards({ clusters, management }: Fleet): Fleet {
  return {
    clusters: clusters.map(({ name, objects }) => ({ name, objects: objects.toReversed() })).toReversed(),
    management: management.toReversed(),
  };
}
