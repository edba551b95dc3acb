/** Modules in images: a registry with and without users, and attacks by registries (T26). */
import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { assert, test } from '@meshrelay/testing';
import { AllowList } from '../../src/wasm/fetch/allow-list.ts';
import { systemResolver } from '../../src/wasm/fetch/pinned-request.ts';
import { moduleOfImage } from '../../src/wasm/oci/image-module.ts';
import { imageName } from '../../src/wasm/oci/image-name.ts';
import { type RegistryUser, userOf } from '../../src/wasm/oci/pull-secret.ts';
import type { RegistryOptions } from '../../src/wasm/oci/registry.ts';
import { type Host, host, MODULE } from './hosts.ts';
import { archive, digestOf, type Registry, registry } from './registry.ts';

const RAW = 'application/vnd.module.wasm.content.layer.v1+wasm';
const OCI_ARCHIVE = 'application/vnd.oci.image.layer.v1.tar+gzip';
const DOCKER_ARCHIVE = 'application/vnd.docker.image.rootfs.diff.tar.gzip';

function options(entries: readonly string[], user?: RegistryUser): RegistryOptions {
  return {
    allowed: new AllowList(entries),
    resolve: systemResolver,
    signal: new AbortController().signal,
    maxBytes: 4096,
    plain: true,
    user,
  };
}

async function rejection(image: string, given: RegistryOptions): Promise<string> {
  try {
    await moduleOfImage(image, given);
  } catch (error) {
    assert.is((error as Error).name, 'ModuleError', (error as Error).stack);
    return (error as Error).message;
  }
  throw new Error(`${image} was read`);
}

const image = ({ authority }: Pick<Host, 'authority'>, rest = ':v1'): string => `${authority}/filters/auth${rest}`;

for (const [what, mediaType, bytes] of [
  ['a layer that is the module', RAW, MODULE],
  ['an archive of an OCI image', OCI_ARCHIVE, gzipSync(archive([['plugin.wasm', MODULE]]))],
  [
    'an archive of a Docker image',
    DOCKER_ARCHIVE,
    gzipSync(
      archive([
        ['./etc/a', Buffer.from('b')],
        ['./plugin.wasm', MODULE],
      ]),
    ),
  ],
] as const)
  test(`the module is in ${what}`, async () => {
    await using images = await registry({ layers: [{ mediaType, bytes }] });
    assert.equal(Buffer.from(await moduleOfImage(image(images), options([images.entry]))), MODULE);
  });

test('the last archive counts, since it is on top', async () => {
  const other = Buffer.concat([MODULE, Buffer.from([0])]);
  const layers = [MODULE, other].map((bytes) => ({
    mediaType: OCI_ARCHIVE,
    bytes: gzipSync(archive([['plugin.wasm', bytes]])),
  }));
  await using images = await registry({ layers });
  assert.equal(Buffer.from(await moduleOfImage(image(images), options([images.entry]))), other);
});

test('an image by its digest is exactly that image', async () => {
  await using images = await registry({ layers: [{ mediaType: RAW, bytes: MODULE }] });
  const given = options([images.entry]);
  assert.equal(Buffer.from(await moduleOfImage(image(images, `@${images.digest}`), given)), MODULE);
  images.manifest = Buffer.from('{"layers":[]}');
  assert.match(await rejection(image(images, `@${images.digest}`), given), /does not match its digest/);
});

test('a layer that does not match its digest is rejected', async () => {
  await using images = await registry({ layers: [{ mediaType: RAW, bytes: MODULE }] });
  images.blobs.set(digestOf(MODULE), Buffer.from('something else'));
  assert.match(await rejection(image(images), options([images.entry])), /does not match its digest/);
});

