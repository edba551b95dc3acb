// A real Envoy compiles every accepted group of Unicode characters, and none of the rejected ones.
import { assert, test } from '@meshrelay/testing';
import { envoyProgram, envoyRejects } from '@meshrelay/testing/envoy';
import { re2Problem } from '../../src/text/re2.ts';
import { UNICODE_GROUPS } from '../../src/text/unicode-groups.ts';

const TYPE = 'type.googleapis.com/envoy.extensions.filters';

/** Groups are large; the size limit of an expression is not tested here. */
const layered_runtime = {
  layers: [{ name: 'large', static_layer: { 're2.max_program_size.error_level': 1_000_000 } }],
};

function bootstrapWith(expressions: readonly string[]): Record<string, unknown> {
  const routes = expressions.map((regex) => ({
    match: { safe_regex: { regex } },
    direct_response: { status: 200 },
  }));
  const typed_config = {
    '@type': `${TYPE}.network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: 'expressions',
    route_config: { virtual_hosts: [{ name: 'all', domains: ['*'], routes }] },
    http_filters: [{ name: 'router', typed_config: { '@type': `${TYPE}.http.router.v3.Router` } }],
  };
  const address = { socket_address: { address: '127.0.0.1', port_value: 0 } };
  const listener = { name: 'http', address, filter_chains: [{ filters: [{ name: 'http', typed_config }] }] };
  return { static_resources: { listeners: [listener] }, layered_runtime };
}

const program = await envoyProgram();
if (program !== undefined) {
  test('every known group compiles, also within a class', async () => {
    const all = [...UNICODE_GROUPS].flatMap((name) => [`\\p{${name}}`, `[a\\P{^${name}}]`]);
    const short = [...UNICODE_GROUPS].filter((name) => name.length === 1).map((name) => `\\p${name}`);
    assert.is(await envoyRejects(program, bootstrapWith([...all, ...short])), undefined);
  });

  for (const expression of ['\\p{Elvish}', '\\p{Cn}', '\\p{greek}', '[\\pQ]'])
    test(`${expression} is rejected by both`, async () => {
      assert.match(String(await envoyRejects(program, bootstrapWith([expression]))), /invalid character class range/);
      assert.match(String(re2Problem(expression)), /names no group/);
    });
}

test.run();
