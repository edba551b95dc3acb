/** The images as they ship: equal from build to build, and running as a cluster runs them. */
import { chmodSync, copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@meshrelay/programs';
import { TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import { startChild } from '@meshrelay/testing/processes';
import { buildImages, type ImageName, imagePrograms } from '../src/mod.ts';
import { NODE_VERSION } from '../src/node-layer.ts';
import { mayEnter, RootFileSystem } from './root-file-system.ts';

const folder = temporaryFolder();
const images = Object.keys(imagePrograms) as readonly ImageName[];
const built = await buildImages({ images, folder: join(folder.path, 'first') });
const systems = new Map(built.map((image) => [image.image, new RootFileSystem(image, join(folder.path, image.image))]));
const enter = mayEnter();

const systemOf = (image: ImageName): RootFileSystem => {
  const system = systems.get(image);
  if (system === undefined) throw new Error(`no image of ${image}`);
  return system;
};

test('a second build has the same digests', async () => {
  const again = await buildImages({ images, folder: join(folder.path, 'again'), cache: join(folder.path, 'cache') });
  assert.equal(
    again.map(({ digest }) => digest),
    built.map(({ digest }) => digest),
  );
  for (const [index, { file }] of again.entries())
    assert.ok(readFileSync(file).equals(readFileSync(built[index]?.file ?? '')), file);
});

test('an image has less than 130 MB of files', () => {
  for (const { image, unpackedBytes } of built) assert.ok(unpackedBytes < 130e6, `${image}: ${unpackedBytes}`);
});

test('images have the Node that runs the tests', () => {
  assert.match(readFileSync(join(ROOT, 'scripts/bootstrap/tools.mjs'), 'utf8'), `nodeTool('${NODE_VERSION}')`);
});

interface Sbom {
  readonly specVersion: string;
  readonly components: readonly { readonly purl: string; readonly licenses: readonly unknown[] }[];
}

for (const image of images) {
  test(`${image}: the SBOM lists exactly the packages that the source maps name`, () => {
    const root = systemOf(image).path;
    const text = readFileSync(join(root, 'usr/share/doc/meshrelay/sbom.cdx.json'), 'utf8');
    assert.is(text, readFileSync(join(folder.path, 'first', `${image}.cdx.json`), 'utf8'));
    const { specVersion, components } = JSON.parse(text) as Sbom;
    assert.is(specVersion, '1.6');
    assert.ok(components.every(({ licenses }) => licenses.length === 1));
    const npm = components.filter(({ purl }) => purl.startsWith('pkg:npm/'));
    const listed = npm.map(({ purl }) => decodeURIComponent(purl.slice('pkg:npm/'.length)));
    const mapped = packagesInMaps(join(root, 'opt/meshrelay'));
    assert.ok(mapped.length > 5, mapped.join(' '));
    assert.equal(listed.toSorted(), mapped);
    const licences = readFileSync(join(root, 'usr/share/doc/meshrelay/licences.txt'), 'utf8').split('\n');
    for (const each of listed)
      assert.ok(
        licences.some((line) => line.startsWith(`${each.replace(/@(?=[^@]*$)/, ' ')}: `)),
        each,
      );
  });

  test(`${image}: labels and user`, () => {
    const { User, Labels } = systemOf(image).config.config;
    assert.is(User, '65532:65532');
    assert.is(Labels['org.opencontainers.image.title'], imagePrograms[image]);
    assert.match(Labels['org.opencontainers.image.revision'] ?? '', /^([0-9a-f]{40}(-dirty)?|unknown)$/);
  });
}

if (enter) {
  for (const image of images)
    test(`${image} --version answers in its root file system`, () => {
      const system = systemOf(image);
      const { stdout, stderr, status } = system.run(system.entrypoint('--version'));
      assert.equal([stderr, status], ['', 0]);
      assert.match(stdout, new RegExp(`^${image} \\d+\\.\\d+\\.\\d+\\ncommit `));
    });

  test('a program runs as 65532 and cannot write to its root file system', () => {
    const system = systemOf('agent');
    const script = `
      const { writeFileSync } = require('node:fs');
      const attempt = (path) => { try { writeFileSync(path, ''); return 'written'; } catch (error) { return error.code; } };
      console.log(process.getuid(), process.getgid(), attempt('/tmp/file'), attempt('/opt/meshrelay/file'));`;
    const { stdout, stderr } = system.run(system.command('/usr/bin/node', '-e', script));
    assert.equal([stdout, stderr], ['65532 65532 EROFS EROFS\n', '']);
  });

  test('certificates are those of Debian', () => {
    const system = systemOf('meshctl');
    const script = `
      const { X509Certificate } = require('node:crypto');
      const pem = require('node:fs').readFileSync(process.env.SSL_CERT_FILE, 'utf8');
      const all = pem.match(/-----BEGIN[^]+?-----END CERTIFICATE-----/g).map((each) => new X509Certificate(each));
      console.log(all.length > 100, all.every((each) => each.ca));`;
    const { stdout, stderr } = system.run(system.command('/usr/bin/node', '-e', script));
    assert.equal([stdout, stderr], ['true true\n', '']);
  });

  const any = '127.0.0.1:0';
  for (const [image, config, started] of [
    [
      'mgmt-server',
      { relay: { listen: any }, http: { listen: any }, health: { listen: any } },
      'management server started',
    ],
    [
      'agent',
      {
        relay: { serverAddress: '127.0.0.1:1', cluster: 'cluster-1' },
        ...Object.fromEntries(['dataPlane', 'peers', 'health', 'stats'].map((key) => [key, { listen: any }])),
      },
      'agent started',
    ],
  ] as const)
    test(`${image} starts in its root file system`, async () => {
      await using cluster = await TestCluster.start();
      const system = systemOf(image);
      const kubeconfig = join(system.configFolder, 'kubeconfig');
      copyFileSync(cluster.kubeconfig, kubeconfig);
      chmodSync(kubeconfig, 0o644);
      const file = { ...config, kubernetes: { kubeconfig: '/etc/meshrelay/kubeconfig' } };
      writeFileSync(join(system.configFolder, 'config.yaml'), JSON.stringify(file), { mode: 0o644 });
      const { program, args, env } = system.entrypoint('--config', '/etc/meshrelay/config.yaml');
      await using child = startChild(program, args, { cwd: '/', env });
      await Promise.race([
        eventually('it logs that it started', () => child.lastWords().includes(`"${started}"`), {
          deadline: 30_000,
          seen: () => child.lastWords(),
        }),
        child.untilItEnds,
      ]);
    });
}

/** `NAME@VERSION` of each package that has code in a folder's bundles, in order. */
function packagesInMaps(bundles: string): readonly string[] {
  const sources = readdirSync(bundles)
    .filter((name) => name.endsWith('.map'))
    .flatMap((name) => (JSON.parse(readFileSync(join(bundles, name), 'utf8')) as { sources: string[] }).sources);
  const folders = sources.map((source) => /\/\.pnpm\/(@?[^@/]+@[^/_]+)/.exec(source)?.[1]);
  return [...new Set(folders.filter((each) => each !== undefined).map((each) => each.replace('+', '/')))].sort();
}

test.run();
