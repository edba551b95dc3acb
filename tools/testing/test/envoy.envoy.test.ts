/** The Envoy of the tests is a real one: it serves, validates and exits on request. */

import { envoyProgram, envoyRejects, startEnvoy } from '../src/envoy/mod.ts';
import { assert, eventually, test } from '../src/mod.ts';

const program = await envoyProgram();

const answers = (status: number): Record<string, unknown> => ({
  static_resources: {
    listeners: [
      {
        name: 'web',
        address: { socket_address: { address: '127.0.0.1', port_value: 0 } },
        filter_chains: [
          {
            filters: [
              {
                name: 'envoy.filters.network.http_connection_manager',
                typed_config: {
                  '@type':
                    'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
                  stat_prefix: 'web',
                  route_config: {
                    virtual_hosts: [
                      {
                        name: 'all',
                        domains: ['*'],
                        routes: [
                          { match: { prefix: '/' }, direct_response: { status, body: { inline_string: 'hello' } } },
                        ],
                      },
                    ],
                  },
                  http_filters: [
                    {
                      name: 'envoy.filters.http.router',
                      typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
                    },
                  ],
                },
              },
            ],
          },
        ],
      },
    ],
  },
});

if (program !== undefined) {
  test('serves on a port of its own choice, and counts', async () => {
    await using envoy = await startEnvoy(program, answers(200));
    const port = await envoy.admin.port('web');
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
    assert.is(await response.text(), 'hello');
    assert.is(await envoy.admin.stat('http.web.downstream_rq_2xx'), 1);
    assert.is(await envoy.admin.port('other'), undefined);
    await envoy.kill();
    await eventually('the connection is refused', () =>
      envoy.admin.text('/ready').then(
        () => false,
        () => true,
      ),
    );
  });

  test('validates without serving', async () => {
    assert.is(await envoyRejects(program, answers(200)), undefined);
    assert.match((await envoyRejects(program, answers(99))) ?? 'accepted', /Status.*(range|100)/s);
  });

  test('reports why it did not start', async () => {
    const failed = await startEnvoy(program, answers(99)).then(
      async (envoy) => {
        await envoy.kill();
        return 'it came up';
      },
      (error: Error) => error.message,
    );
    assert.match(failed, /ended with 1/);
    assert.match(failed, /Status/);
  });
}

test.run();
