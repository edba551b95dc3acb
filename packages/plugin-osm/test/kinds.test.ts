/** OSM 1.x serves the kinds that Meshrelay reads and writes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindKey } from '@meshrelay/plugin';
import { assert, sharedPath, test } from '@meshrelay/testing';
import { parse } from 'yaml';
import { MESH_CONFIG, WRITES } from '../src/kinds.ts';

interface Crd {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: ReadonlyArray<{ readonly name: string; readonly served: boolean }>;
  };
}

const folder = sharedPath('oracles', 'smi');
if (folder !== undefined) {
  const files = readdirSync(folder).filter((file) => file.startsWith('osm-'));
  const crds = files.map((file) => (parse(readFileSync(join(folder, file), 'utf8')) as Crd).spec);
  const byKind = new Map(crds.map((crd) => [kindKey({ group: crd.group, kind: crd.names.kind }), crd]));

  for (const kind of [...WRITES, MESH_CONFIG]) {
    test(`${kind.kind} is served in ${kind.version}`, () => {
      const crd = byKind.get(kindKey(kind));
      const served = crd?.versions.filter((version) => version.served).map(({ name }) => name) ?? [];
      assert.ok(served.includes(kind.version), `served are ${served.join(', ')}`);
      assert.is(crd?.names.plural, kind.plural);
      assert.is(crd?.scope, 'Namespaced');
    });
  }
}

test.run();
