/** The server's configuration: defaults, fields for flags, rejected values. */
import { ConfigError, loadConfig } from '@meshrelay/host';
import { silentLogger } from '@meshrelay/telemetry';
import { TEST_PLUGINS } from '@meshrelay/test-mesh';
import { assert, test } from '@meshrelay/testing';
import { SERVER_FIELDS, serverConfig } from '../../src/config/config.ts';
import { startManagementServer } from '../../src/mod.ts';
import { hasPeers } from '../../src/replicas/server-peers.ts';
import { ManagementCluster } from '../support/management.ts';

const load = (...argv: string[]) => loadConfig(serverConfig, { argv, env: {}, fields: SERVER_FIELDS });

function problems(value: object): string {
  const parsed = serverConfig.safeParse(value);
  return (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

test('the server needs no configuration', () => {
  assert.equal(load(), {
    namespace: 'meshrelay',
    relay: {
      listen: { host: '0.0.0.0', port: 9900 },
      trustDomain: 'relay.meshrelay.local',
      serverNames: ['mgmt-server.meshrelay'],
      serverAddresses: [],
      mode: 'mtls',
      allowSharedToken: false,
      agentCertificateDays: 30,
      clientIdentity: [],
    },
    kubernetes: {},
    http: { listen: { host: '127.0.0.1', port: 8090 } },
    health: { listen: { host: '0.0.0.0', port: 9091 } },
    leaderElection: {},
    log: { level: 'info' },
    audit: {},
    store: { type: 'memory' },
    peers: { listen: { host: '0.0.0.0', port: 9979 }, selector: 'app.kubernetes.io/name=meshrelay-mgmt-server' },
  });
});

test('every field that flags may set can be set', () => {
  const values: Readonly<Record<string, string>> = {
    'relay.listen': '127.0.0.1:1',
    'relay.mode': 'tls',
    'http.listen': '127.0.0.1:2',
    'health.listen': '127.0.0.1:3',
    'peers.enabled': 'true',
    'peers.listen': '127.0.0.1:4',
    'log.level': 'debug',
    'leaderElection.leaseDuration': '15000',
    'leaderElection.renewDeadline': '10000',
    'leaderElection.retryPeriod': '2000',
  };
  const argv = SERVER_FIELDS.flatMap((field) => [`--${field}`, values[field] ?? 'some-text']);
  const config = load(...argv);
  assert.is(config.leaderElection.leaseDuration, 15_000);
  assert.is(config.kubernetes.context, 'some-text');
  assert.is(config.health.listen.port, 3);
});

test('errors name bad values', () => {
  assert.match(problems({ namespace: 'Mesh Relay' }), 'namespace: expected a namespace');
  assert.match(problems({ relay: { trustDomain: 'Relay/..' } }), 'relay.trustDomain: expected a trust domain');
  assert.match(problems({ relay: { serverNames: ['a b'] } }), 'relay.serverNames.0: expected a DNS name');
  assert.match(
    problems({ relay: { serverAddresses: ['localhost'] } }),
    'relay.serverAddresses.0: expected an IP address',
  );
  assert.match(problems({ relay: { serverNames: [] } }), 'relay: expected at least one of serverNames');
  assert.match(problems({ leaderElection: { retryPeriod: 0 } }), 'leaderElection.retryPeriod: ');
  assert.match(problems({ log: { level: 'loud' } }), 'log.level: ');
  assert.match(problems({ relya: {} }), 'relya');
  assert.match(problems({ plugins: [{ modul: 'x' }] }), 'plugins.0');
});

test('replicas with a shared store call each other by default', () => {
  const redis = { type: 'redis', redis: { addresses: ['redis:6379'] } };
  assert.is(hasPeers(serverConfig.parse({})), false);
  assert.is(hasPeers(serverConfig.parse({ store: redis })), true);
  assert.is(hasPeers(serverConfig.parse({ store: redis, peers: { enabled: false } })), false);
  assert.is(hasPeers(load('--peers.enabled', 'true')), true);
  assert.is(load('--peers.listen', '127.0.0.1:1').peers.listen.port, 1);
});

test('inconsistent durations are a configuration error', async () => {
  await using management = await ManagementCluster.start();
  const starting = management.startServer({ leaderElection: { leaseDuration: 1_000, renewDeadline: 2_000 } });
  const error = await starting.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.instance(error, ConfigError);
  assert.match((error as Error).message, 'leaderElection: ');
});

test('an unreadable kubeconfig is a configuration error', async () => {
  const config = load('--kubernetes.kubeconfig', 'nowhere.yaml');
  const error = await startManagementServer(config, { plugins: TEST_PLUGINS, logger: silentLogger }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.instance(error, ConfigError);
});

test.run();
