/** The agent as CA of Envoys: each ServiceAccount gets its own certificate in time, and nothing of others. */
import { Buffer } from 'node:buffer';
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { fromBinary, tls } from '@meshrelay/envoy-api';
import type { VerifiedServiceAccount } from '@meshrelay/envoy-api/server';
import { type CallerView, XdsCatalog, type XdsResource } from '@meshrelay/envoy-api/xds';
import { trustBundle, verifyClient } from '@meshrelay/pki';
import { WORKLOAD_CA_SECRET, WORKLOAD_SECRETS } from '@meshrelay/relay-core';
import { createLogger } from '@meshrelay/telemetry';
import { NAMESPACE, TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, ManualClock, test } from '@meshrelay/testing';
import { WorkloadCa } from '../../src/workload-ca/workload-ca.ts';
import { LogBook } from '../harness/agents.ts';
import { intermediate, NOW, root } from './cas.ts';

const HOUR = 3_600_000;
const shared = await root();
const roots = trustBundle([shared.certificate]);
const { certificate: OWN, roots: ROOTS } = WORKLOAD_SECRETS;
const cart = { namespace: 'shop', serviceAccount: 'cart' };
const pay = { namespace: 'shop', serviceAccount: 'pay' };

const sdsConfig = { ads: {}, resource_api_version: 'V3' };

/** A cluster that requests identities: its Secret, its agent's CA, and Envoys of some ServiceAccounts. */
class FleetState implements AsyncDisposable {
  readonly cluster: TestCluster;
  readonly log: LogBook = new LogBook();
  readonly clock: ManualClock = new ManualClock();
  readonly gone = new Set<string>();
  readonly counted = { issued: 0, failed: 0, refused: 0 };
  readonly ca: WorkloadCa;
  readonly #catalog: XdsCatalog;
  time = NOW.getTime();

  private constructor(cluster: TestCluster) {
    this.cluster = cluster;
    this.#catalog = new XdsCatalog({
      hash: (bytes) => createHash('sha256').update(bytes).digest('hex'),
      secrets: {
        get: (caller, name) => this.ca.get(caller, name),
        isAwaited: (caller, name) => this.ca.isAwaited(caller, name),
        refused: (caller, name) => this.ca.refused(caller, name),
      },
    });
    const listener = (account: VerifiedServiceAccount) => ({
      type: 'listener' as const,
      name: account.serviceAccount,
      value: { name: account.serviceAccount, filter_chains: [{ transport_socket: transportSocket() }] } as never,
    });
    this.#catalog.set('all', {
      proxies: [cart, pay].map((one) => ({ ...one, listeners: [one.serviceAccount], clusters: [] })),
      resources: [cart, pay].map(listener),
    });
    this.ca = new WorkloadCa({
      connection: cluster.connection,
      namespace: NAMESPACE,
      inUse: ({ serviceAccount }) => !this.gone.has(serviceAccount),
      changed: (names, whose) => this.#catalog.secretsChanged(names, whose),
      counters: {
        issued: (result) => void this.counted[result]++,
        refused: () => void this.counted.refused++,
      },
      clock: this.clock,
      now: () => new Date(this.time),
      random: () => 0.5,
      logger: createLogger({ name: 'agent', level: 'debug', destination: this.log }),
    });
  }

  static async start(): Promise<FleetState> {
    return new FleetState(await TestCluster.start());
  }

  view(account: VerifiedServiceAccount): CallerView {
    return this.#catalog.view(account);
  }

  /** Advances time by hours. */
  async pass(hours: number): Promise<void> {
    this.time += hours * HOUR;
    await this.clock.pass(hours * HOUR);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.ca[Symbol.asyncDispose]();
    await this.cluster[Symbol.asyncDispose]();
  }
}

function transportSocket(): object {
  return {
    name: 'tls',
    typed_config: {
      '@type': 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext',
      common_tls_context: {
        tls_certificate_sds_secret_configs: [{ name: OWN, sds_config: sdsConfig }],
        validation_context_sds_secret_config: { name: ROOTS, sds_config: sdsConfig },
      },
    },
  };
}

interface Reported {
  readonly chain: string;
  readonly key: string;
  readonly uri: string;
}

/** The identity that a proxy receives. */
function identityIn(resource: XdsResource | undefined): Reported | undefined {
  if (resource === undefined) return undefined;
  const { type } = fromBinary(tls.SecretSchema, resource.any.value);
  if (type.case !== 'tlsCertificate') throw new Error(`a ${type.case}`);
  const { certificateChain, privateKey } = type.value;
  const [chain = '', key = ''] = [certificateChain, privateKey].map((source) =>
    source?.specifier.case === 'inlineBytes' ? Buffer.from(source.specifier.value).toString() : '',
  );
  return { chain, key, uri: new X509Certificate(chain).subjectAltName?.replace('URI:', '') ?? '' };
}

const identityOf = (view: CallerView): Promise<Reported> =>
  eventually('an identity', () => identityIn(view.get('secret', OWN)));

