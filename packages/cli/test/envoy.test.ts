/** `meshctl envoy bootstrap`: the bootstrap of an Envoy. */
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { parse } from 'yaml';
import { meshctlHere, type Result } from './support/run.ts';

const ASKS = ['--workload', 'reviews', '--workload-namespace', 'bookinfo'] as const;

async function bootstrap(...args: readonly string[]): Promise<Result> {
  using folder = temporaryFolder();
  return await meshctlHere(['envoy', 'bootstrap', ...args], folder.path, { HOME: folder.path, KUBECONFIG: '' });
}

test('it contains the identity of the Envoy and the address of its agent, as YAML and as JSON', async () => {
  const yaml = await bootstrap(...ASKS);
  assert.is(yaml.code ?? 0, 0, yaml.stderr);
  const made = parse(yaml.stdout) as {
    readonly node: object;
    readonly dynamic_resources: {
      readonly ads_config: { readonly grpc_services: ReadonlyArray<{ google_grpc: { target_uri: string } }> };
    };
  };
  assert.equal(made.node, {
    id: 'reviews.bookinfo',
    cluster: 'reviews',
    metadata: { workload: 'reviews', namespace: 'bookinfo' },
  });
  assert.is(
    made.dynamic_resources.ads_config.grpc_services[0]?.google_grpc.target_uri,
    'meshrelay-agent.meshrelay:9977',
  );
  assert.equal(JSON.parse((await bootstrap(...ASKS, '-o', 'json')).stdout), made);
});

test('it contains the path of the token, not the token', async () => {
  const { stdout } = await bootstrap(...ASKS, '--token-file', '/somewhere/token');
  assert.match(stdout, 'filename: /somewhere/token');
});

test('an agent without a port is rejected', async () => {
  const { code, stderr } = await bootstrap(...ASKS, '--agent', 'agent');
  assert.is(code, 1);
  assert.match(stderr, 'expected HOST:PORT');
});

test.run();
