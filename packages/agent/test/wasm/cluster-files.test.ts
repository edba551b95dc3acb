/**
 * Data from the agent's own cluster for modules: read by name on demand. If permission is missing, the error names how
 * to grant it.
 */
import { Buffer } from 'node:buffer';
import { KubeError } from '@meshrelay/kube';
import { assert, test } from '@meshrelay/testing';
import { clusterFiles } from '../../src/wasm/cluster-files.ts';

const signal = new AbortController().signal;

/** A cluster in which every read has the same result. */
function looking(found: () => Promise<unknown>): Parameters<typeof clusterFiles>[0] {
  return { objects: () => ({ read: found }) } as never;
}

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: Error) => error.message,
  );

test('a pull Secret and a module are the content of the objects', async () => {
  const data = { '.dockerconfigjson': Buffer.from('{"auths":{}}').toString('base64') };
  const secret = { type: 'kubernetes.io/dockerconfigjson', data };
  const files = clusterFiles(looking(async () => secret));
  assert.is(await files.dockerConfig('shop', 'login', signal), '{"auths":{}}');
  const binaryData = { 'module.wasm': Buffer.from('bytes').toString('base64') };
  const modules = clusterFiles(looking(async () => ({ binaryData })));
  assert.is(String(await modules.configMap('shop', 'modules', 'module.wasm', signal)), 'bytes');
  assert.match(await messageOf(modules.configMap('shop', 'modules', 'other', signal)), /has no binaryData other/);
  assert.match(await messageOf(modules.configMap('shop', 'modules', 'toString', signal)), /no binaryData toString/);
});

test('an object that is missing, of another type, or not readable is reported with the next action', async () => {
  const nothing = clusterFiles(looking(async () => undefined));
  assert.match(
    await messageOf(nothing.dockerConfig('shop', 'login', signal)),
    /Secret shop\/login does not exist; create it/,
  );
  const opaque = clusterFiles(looking(async () => ({ type: 'Opaque', data: {} })));
  assert.match(
    await messageOf(opaque.dockerConfig('shop', 'login', signal)),
    /Secret shop\/login is not of type kubernetes\.io\/dockerconfigjson/,
  );
  const denied = clusterFiles(
    looking(() => Promise.reject(new KubeError('RELAY_E_KUBE_FORBIDDEN', 'forbidden', { status: 403 }))),
  );
  assert.match(
    await messageOf(denied.dockerConfig('shop', 'login', signal)),
    /may not read Secret shop\/login; .*meshctl cluster rbac --pull-secret shop\/login/,
  );
  assert.match(
    await messageOf(denied.configMap('shop', 'modules', 'a', signal)),
    /may not read ConfigMap shop\/modules/,
  );
});

test.run();
