/** The archive of an image of a few files, as container engines read it. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { writeImage } from '../src/mod.ts';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** Writes an image of a program and a file, and unpacks the archive. */
async function unpacked(folder: string, name: string) {
  const sources = { program: join(folder, 'program'), data: join(folder, 'data'), link: join(folder, 'link') };
  writeFileSync(sources.program, '#!/bin/sh\n');
  chmodSync(sources.program, 0o755);
  writeFileSync(sources.data, 'data');
  chmodSync(sources.data, 0o600);
  symlinkSync(sources.data, sources.link);
  const image = {
    name,
    file: 'tool',
    files: [
      ['bin/tool', sources.program],
      ['etc/data', sources.link],
    ],
    config: { Entrypoint: ['/bin/tool'] },
  } as const;
  const archive = await writeImage(image, folder);
  const out = join(folder, 'out');
  mkdirSync(out);
  execFileSync('tar', ['-xf', archive, '-C', out]);
  const json = (path: string) => JSON.parse(readFileSync(join(out, path), 'utf8'));
  const blob = ({ digest, size }: Descriptor) => {
    const path = `blobs/${digest.replace(':', '/')}`;
    const bytes = readFileSync(join(out, path));
    assert.is(`sha256:${createHash('sha256').update(bytes).digest('hex')}`, digest);
    assert.is(bytes.length, size);
    return path;
  };
  return { archive, out, json, blob };
}

test('the layer has the files, those behind links too, and programs stay executable', async () => {
  using folder = temporaryFolder();
  const { archive, out, json, blob } = await unpacked(folder.path, 'localhost/tool:1');
  assert.is(archive, join(folder.path, 'tool.tar'));
  const manifest = json(blob(json('index.json').manifests[0]));
  const config = json(blob(manifest.config));
  assert.equal([config.architecture, config.os, config.config], ['amd64', 'linux', { Entrypoint: ['/bin/tool'] }]);
  const [layer] = manifest.layers as [Descriptor];
  assert.is(layer.mediaType, 'application/vnd.oci.image.layer.v1.tar');
  assert.equal(config.rootfs.diff_ids, [layer.digest]);
  const root = join(folder.path, 'root');
  mkdirSync(root);
  execFileSync('tar', ['-xf', join(out, blob(layer)), '-C', root]);
  assert.is(readFileSync(join(root, 'etc/data'), 'utf8'), 'data');
  assert.is(statSync(join(root, 'bin/tool')).mode & 0o777, 0o755);
  assert.is(statSync(join(root, 'etc/data')).mode & 0o777, 0o644);
  assert.equal(json('manifest.json'), [
    { Config: blob(manifest.config), RepoTags: ['localhost/tool:1'], Layers: [blob(layer)] },
  ]);
});

for (const [name, full, tag] of [
  ['localhost/tool:1', 'localhost/tool:1', '1'],
  ['docker.io/istio/pilot:1.28.0', 'docker.io/istio/pilot:1.28.0', '1.28.0'],
  ['example.com:5000/tool:2', 'example.com:5000/tool:2', '2'],
  ['meshrelay/agent:0.1.0', 'docker.io/meshrelay/agent:0.1.0', '0.1.0'],
] as const)
  test(`containerd calls ${name} ${full}`, async () => {
    using folder = temporaryFolder();
    const { json } = await unpacked(folder.path, name);
    assert.equal(json('index.json').manifests[0].annotations, {
      'io.containerd.image.name': full,
      'org.opencontainers.image.ref.name': tag,
    });
  });

test.run();
