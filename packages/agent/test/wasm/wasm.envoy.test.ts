/**
 * A real Envoy runs real modules from a host, an image and a ConfigMap, replaced live. Modules that are unavailable or
 * do not load are reported, and traffic follows the policy (T26).
 */

import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { XdsConfig } from '@meshrelay/api';
import type { WasmModuleReference } from '@meshrelay/envoy-api';
import envoy from '@meshrelay/plugin-envoy';
import { bootstrap } from '@meshrelay/plugin-envoy/bootstrap';
import { ROOTS_CONFIG_MAP } from '@meshrelay/relay-core';
import { labelledPod, NAMESPACE, TestCluster } from '@meshrelay/test-cluster';
import { testMesh } from '@meshrelay/test-mesh';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import { type Envoy, type EnvoyProgram, envoyProgram, startEnvoy } from '@meshrelay/testing/envoy';
import { proxyWasm } from '@meshrelay/testing/proxy-wasm';
import { sha256Of } from '../../src/wasm/modules/module-cache.ts';
import { tokenOf } from '../data-plane/support/pod-token.ts';
import { register, startReplica } from '../harness/agents.ts';
import { constantRequests } from '../harness/constant-requests.ts';
import { TestAuthority, TestRelay } from '../harness/relay.ts';
import { host } from './hosts.ts';
import { registry } from './registry.ts';
import { extensionObject, type Listening, listenersObject } from './wasm-objects.ts';

const program = await envoyProgram();

