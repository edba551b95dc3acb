/** Callers prove their identity, within a cluster and across clusters, also while certificates are rotated. */
import { X509Certificate } from 'node:crypto';
import { assert, eventually, test } from '@meshrelay/testing';
import { ask, served, Visitor } from '../support/asking.ts';
import { virtualMesh } from '../support/fleet.ts';
import type { Fixture } from '../support/proxy-fixture.ts';
import { type RunningPod, TIMEOUT_MS } from '../support/workload-cluster.ts';

const withLongTimeout = { deadline: TIMEOUT_MS };
const RATINGS = 'http://ratings.shop:9080/';
const FAR = 'http://ratings.shop.svc.west.global:9080/';

export function identityTests(fleet: Fixture): void {
  const [east, west] = [fleet.cluster('east'), fleet.cluster('west')];
  const [front, guest] = [east.running('front-v1'), east.running('guest-v1')];

  test('trust is established by the certificates that agents serve', async () => {
    await eventually(
      'TrustEstablished',
      async () => {
        const { conditions = [] } = (await fleet.status({ kind: 'VirtualMesh', name: 'all' })) ?? {};
        return conditions.some(({ type, status }) => type === 'TrustEstablished' && status === 'True');
      },
      withLongTimeout,
    );
    const roots = [east, west].map((one) => one.object('v1', 'ConfigMap', 'meshrelay', 'meshrelay-workload-roots'));
    const [one, other] = roots.map((map) => (map?.['data'] as Record<string, string> | undefined)?.['root-cert.pem']);
    assert.ok(one !== undefined && new X509Certificate(one).ca);
    assert.is(one, other);
  });

  test('callers are known by their proven identities, not by their headers', async () => {
    const says = { 'x-forwarded-client-cert': 'URI=spiffe://cluster.local/ns/shop/sa/admin' };
    const { headers } = served(await ask(front, 'http://reviews.shop:9080/', { headers: says }));
    assert.match(String(headers['x-forwarded-client-cert']), /URI=spiffe:\/\/cluster\.local\/ns\/shop\/sa\/front$/);
  });

  test('allowed callers are admitted and others are denied, in their own cluster and in another', async () => {
    for (const url of [RATINGS, FAR]) {
      served(await eventually(url, async () => until200(await ask(front, url)), withLongTimeout));
      assert.is((await ask(guest, url)).status, 403, url);
    }
  });

  test("a request to another cluster passes its gateway with the caller's identity", async () => {
    const { pod, headers } = served(await ask(front, FAR));
    assert.is(pod, 'ratings-v1.west');
    assert.match(String(headers['x-forwarded-client-cert']), 'URI=spiffe://cluster.local/ns/shop/sa/front');
    const passed = await Promise.all(['edge-a', 'edge-b'].map((edge) => passedBy(west.running(edge))));
    assert.ok(
      passed.some((count) => count > 0),
      `connections through gateways: ${passed.join(', ')}`,
    );
  });

  test('callers without an identity are denied', async () => {
    const { address } = east.running('reviews-v1').pod;
    for (const tls of [false, true])
      assert.match(await guest.pod.do<string>('bare', { host: address, port: 15006, tls }), /^refused/);
  });

  test('certificates are rotated under traffic, and no request is lost', async () => {
    const pods = [...east.all, ...west.all].filter(({ pod }) => !pod.addresses.some((one) => one.startsWith('172.')));
    const before = await Promise.all(pods.map(serialOf));
    {
      await using near = new Visitor(front, 'http://reviews.shop:9080/');
      await using far = new Visitor(front, FAR);
      await fleet.put(virtualMesh({ orgName: 'Another' }));
      await eventually(
        'every Envoy has another certificate',
        async () => (await Promise.all(pods.map(serialOf))).every((serial, index) => serial !== before[index]),
        withLongTimeout,
      );
      for (const visitor of [near, far]) {
        const visits = visitor.visits;
        await eventually('visits continue', () => visitor.visits > visits + 5, withLongTimeout);
      }
      assert.equal([...near.bad, ...far.bad], []);
      console.log(`${near.visits + far.visits} requests while all certificates were exchanged, none lost`);
    }
  });
}

function until200<T extends { readonly status: number }>(answer: T): T | undefined {
  return answer.status === 200 ? answer : undefined;
}

/** Number of connections that a gateway has forwarded. */
async function passedBy({ envoy }: RunningPod): Promise<number> {
  const all = await envoy.admin.stats('^tcp\\.gateway\\.downstream_cx_total$');
  return [...all.values()].reduce((sum, one) => sum + one, 0);
}

interface Certificates {
  readonly certificates: ReadonlyArray<{
    readonly cert_chain?: ReadonlyArray<{
      readonly serial_number: string;
      readonly subject_alt_names?: readonly object[];
    }>;
  }>;
}

/** Of the certificate that new connections use. */
async function serialOf({ envoy }: RunningPod): Promise<string | undefined> {
  const { certificates } = await envoy.admin.json<Certificates>('/certs');
  const serials = certificates.flatMap(({ cert_chain = [] }) => cert_chain.slice(0, 1).map((one) => one.serial_number));
  return [...new Set(serials)].sort().join();
}