test('each ServiceAccount gets its own certificate and key on request, and all the roots', async () => {
  await using fixture = await FleetState.start();
  const [cartView, payView] = [fixture.view(cart), fixture.view(pay)];
  const sent: string[] = [];
  cartView.onChanged = (keys) => sent.push(...keys.map(({ name }) => name));
  assert.is(cartView.get('secret', OWN), undefined, 'there is no CA yet');
  assert.ok(cartView.isAwaited('secret', OWN) && cartView.isAwaited('secret', ROOTS));
  assert.not.ok(cartView.isAwaited('secret', 'pay'));
  fixture.cluster.setSecret(WORKLOAD_CA_SECRET, await intermediate(shared));
  const [one, other] = [await identityOf(cartView), await identityOf(payView)];
  assert.is(one.uri, 'spiffe://east.example/ns/shop/sa/cart');
  assert.is(other.uri, 'spiffe://east.example/ns/shop/sa/pay');
  for (const { chain, key } of [one, other]) {
    const verified = verifyClient({ chain, roots, now: NOW });
    assert.ok(verified.ok, JSON.stringify(verified));
    assert.ok(new X509Certificate(chain).checkPrivateKey(createPrivateKey(key)));
  }
  assert.is.not(one.key, other.key);
  assert.equal(await identityOf(fixture.view(cart)), one, 'all Envoys of one ServiceAccount have the same');
  assert.is(fixture.counted.issued, 2);
  assert.equal(sent, [ROOTS, OWN]);
  assert.is(cartView.get('secret', ROOTS)?.version, payView.get('secret', ROOTS)?.version);
});

test('T25: a request for the secret of another account gets nothing, and is counted', async () => {
  await using fixture = await FleetState.start();
  fixture.cluster.setSecret(WORKLOAD_CA_SECRET, await intermediate(shared));
  const view = fixture.view(cart);
  await identityOf(view);
  const stranger = fixture.view({
    namespace: 'shop',
    serviceAccount: 'stranger',
    workload: 'cart',
  } as VerifiedServiceAccount);
  for (const name of ['spiffe://east.example/ns/shop/sa/pay', 'pay', WORKLOAD_CA_SECRET])
    for (const one of [view, stranger]) assert.is(one.get('secret', name), undefined);
  assert.is(fixture.counted.refused, 6);
  assert.is(stranger.get('secret', OWN), undefined, 'whose configuration names none has none');
  assert.is(fixture.ca.certificates.size, 1);
});

test('another certificate replaces it at half of its lifetime, while a proxy is connected', async () => {
  await using fixture = await FleetState.start();
  fixture.cluster.setSecret(WORKLOAD_CA_SECRET, await intermediate(shared));
  const [cartView, payView] = [fixture.view(cart), fixture.view(pay)];
  const [first] = [await identityOf(cartView), await identityOf(payView)];
  assert.is(fixture.ca.certificates.expiry?.getTime(), fixture.time + 24 * HOUR);
  await fixture.pass(11);
  assert.equal(await identityOf(cartView), first);
  fixture.gone.add('pay');
  await fixture.pass(1);
  const second = await eventually('another', async () => {
    const now = await identityOf(cartView);
    return now.key === first.key ? undefined : now;
  });
  assert.is(second.uri, first.uri);
  assert.is(fixture.ca.certificates.expiry?.getTime(), fixture.time + 24 * HOUR);
  assert.is(fixture.ca.certificates.size, 1, 'who is not there is forgotten');
});

test('another CA signs at once, other roots are published first; an invalid one changes nothing', async () => {
  await using fixture = await FleetState.start();
  fixture.cluster.setSecret(WORKLOAD_CA_SECRET, await intermediate(shared));
  const view = fixture.view(cart);
  const first = await identityOf(view);
  fixture.cluster.setSecret(WORKLOAD_CA_SECRET, { 'ca-cert.pem': 'nonsense', 'ca-key.pem': 'secret-text' });
  await eventually('the broken CA is logged', () => fixture.log.has('the CA of workloads cannot be used'));
  assert.equal(await identityOf(view), first);
  const sent: string[] = [];
  view.onChanged = (keys) => sent.push(...keys.map(({ name }) => name));
  fixture.cluster.setSecret(WORKLOAD_CA_SECRET, await intermediate(await root()));
  await eventually('another CA', async () => (await identityOf(view)).key !== first.key);
  assert.equal(sent, [ROOTS, OWN]);
  fixture.cluster.delete('Secret', WORKLOAD_CA_SECRET, NAMESPACE, 'v1');
  fixture.cluster.setSecret(WORKLOAD_CA_SECRET, await intermediate(shared));
  await eventually('the first roots again', async () => {
    const { chain } = await identityOf(view);
    return verifyClient({ chain, roots, now: NOW }).ok;
  });
});

test('no key is in any log', async () => {
  await using fixture = await FleetState.start();
  fixture.cluster.setSecret(WORKLOAD_CA_SECRET, await intermediate(shared));
  const { key } = await identityOf(fixture.view(cart));
  const bits = key.split('\n')[1] ?? '';
  assert.ok(bits.length > 30);
  assert.ok(fixture.log.lines.length > 0);
  for (const line of fixture.log.lines) assert.not.ok(line.includes('PRIVATE') || line.includes(bits), line);
});

test.run();