async function setUp(listeners: readonly Listening[], first: WasmModuleReference, hosts: readonly string[]) {
  await using work = new AsyncDisposableStack();
  const folder = work.use(temporaryFolder());
  const pod = { ...labelledPod(), status: { phase: 'Running', podIP: '127.0.0.1' } };
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'reviews', namespace: 'shop' } };
  const cluster = work.use(await TestCluster.start({ objects: [account, pod] as never }));
  const authority = await TestAuthority.create();
  const relay = work.use(await TestRelay.start(authority));
  register(cluster, relay, authority);
  cluster.sim.objects.create(extensionObject(first) as never);
  cluster.sim.objects.create(listenersObject(listeners) as never);
  const agent = work.use(
    await startReplica(cluster, relay, {
      plugins: [testMesh, envoy],
      fields: {
        'dataPlane.listen': '127.0.0.1:0',
        'dataPlane.serverNames': 'localhost',
        'wasm.hosts': hosts.join(','),
        'wasm.maxBytes': '4096',
        'wasm.cacheDirectory': join(folder.path, 'modules'),
      },
    }),
  );
  const roots = await eventually(
    'the roots',
    () => cluster.get('ConfigMap', ROOTS_CONFIG_MAP, 'shop', 'v1') as unknown as { data: Record<string, string> },
  );
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder.path, name), text);
    return join(folder.path, name);
  };
  const rootsFile = file('ca.crt', roots.data['ca.crt'] ?? '');
  const tokenFile = file('token', await tokenOf(cluster, 'reviews', { pod: 'reviews-1' }));
  const agentAddress = `localhost:${agent.dataPlanePort}`;
  const current = () =>
    cluster.get('XdsConfig', 'extension', NAMESPACE, 'agent.meshrelay.dev/v1alpha1') as unknown as XdsConfig;
  const whole = work.move();
  return {
    cluster,
    bootstrap: bootstrap({ workload: 'reviews', namespace: 'shop', agent: agentAddress, tokenFile, rootsFile }),
    become: (reference: WasmModuleReference) =>
      cluster.sim.objects.update({ ...current(), spec: extensionObject(reference).spec } as never),
    /** Status on the object of the extension. */
    sent: () =>
      Object.values(current().status?.nacked ?? {})
        .flatMap(({ resources }) => resources.map(({ message }) => message))
        .join('; '),
    /** ACK status there for the current generation of the object. */
    ackStatus: () => {
      const { metadata, status } = current();
      return Object.values(status?.ackStatus ?? {}).flatMap(({ observedGeneration, observedTime: _, ...rest }) =>
        observedGeneration === metadata.generation ? [rest] : [],
      );
    },
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

/** Sends a request to a listener; returns the status and the module's header. */
async function asking(envoy: Envoy, listener: string): Promise<() => Promise<string>> {
  const port = await eventually('it listens', () => envoy.admin.port(listener).catch(() => undefined));
  const ask = async (): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}/`);
    await response.text();
    return `${response.status} ${response.headers.get('x-wasm') ?? 'none'}`;
  };
  await eventually('it answers', () => ask().catch(() => undefined));
  return ask;
}

function suite(envoyFrom: EnvoyProgram): void {
  test('modules run from any source, and are replaced without a lost request; a faulty one is reported and leaves the previous one running', async () => {
    const [one, two, three, four] = await Promise.all(['one', 'two', 'three', 'four'].map((mark) => proxyWasm(mark)));
    const refusing = await proxyWasm('never', 'rejects its configuration');
    const broken = Buffer.concat([Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]), Buffer.from('garbage')]);
    const big = Buffer.concat([one as Buffer, Buffer.alloc(8192)]);
    const files: Record<string, Buffer> = {
      '/one': one as Buffer,
      '/two': two as Buffer,
      '/refusing': refusing,
      '/broken': broken,
      '/big': big,
    };
    await using modules = await host((request, response) => response.end(files[request.url ?? '']));
    await using images = await registry({
      layers: [{ mediaType: 'application/vnd.module.wasm.content.layer.v1+wasm', bytes: three as Buffer }],
    });
    const at = (path: string, sha256 = sha256Of(files[path] as Buffer)): WasmModuleReference => ({
      kind: 'http',
      uri: `${modules.origin}${path}`,
      sha256,
    });
    await using running = await setUp([{ name: 'closed', failOpen: false }], at('/one'), [modules.entry, images.entry]);
    await using envoy = await startEnvoy(envoyFrom, running.bootstrap as Record<string, unknown>, { until: 'live' });
    const ask = await asking(envoy, 'closed');
    await eventually('the first runs', async () => (await ask()) === '200 one');

    const ackStatus = async (what: string, failed: number) => {
      const behind = failed === 0 ? [] : [{ namespace: 'shop', name: 'reviews', pending: 0, failed }];
      const expected = [{ proxies: 1, pending: 0, failed, workloads: behind }];
      const holds = () => isDeepStrictEqual(running.ackStatus(), expected);
      await eventually(what, holds, { seen: running.ackStatus });
    };
    await ackStatus('it is noted that the Envoy took it', 0);

    await using load = constantRequests(ask);
    const answered = (what: string, answer: string) =>
      eventually(what, () => load.answers.at(-1) === answer, { seen: () => String(load.answers.at(-1)) });
    running.become(at('/two'));
    await answered('the second runs', '200 two');
    running.become({ kind: 'image', image: `${images.authority}/filters/auth:v1` });
    await answered('that of the image runs', '200 three');
    const binaryData = { 'module.wasm': (four as Buffer).toString('base64') };
    running.cluster.sim.objects.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'modules', namespace: 'shop' },
      binaryData,
    } as never);
    running.become({ kind: 'configMap', namespace: 'shop', name: 'modules', key: 'module.wasm' });
    await answered('that of the ConfigMap runs', '200 four');

    for (const [reference, reason] of [
      [at('/one', 'f'.repeat(64)), /has the SHA-256 .* instead of fff/],
      [at('/big'), /more than 4096 bytes/],
      [
        { kind: 'http', uri: 'https://not-listed.example.com/a', sha256: 'f'.repeat(64) },
        /add not-listed\.example\.com to wasm\.hosts/,
      ],
      [at('/broken'), /does not load/],
      [at('/refusing'), /rejects its configuration/],
    ] as const) {
      running.become(reference);
      await eventually(`it is reported: ${reason}`, () => reason.test(running.sent()), {
        seen: running.sent,
      });
      assert.is(await ask(), '200 four');
      await ackStatus('the Envoy counts as failed', 1);
    }
    running.become(at('/one'));
    await eventually('it is healed', async () => (await ask()) === '200 one' && running.sent() === '');
    await ackStatus('and is noted', 0);
    assert.equal(
      [...new Set(await load.end())].map(String).filter((answer) => !/^200 (one|two|three|four)$/.test(answer)),
      [],
    );
    assert.is(modules.requested.filter((path) => path === '/one').length, 2, 'once whole, and once for the wrong hash');
  });

  test('without its module, requests are rejected or pass, as the policy specifies', async () => {
    const listeners = [
      { name: 'closed', failOpen: false },
      { name: 'open', failOpen: true },
    ];
    const missing: WasmModuleReference = { kind: 'configMap', namespace: 'shop', name: 'missing', key: 'module.wasm' };
    await using running = await setUp(listeners, missing, []);
    await using envoy = await startEnvoy(envoyFrom, running.bootstrap as Record<string, unknown>, { until: 'live' });
    const [closed, open] = [await asking(envoy, 'closed'), await asking(envoy, 'open')];
    assert.equal([await closed(), await open()], ['503 none', '200 none']);
    await eventually('the missing ConfigMap is reported', () =>
      /ConfigMap shop\/missing does not exist/.test(running.sent()),
    );
  });
}

if (program !== undefined) suite(program);

test.run();
