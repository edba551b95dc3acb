/** The relay's certificates: generated once, renewed in time; a user's own are not replaced. */

import { errorMessage } from '@meshrelay/host';
import type { KubeObject as SimObject } from '@meshrelay/kube-sim';
import { readCertificates } from '@meshrelay/pki';
import { ROOT_SECRET, SERVER_SECRET, SIGNING_SECRET } from '@meshrelay/relay-core';
import { createLogger, createMetrics } from '@meshrelay/telemetry';
import { assert, test } from '@meshrelay/testing';
import { loadAuthorities } from '../../src/identity/authorities.ts';
import { CertificateRotator } from '../../src/identity/certificate-upkeep.ts';
import { type BareCluster, startBareCluster } from '../support/cluster.ts';

const DAY = 86_400_000;

function loading({ connection }: BareCluster, days = 0, serverNames: readonly string[] = ['mgmt.example']) {
  const lines: string[] = [];
  const options = {
    connection,
    namespace: 'meshrelay',
    trustDomain: 'relay.example',
    serverNames,
    serverAddresses: ['127.0.0.1'],
    clientIdentity: [],
    now: () => new Date(Date.now() + days * DAY),
    logger: createLogger({ name: 'test', destination: { write: (line) => lines.push(line) } }),
  };
  return { options, lines, load: () => loadAuthorities(options) };
}

const secret = ({ sim }: BareCluster, name: string) =>
  sim.objects.get({ apiVersion: 'v1', kind: 'Secret', namespace: 'meshrelay', name }) as
    | (SimObject & { data: Record<string, string> })
    | undefined;

test('the first replica generates them once, and they stay', async () => {
  await using cluster = await startBareCluster();
  const [first, second] = await Promise.all([loading(cluster).load(), loading(cluster).load()]);
  assert.is(first.rootsPem, second.rootsPem);
  assert.is(first.signingPem, second.signingPem);
  assert.equal(first.tls, second.tls);
  assert.equal((await loading(cluster, 200).load()).tls, first.tls, 'far from its end it stays');

  const late = loading(cluster, 300);
  const renewed = await late.load();
  assert.is.not(renewed.tls.certificate, first.tls.certificate);
  assert.is(renewed.rootsPem, first.rootsPem);
  assert.match(late.lines.join(''), 'server certificate renewed');
  assert.match(late.lines.join(''), 'it expires soon');
  assert.equal((await loading(cluster, 300).load()).tls, renewed.tls);

  const other = loading(cluster, 300, ['mgmt.example', 'other.example']);
  const named = await other.load();
  assert.match(other.lines.join(''), 'it lacks other.example');
  const [certificate] = readCertificates(named.tls.certificate, 'test', { max: 3, allowText: true });
  const names = certificate?.extensions.subjectAltNames?.flatMap((name) => (name.kind === 'dns' ? [name.value] : []));
  assert.equal(names, ['mgmt.example', 'other.example']);

  // A user's own certificate, in a Secret without Meshrelay's label.
  const unmanaged = secret(cluster, SERVER_SECRET);
  assert.ok(unmanaged);
  cluster.sim.objects.update({ ...unmanaged, metadata: { ...unmanaged.metadata, labels: {} } } as SimObject);
  const foreign = loading(cluster, 700);
  assert.is((await foreign.load()).tls.certificate, named.tls.certificate);
  assert.match(foreign.lines.join(''), 'so the server cannot renew it');
  for (const line of [...late.lines, ...other.lines, ...foreign.lines]) assert.not.match(line, 'PRIVATE KEY');

  const { resourceVersion: _, ...metadata } = unmanaged.metadata;
  const data = { 'tls.crt': unmanaged.data['tls.crt'] };
  cluster.sim.objects.update({ ...unmanaged, metadata, data } as unknown as SimObject);
  await loading(cluster)
    .load()
    .then(
      () => assert.unreachable(),
      (error: Error) =>
        assert.match(errorMessage(error), `Secret ${SERVER_SECRET} has no key tls.key. Add it, or delete`),
    );
  assert.ok(secret(cluster, ROOT_SECRET) && secret(cluster, SIGNING_SECRET));
});

test('a running server serves renewed certificates, and reports the expiry of each', async () => {
  await using cluster = await startBareCluster();
  const { options, load } = loading(cluster);
  const authorities = await load();
  const metrics = createMetrics();
  const expiry = metrics.gauge({ name: 'expiry', help: 'h', labels: ['certificate'] });
  const served: string[] = [];
  const later = loading(cluster, 350);
  await using upkeep = new CertificateRotator({
    ...options,
    authorities,
    load: later.load,
    expiry,
    logger: later.options.logger,
    now: later.options.now,
  });
  upkeep.listen(({ tls: { certificate } }) => served.push(certificate));
  assert.match(later.lines.join(''), 'a relay certificate expires soon');
  await upkeep.check();
  await upkeep.check();
  assert.is(served.length, 1);
  assert.is.not(served[0], authorities.tls.certificate);
  assert.match(await metrics.text(), /meshrelay_expiry\{certificate="root"\} \d{10}/);
  await cluster.sim[Symbol.asyncDispose]();
  await upkeep.check();
  assert.match(later.lines.join(''), 'the relay certificates cannot be read');
});

test.run();
