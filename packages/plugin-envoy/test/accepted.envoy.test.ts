/** A real Envoy accepts the output of every golden case, cluster by cluster. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GoldenFolder } from '@meshrelay/plugin-kit';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { envoyProgram, envoyRejects } from '@meshrelay/testing/envoy';
import { bootstrap } from '../src/mod.ts';
import { served } from './support/served.ts';
import { missingClusters, staticBootstrap } from './support/static-bootstrap.ts';

const golden = new GoldenFolder(new URL('./golden', import.meta.url));
const program = await envoyProgram();
if (program !== undefined) {
  test('Envoy accepts the bootstrap', async () => {
    using folder = temporaryFolder();
    const file = (name: string, text: string): string => {
      const path = join(folder.path, name);
      writeFileSync(path, text);
      return path;
    };
    const made = bootstrap({
      workload: 'reviews',
      namespace: 'bookinfo',
      agent: 'agent.meshrelay:9977',
      tokenFile: file('token', 'a token'),
      rootsFile: file('ca.crt', 'roots'),
    });
    assert.is(await envoyRejects(program, made), undefined);
  });

  for (const name of golden.cases()) {
    test(`Envoy accepts ${name}`, async () => {
      for (const [cluster, specs] of served(golden.input(name))) {
        assert.equal(missingClusters(specs), [], cluster);
        assert.is(await envoyRejects(program, staticBootstrap(specs)), undefined, cluster);
      }
    });
  }
}

test.run();
