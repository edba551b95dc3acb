/** Every golden case: its outputs and reports are as recorded, whatever the order of its inputs, and OSM's CRDs take them. */
import { createHash } from 'node:crypto';
import type { PolicyRef } from '@meshrelay/api';
import {
  BECAUSE_ANNOTATION,
  buildFleet,
  type ControlPlane,
  loadPlugins,
  statusDocument,
  valuesInOrder,
} from '@meshrelay/relay-core';
import { assert, osmCrds, test } from '@meshrelay/testing';
import osm from '../src/mod.ts';
import { expand } from './support/fleet-spec.ts';
import { compareGolden, goldenCases, goldenInput } from './support/golden.ts';

const plugins = loadPlugins([{ module: '@meshrelay/plugin-osm', plugin: osm }]);
const problemsOf = osmCrds();
const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

for (const name of goldenCases()) {
  test(`golden ${name}`, () => {
    const spec = goldenInput(name);
    const inputs = expand(spec);
    const fleet = buildFleet({ ...inputs, plugins, hash });
    compareGolden(name, 'output.yaml', outputsOf(fleet));
    compareGolden(name, 'report.yaml', statusDocument(fleet).policies);
    if (spec.discovers === true) compareGolden(name, 'discovered.yaml', valuesInOrder(fleet.discovered));

    for (const { cluster, object } of valuesInOrder(fleet.desired)) {
      const { namespace, name: objectName } = object.metadata;
      assert.equal(
        problemsOf?.(object) ?? [],
        [],
        `${object.kind} ${namespace}/${objectName} of ${cluster} is not what OSM takes`,
      );
    }

    const backwards = buildFleet({
      clusters: inputs.clusters
        .map((cluster) => ({ name: cluster.name, objects: cluster.objects.toReversed() }))
        .toReversed(),
      management: inputs.management.toReversed(),
      plugins,
      hash,
    });
    assert.equal(JSON.stringify(outputsOf(backwards)), JSON.stringify(outputsOf(fleet)));
    assert.equal(JSON.stringify(statusDocument(backwards)), JSON.stringify(statusDocument(fleet)));
  });
}

/** The objects of each cluster, without the marks that every object has, and with what they are there for in short. */
function outputsOf({ desired }: ControlPlane): Record<string, object[]> {
  const result: Record<string, object[]> = {};
  for (const { cluster, object, because } of valuesInOrder(desired)) {
    const {
      labels: _owner,
      annotations: { [BECAUSE_ANNOTATION]: _because, ...annotations } = {},
      ...metadata
    } = object.metadata;
    const shown = Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations };
    result[cluster] = [...(result[cluster] ?? []), { because: because.map(short), ...object, metadata: shown }];
  }
  return result;
}

function short({ kind, cluster, namespace, name }: PolicyRef): string {
  return `${kind} ${namespace}/${name}${cluster === '' ? '' : ` of ${cluster}`}`;
}

test.run();