for (const [what, mediaType, bytes, message] of [
  ['an image without a module', 'application/vnd.oci.image.layer.v1.tar', MODULE, /no layer with a WebAssembly module/],
  ['an archive without it', OCI_ARCHIVE, gzipSync(archive([['other.wasm', MODULE]])), /no file plugin\.wasm/],
  ['bytes that are not an archive', OCI_ARCHIVE, Buffer.from('garbage'), /is not a gzip file/],
  ['an archive that grows without end', OCI_ARCHIVE, gzipSync(Buffer.alloc(3_000_000)), /is bigger than/],
  ['a layer that is too big', RAW, Buffer.alloc(5000), /the limit of the agent is 4096/],
] as const)
  test(`${what} is rejected`, async () => {
    await using images = await registry({ layers: [{ mediaType, bytes }] });
    assert.match(await rejection(image(images), options([images.entry])), message);
  });

test('an index of images is not an image', async () => {
  await using images = await registry({ layers: [] });
  images.manifest = Buffer.from(JSON.stringify({ manifests: [] }));
  assert.match(await rejection(image(images), options([images.entry])), /index of images/);
});

const USER: RegistryUser = { username: 'robot', password: 'pass:word' };

for (const scheme of ['Basic', 'Bearer'] as const) {
  const guarded = (): Promise<Registry> =>
    registry({ layers: [{ mediaType: RAW, bytes: MODULE }], scheme, user: USER });
  test(`a registry that requires a user (${scheme}) receives the user of the Secret`, async () => {
    await using images = await guarded();
    assert.equal(Buffer.from(await moduleOfImage(image(images), options([images.entry], USER))), MODULE);
  });
  test(`without one (${scheme}), or with another, the error names what is needed`, async () => {
    await using images = await guarded();
    assert.match(await rejection(image(images), options([images.entry])), /imagePullSecret/);
    const stranger = { username: 'stranger', password: 'x' };
    assert.match(
      await rejection(image(images), options([images.entry], stranger)),
      /does not allow the user of the imagePullSecret/,
    );
  });
}

test('the token URL is checked like any other', async () => {
  await using images = await registry({
    layers: [],
    scheme: 'Bearer',
    user: USER,
    tokenUrl: 'http://169.254.169.254/token',
  });
  assert.match(await rejection(image(images), options([images.entry], USER)), /add http:\/\/169\.254\.169\.254/);
});

test('any other response of a registry is reported', async () => {
  await using none = await host((_request, response) => response.writeHead(404).end());
  assert.match(
    await rejection(image(none), options([none.entry])),
    /the registry has no image filters\/auth \(v1\) of registry/,
  );
  await using down = await host((_request, response) => response.writeHead(503).end());
  assert.match(await rejection(image(down), options([down.entry])), /returns 503/);
});

test('image names are parsed', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  assert.equal(imageName('r.example.com:5000/a/b:v1'), {
    registry: 'r.example.com:5000',
    repository: 'a/b',
    reference: 'v1',
    pinned: false,
  });
  assert.equal(imageName(`r.example.com/a:v1@${digest}`), {
    registry: 'r.example.com',
    repository: 'a',
    reference: digest,
    pinned: true,
  });
  assert.is(imageName('docker.io/auth:v1').registry, 'registry-1.docker.io');
  assert.is(imageName('docker.io/auth:v1').repository, 'library/auth');
  assert.throws(() => imageName('auth'), /does not name an image/);
});

test('a pull Secret is used only for its own registry, and is never shown', () => {
  const auth = Buffer.from('robot:pass:word').toString('base64');
  const json = JSON.stringify({
    auths: { 'https://r.example.com:5000/v1/': { auth }, 'other.example.com': { username: 'a', password: 'b' } },
  });
  assert.equal(userOf(json, 'r.example.com:5000', 'x/y'), USER);
  assert.equal(userOf(json, 'other.example.com', 'x/y'), { username: 'a', password: 'b' });
  assert.is(userOf(json, 'r.example.com', 'x/y'), undefined);
  assert.is(userOf(json, 'evil-other.example.com', 'x/y'), undefined);
  for (const bad of ['secret-word', '{"auths": "secret-word"}', '{}']) {
    assert.throws(
      () => userOf(bad, 'r', 'x/y'),
      (error: Error) => /Secret x\/y/.test(error.message) && !error.message.includes('secret-word'),
    );
  }
});

test.run();
