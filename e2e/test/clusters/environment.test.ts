/** Containers that run as processes get the environment that a kubelet would give them. */
import { assert, test } from '@meshrelay/testing';
import { type EnvironmentSources, environmentOf, expanded } from '../../clusters/processes/environment.ts';
import type { Container } from '../../clusters/processes/pod.ts';

const sources: EnvironmentSources = {
  pod: {
    metadata: { name: 'agent-0', namespace: 'meshrelay', uid: 'u', labels: { app: 'agent' } },
    spec: { nodeName: 'east', containers: [] },
  },
  address: '10.244.1.7',
  image: ['PATH=/usr/bin', 'OPTIONS=a=b'],
  apiService: '10.97.0.1',
  read: async (kind, name) => ({ key: Buffer.from(`${kind}/${name}`) }),
};
const container = (env: Container['env']): Container => ({ name: 'agent', image: 'agent', env: env ?? [] });

test('the image, the API server and the pod give variables', async () => {
  const { PATH, OPTIONS, HOSTNAME, KUBERNETES_SERVICE_HOST } = await environmentOf(container([]), sources);
  assert.equal([PATH, OPTIONS, HOSTNAME, KUBERNETES_SERVICE_HOST], ['/usr/bin', 'a=b', 'agent-0', '10.97.0.1']);
});

test('variables come from fields, Secrets and ConfigMaps, and use those before them', async () => {
  const variables = await environmentOf(
    container([
      { name: 'REPLICA', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'APP', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
      { name: 'ADDRESS', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'redis', key: 'key' } } },
      { name: 'SETTING', valueFrom: { configMapKeyRef: { name: 'config', key: 'key' } } },
      { name: 'URL', value: 'http://$(ADDRESS)/$(MISSING)/$$' },
    ]),
    sources,
  );
  assert.is(variables['REPLICA'], 'agent-0');
  assert.is(variables['APP'], 'agent');
  assert.is(variables['PASSWORD'], 'secrets/redis');
  assert.is(variables['SETTING'], 'configmaps/config');
  assert.is(variables['URL'], 'http://10.244.1.7/$(MISSING)/$');
});

test('a missing key and an unknown field are errors that name the pod', async () => {
  const messageOf = (valueFrom: object): Promise<string> =>
    environmentOf(container([{ name: 'A', valueFrom }]), sources).then(
      () => 'no error',
      (error: Error) => error.message,
    );
  const missing = { secretKeyRef: { name: 'redis', key: 'other' } };
  assert.match(await messageOf(missing), /pod meshrelay\/agent-0: secrets\/redis has no key other for the variable A/);
  const unknown = { fieldRef: { fieldPath: 'spec.hostname' } };
  assert.match(await messageOf(unknown), /pod meshrelay\/agent-0: field spec.hostname is not supported/);
});

test('arguments are expanded, too', () => {
  assert.is(expanded('--name=$(NAME)$(NAME)', { NAME: 'a' }), '--name=aa');
});

test.run();
