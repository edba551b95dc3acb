/** Expressions in a real Envoy: the requests and connections that each admits to the log. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import type { AccessLogFilterView, AccessLogRuleView } from '@meshrelay/plugin';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import { envoyProgram, startEnvoy } from '@meshrelay/testing/envoy';
import { CONNECTION_EXPRESSION, requestExpression } from '../../../src/translate/access-log/filters.ts';

const WITHIN = { deadline: 120_000 };

function rule(...filters: readonly AccessLogFilterView[]): AccessLogRuleView {
  return { filters, requestHeaders: [], responseHeaders: [], responseTrailers: [], filterState: [], from: [] };
}

const header = (name: string, more: { value?: string; regex?: boolean; invert?: boolean } = {}) => ({
  header: { name, regex: false, invert: false, ...more },
});
const status = (value: number, comparator: 'EQ' | 'GE' | 'LE') => ({ status: { value, comparator } });

/** Requests for each path: the status, and the header `x-debug` if set. `/cut` ends without an answer. */
const REQUESTS = [
  ['/200', undefined],
  ['/404', 'on'],
  ['/500', 'o"n'],
  ['/cut', undefined],
] as const;

const EXPECTED: ReadonlyArray<readonly [expression: string, logged: readonly string[]]> = [
  [requestExpression([rule()]), ['/200', '/404', '/500', '/cut']],
  [requestExpression([rule(status(404, 'EQ')), rule(status(500, 'GE'))]), ['/404', '/500']],
  [requestExpression([rule(status(200, 'LE'))]), ['/200', '/cut']],
  [requestExpression([rule(status(0, 'EQ'))]), ['/cut']],
  [requestExpression([rule(header('x-debug'))]), ['/404', '/500']],
  [requestExpression([rule(header('x-debug', { invert: true }))]), ['/200', '/cut']],
  [requestExpression([rule(header('x-debug', { value: 'o"n' }))]), ['/500']],
  [requestExpression([rule(header('x-debug', { value: 'o.*n', regex: true, invert: true }))]), ['/200', '/cut']],
  [requestExpression([rule(header(':path', { value: '/[24]0', regex: true }))]), []],
  [requestExpression([rule(header(':path', { value: '/[24]0.', regex: true }))]), ['/200', '/404']],
  [CONNECTION_EXPRESSION, []],
];

const type = (name: string): object => ({ '@type': `type.googleapis.com/envoy.extensions.${name}` });

/** A log for each expression, and one of everything that shows when all entries are written. */
function logs(folder: string, listener: string, format: string): readonly object[] {
  return [undefined, ...EXPECTED.map(([expression]) => expression)].map((expression, position) => ({
    name: 'file',
    ...(expression === undefined
      ? {}
      : {
          filter: {
            extension_filter: {
              name: 'cel',
              typed_config: { ...type('access_loggers.filters.cel.v3.ExpressionFilter'), expression },
            },
          },
        }),
    typed_config: {
      ...type('access_loggers.file.v3.FileAccessLog'),
      path: join(folder, `${listener}-${position}`),
      log_format: { text_format_source: { inline_string: `${format}\n` } },
    },
  }));
}

function bootstrap(folder: string, application: number): Record<string, unknown> {
  const address = (port: number) => ({ socket_address: { address: '127.0.0.1', port_value: port } });
  const listener = (name: string, filter: object) => ({
    name,
    address: address(0),
    filter_chains: [{ filters: [{ name, typed_config: filter }] }],
  });
  return {
    node: { id: 'test', cluster: 'test' },
    static_resources: {
      listeners: [
        listener('requests', {
          ...type('filters.network.http_connection_manager.v3.HttpConnectionManager'),
          stat_prefix: 'in',
          access_log: logs(folder, 'requests', '%REQ(:PATH)%'),
          route_config: {
            virtual_hosts: [
              { name: 'all', domains: ['*'], routes: [{ match: { prefix: '/' }, route: { cluster: 'app' } }] },
            ],
          },
          http_filters: [{ name: 'router', typed_config: type('filters.http.router.v3.Router') }],
        }),
        listener('connections', {
          ...type('filters.network.tcp_proxy.v3.TcpProxy'),
          stat_prefix: 'tcp',
          cluster: 'app',
          access_log: logs(folder, 'connections', 'a connection'),
        }),
      ],
      clusters: [
        {
          name: 'app',
          type: 'STATIC',
          load_assignment: {
            cluster_name: 'app',
            endpoints: [{ lb_endpoints: [{ endpoint: { address: address(application) } }] }],
          },
        },
      ],
    },
  };
}

const program = await envoyProgram();

if (program !== undefined) {
  test('each expression selects the requests and connections that it describes', async () => {
    using folder = temporaryFolder();
    // The caller aborts this request once it has arrived.
    let cut = (): void => undefined;
    const application = createServer((requested, answer) => {
      if (requested.url === '/cut') cut();
      else answer.writeHead(Number(requested.url?.slice(1))).end();
    });
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
    using _application = {
      [Symbol.dispose]: () => {
        application.closeAllConnections();
        application.close();
      },
    };
    await using end = new AsyncDisposableStack();
    const written = bootstrap(folder.path, (application.address() as AddressInfo).port);
    const envoy = end.use(await startEnvoy(program, written, { args: ['--file-flush-interval-msec', '100'] }));
    const port = await eventually('Envoy listens', () => envoy.admin.port('requests'), WITHIN);
    const tcp = await eventually('Envoy listens for bytes', () => envoy.admin.port('connections'), WITHIN);
    for (const [path, debug] of REQUESTS) {
      await new Promise<void>((resolve, reject) => {
        const headers = debug === undefined ? {} : { 'x-debug': debug };
        const requested = request({ host: '127.0.0.1', port, path, headers, agent: false });
        cut = () => requested.destroy();
        requested.on('response', (response: IncomingMessage) => response.resume().on('end', resolve));
        requested.on('error', (error) => (path === '/cut' ? resolve() : reject(error)));
        requested.end();
      });
    }
    const socket = connect(tcp, '127.0.0.1');
    socket.on('error', () => undefined).on('connect', () => socket.end('GET /200 HTTP/1.1\r\nhost: a\r\n\r\n'));
    const lines = (name: string): string[] => {
      try {
        return readFileSync(join(folder.path, name), 'utf8').split('\n').slice(0, -1).sort();
      } catch {
        return [];
      }
    };
    const all = REQUESTS.map(([path]) => path);
    await eventually('all requests are written', () => lines('requests-0').length === all.length, WITHIN);
    await eventually('the connection is written', () => lines('connections-0').length === 1, WITHIN);
    // Envoy flushes its logs on exit.
    await envoy.admin.post('/quitquitquit');
    for (const [position, [expression, logged]] of EXPECTED.entries()) {
      const found = (): string[] => lines(`requests-${position + 1}`);
      const connections = expression === CONNECTION_EXPRESSION ? 1 : 0;
      const bytes = (): number => lines(`connections-${position + 1}`).length;
      const enough = () => found().length >= logged.length && bytes() >= connections;
      await eventually(`all that ${expression} asks for is written`, enough, { ...WITHIN, seen: found });
      assert.equal(found(), logged, expression);
      assert.is(bytes(), connections, `connections by ${expression}`);
    }
  });
}

test.run();
