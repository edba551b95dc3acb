/** Validation of the configuration. */
import { ConfigError, loadConfig } from '@meshrelay/host';
import { assert, test } from '@meshrelay/testing';
import { AGENT_FIELDS, agentConfig } from '../../src/mod.ts';

const load = (...argv: string[]) => loadConfig(agentConfig, { argv, env: {}, fields: AGENT_FIELDS });
const needed = ['--relay.serverAddress=relay.example.com:9900', '--relay.cluster=c1'];

test('two fields are enough; the rest has the documented defaults', () => {
  const config = load(...needed);
  assert.is(config.namespace, 'meshrelay');
  assert.is(config.managementNamespace, 'meshrelay');
  assert.is(config.relay.trustDomain, 'relay.meshrelay.local');
  assert.equal(config.health.listen, { host: '0.0.0.0', port: 9988 });
  assert.equal(config.stats.listen, { host: '0.0.0.0', port: 9091 });
  assert.equal(config.dataPlane.listen, { host: '0.0.0.0', port: 9977 });
  assert.is(config.log.level, 'info');
});

test('errors name missing and invalid fields', () => {
  const wrong: Array<[string[], RegExp]> = [
    [[], /relay\.serverAddress: .*; relay\.cluster: /],
    [['--relay.cluster=c1'], /relay\.serverAddress: expected HOST:PORT/],
    [['--relay.serverAddress=relay.example.com', '--relay.cluster=c1'], /relay\.serverAddress: expected HOST:PORT/],
    [['--relay.serverAddress=relay.example.com:9900'], /relay\.cluster: expected the name/],
    [['--relay.serverAddress=relay.example.com:9900', '--relay.cluster=C_1'], /relay\.cluster: expected a DNS label/],
    [
      ['--relay.serverAddress=relay.example.com:9900', '--relay.cluster=us.east'],
      /relay\.cluster: expected a DNS label/,
    ],
    [[...needed, '--relay.clientCertificate.certFile=a'], /clientCertificate: expected secretName alone, or certFile/],
    [
      [...needed, '--relay.clientCertificate.secretName=a', '--relay.clientCertificate.certFile=a'],
      /clientCertificate: expected secretName alone/,
    ],
    [[...needed, '--relay.mode=tls', '--relay.clientCertificate.secretName=a'], /a token is the identity/],
    [[...needed, '--health.listen=here'], /health\.listen/],
    [[...needed, '--log.level=loud'], /log\.level/],
    [[...needed, '--relay.clustr=x'], /did you mean --relay\.cluster/],
  ];
  for (const [argv, message] of wrong) {
    try {
      load(...argv);
      assert.unreachable(argv.join(' '));
    } catch (error) {
      assert.instance(error, ConfigError);
      assert.match((error as Error).message, message);
    }
  }
});

test.run();
