/** Expiry of the first root of the virtual meshes, generated or from the user. */
import type { CertificateIssuer, VirtualMesh } from '@meshrelay/api';
import { createLogger, createMetrics, silentLogger } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { MeshRootExpiry } from '../../src/certificates/mesh-root-expiry.ts';
import { virtualMesh } from '../support/discovered.ts';
import { declare, newFleet } from '../support/fleet.ts';

const NOW = new Date('2030-06-15T12:00:00Z');
const days = (count: number): Date => new Date(NOW.getTime() + count * 86_400_000);

function shared(name: string, secret?: string): VirtualMesh {
  const object = virtualMesh(name, ['c1']) as VirtualMesh;
  const rootCertificateAuthority = secret === undefined ? {} : { secret: { name: secret, namespace: 'meshrelay' } };
  return { ...object, spec: { ...object.spec, mtlsConfig: { shared: { rootCertificateAuthority } } } };
}

/** In the server's own form. */
const secretOf = ({ secret, virtualMesh: { name, namespace } }: CertificateIssuer): string =>
  `meshrelay/${secret?.name ?? `${name}.${namespace}`}`;

test('the first expiry of all present roots is reported; the log names a root that cannot be read', async () => {
  const ends = new Map([['made', days(20)]]);
  const known = (issuer: CertificateIssuer) => {
    const name = issuer.secret?.name ?? issuer.virtualMesh.name;
    if (name === 'broken') return Promise.reject(new Error('Secret meshrelay/broken holds no usable root'));
    const notAfter = ends.get(name);
    return Promise.resolve(
      notAfter === undefined ? undefined : ({ authority: { certificate: { notAfter } } } as never),
    );
  };
  const fleet = newFleet();
  const metrics = createMetrics();
  const expiry = metrics.gauge({ name: 'expiry', help: 'Ends.', labels: ['certificate'] });
  const reported = async (): Promise<string | undefined> =>
    /certificate="mesh-root"} (\d+)/.exec(await metrics.text())?.[1];
  const log: string[] = [];
  const logger = createLogger({ name: 'test', level: 'info', destination: { write: (line) => log.push(line) } });
  using looking = new MeshRootExpiry({ fleet, roots: { known, secretOf }, expiry, now: () => NOW, logger });
  await looking.check();
  assert.is(await reported(), undefined, 'without a virtual mesh');

  const plain = virtualMesh('plain', ['c1']);
  await declare(fleet, shared('made'), shared('unmade'), shared('own', 'own'), shared('lost', 'broken'), plain);
  await eventually(
    'the first expiry is reported',
    async () => (await reported()) === String(days(20).getTime() / 1000),
  );
  assert.ok(
    log.some((line) => line.includes('expires soon') && line.includes('"made"')),
    log.join(),
  );
  assert.ok(
    log.some((line) => line.includes('cannot be read') && line.includes('"lost"')),
    log.join(),
  );
  ends.set('own', days(3));
  await looking.check();
  assert.is(await reported(), String(days(3).getTime() / 1000));
  ends.clear();
  await looking.check();
  assert.is(await reported(), undefined, 'none is left');
});

test('a VirtualMesh reports that its root expires before its intermediates, until the root is replaced', async () => {
  const ends = new Map([
    ['own', days(300)],
    ['made', days(365)],
  ]);
  const fails = new Set<string>();
  const known = async (issuer: CertificateIssuer) => {
    const name = issuer.secret?.name ?? issuer.virtualMesh.name;
    if (fails.has(name)) throw new Error('the API server does not answer');
    return { authority: { certificate: { notAfter: ends.get(name) } } } as never;
  };
  const fleet = newFleet();
  const expiry = createMetrics().gauge({ name: 'expiry', help: 'Ends.', labels: ['certificate'] });
  const logger = silentLogger;
  using looking = new MeshRootExpiry({ fleet, roots: { known, secretOf }, expiry, now: () => NOW, logger });
  await declare(fleet, shared('theirs', 'own'), shared('made'));
  const reports = (name: string): string[] =>
    [...fleet.controlPlane.statuses.entries()].flatMap(([, { ref, status }]) =>
      ref.name === name
        ? status.reports.filter(({ code }) => code === 'LIFETIME_SHORTENED').map(({ message }) => message)
        : [],
    );
  const unmanaged =
    'intermediates should be valid for 365 days, but the root that signs them, in Secret meshrelay/own, expires on 2031-04-11T12:00:00.000Z, and an intermediate cannot outlive its root; replace the root, or set fewer days here';
  await looking.check();
  assert.equal([reports('theirs'), reports('made')], [[unmanaged], []]);
  fails.add('own');
  await looking.check();
  assert.equal(reports('theirs'), [unmanaged], 'what is not known now is as it was');
  fails.clear();
  ends.set('own', days(366));
  ends.set('made', days(1));
  await looking.check();
  assert.equal(reports('theirs'), []);
  assert.match(reports('made')[0] ?? '', 'in Secret meshrelay/made.meshrelay, expires on 2030-06-16T12:00:00.000Z');
});

test.run();
