/** A real Envoy gets its configuration from this server by both protocols, and serves traffic through all changes. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assert, eventually, test } from '@meshrelay/testing';
import { type Envoy, envoyProgram, startEnvoy } from '@meshrelay/testing/envoy';
import { ControlPlane, certificates } from '../support/control-plane.ts';
import { clusterOf, endpointsOf, listenerOf, type Resource, routesOf } from '../support/shop.ts';

const program = await envoyProgram();
const LONG_TIMEOUT = { deadline: 90_000 };

async function backend(answer: string): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer((_, response) => response.end(answer)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, server };
}

async function get(port: number | undefined): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
  const body = await response.text();
  return response.status === 200 ? body : `${response.status}`;
}

/** Sends requests continuously until stopped; failed ones are recorded. */
class Visitor implements AsyncDisposable {
  readonly bad: string[] = [];
  visits = 0;
  #going = true;
  readonly #done: Promise<void>;

  constructor(port: number | undefined) {
    this.#done = this.#visit(port);
  }

  async #visit(port: number | undefined): Promise<void> {
    while (this.#going) {
      const answer = await get(port).catch((error: Error) => error.message);
      this.visits += 1;
      if (!['one', 'two'].includes(answer)) this.bad.push(answer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#going = false;
    await this.#done;
  }
}

const rejected = async (envoy: Envoy): Promise<number> => {
  const all = await envoy.admin.stats('update_rejected$');
  return [...all.values()].reduce((sum, each) => sum + each, 0);
};

if (program !== undefined) {
  const own = await certificates();
  const [one, two] = [await backend('one'), await backend('two')];
  test.after(() => {
    for (const { server } of [one, two]) {
      server.close();
      server.closeAllConnections();
    }
  });

  for (const delta of [true, false]) {
    const protocol = delta ? 'delta' : 'state of the world';

    test(`${protocol}: boots, accepts fifty pushes, survives a server restart, quarantines what it rejects`, async () => {
      await using plane = new ControlPlane(own);
      const put = (...resources: Resource[]): void => plane.catalog.set('web', { resources });
      plane.catalog.set('proxies', {
        proxies: [{ namespace: 'shop', serviceAccount: 'web', listeners: ['in'], clusters: [] }],
      });
      put(listenerOf('in'), routesOf('in', 'a'), clusterOf('a'), endpointsOf('a', one.port));
      await plane.start();
      await using envoy = await startEnvoy(program, plane.bootstrap('web', { delta }));
      const port = await eventually('the listener is bound', () => envoy.admin.port('in'), LONG_TIMEOUT);
      assert.is(await get(port), 'one');
      {
        await using visitor = new Visitor(port);
        for (let push = 1; push <= 50; push += 1) {
          // In turn: a changed cluster, moved endpoints, another cluster with its routes while the first is removed.
          const name = push % 3 === 0 ? `b${push}` : 'a';
          const to = push % 2 === 0 ? two : one;
          put(listenerOf('in'), routesOf('in', name), clusterOf(name, `m${push}`), endpointsOf(name, to.port));
          await new Promise((resolve) => setImmediate(resolve));
        }
        put(listenerOf('in'), routesOf('in', 'end'), clusterOf('end'), endpointsOf('end', two.port));
        const pushed = performance.now();
        await eventually(
          'the last push is what serves, and what went is gone',
          async () => {
            const clusters = await envoy.admin.text('/clusters');
            return (await get(port)) === 'two' && clusters.includes('end::') && !/^(a|b\d+)::/m.test(clusters);
          },
          LONG_TIMEOUT,
        );
        const converged = Math.round(performance.now() - pushed);
        const before = visitor.visits;
        await eventually('visits continue', () => visitor.visits > before, LONG_TIMEOUT);

        const at = plane.port;
        await plane.stop();
        put(listenerOf('in'), routesOf('in', 'end'), clusterOf('end'), endpointsOf('end', one.port));
        assert.is(await get(port), 'two', 'no newer configuration is sent yet');
        await plane.start(at);
        const back = performance.now();
        await eventually('what changed meanwhile arrives', async () => (await get(port)) === 'one', LONG_TIMEOUT);
        const resumed = Math.round(performance.now() - back);
        console.log(
          `${protocol}: ${converged} ms after fifty pushes, ${resumed} ms after its server was back, an Envoy had the last state`,
        );
        assert.is(await rejected(envoy), 0);
        assert.equal(visitor.bad, []);
      }

      // Only Envoy can detect that this is not an address.
      const bad = endpointsOf('bad', 1);
      const address = { socket_address: { address: 'not-an-ip', port_value: 1 } };
      const unreadable: Resource = {
        type: 'cluster',
        name: 'bad',
        value: {
          name: 'bad',
          type: 'STATIC',
          load_assignment: { cluster_name: 'bad', endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }] },
        },
      };
      plane.catalog.set('proxies', {
        proxies: [{ namespace: 'shop', serviceAccount: 'web', listeners: ['in'], clusters: ['bad'] }],
      });
      put(
        listenerOf('in'),
        routesOf('in', 'end'),
        clusterOf('end', 'other'),
        endpointsOf('end', two.port),
        unreadable,
        bad,
      );
      await eventually('the rest continues', async () => (await get(port)) === 'two', LONG_TIMEOUT);
      await eventually('the NACK is reported', () => plane.rejections.length > 0, LONG_TIMEOUT);
      assert.equal([...(plane.rejections[0]?.versions.keys() ?? [])], ['bad']);
      assert.match(plane.rejections[0]?.message ?? '', /malformed IP address/);
      assert.is(plane.proxies.states()[0]?.rejections.length, 1);
      put(listenerOf('in'), routesOf('in', 'bad'), clusterOf('bad'), endpointsOf('bad', one.port));
      await eventually('with a correct cluster, it serves', async () => (await get(port)) === 'one', LONG_TIMEOUT);
      assert.equal(plane.proxies.states()[0]?.rejections, []);
      assert.equal(plane.errors, []);
    });
  }

  test('T25: an Envoy of another ServiceAccount gets none of it', async () => {
    await using plane = new ControlPlane(own);
    plane.catalog.set('web', {
      proxies: [{ namespace: 'shop', serviceAccount: 'web', listeners: ['in'], clusters: [] }],
      resources: [listenerOf('in'), routesOf('in', 'a'), clusterOf('a'), endpointsOf('a', one.port)],
    });
    await plane.start();
    await using other = await startEnvoy(program, {
      ...plane.bootstrap('other'),
      node: { id: 'web-1', cluster: 'web' },
    });
    assert.is(await other.admin.port('in'), undefined);
    assert.not.match(await other.admin.text('/clusters'), /^a::/m);
    assert.is(plane.proxies.states()[0]?.serviceAccount, 'other');
  });
}

test.run();
