/** jsr.json names what package.json names. */
import { assert, test } from '@meshrelay/testing';
import { jsrManifest, jsrProblem } from '../../packages/jsr.ts';
import type { Manifest, PackageFolder } from '../../packages/manifest.ts';

const RANGES = { catalog: { zod: '^4.6.7' }, versions: new Map([['@meshrelay/plugin', '1.2.0']]) };

function folder(name: string): PackageFolder {
  const manifest = {
    name: `@meshrelay/${name}`,
    version: '0.3.0',
    license: 'Apache-2.0',
    exports: { '.': './src/mod.ts', './crds/*.yaml': './crds/*.yaml' },
    dependencies: { zod: 'catalog:' },
    peerDependencies: { '@meshrelay/plugin': 'workspace:^', other: '^2.0.0' },
  } as Manifest;
  return { path: `packages/${name}`, manifest, readme: undefined };
}

test('it has the version, the modules and the ranges', () => {
  assert.equal(JSON.parse(jsrManifest(folder('api'), RANGES) ?? ''), {
    name: '@meshrelay/api',
    version: '0.3.0',
    license: 'Apache-2.0',
    exports: { '.': './src/mod.ts' },
    imports: { '@meshrelay/plugin': 'jsr:@meshrelay/plugin@^1.2.0', other: 'npm:other@^2.0.0', zod: 'npm:zod@^4.6.7' },
    publish: { include: ['README.md', 'src/**/*.ts'] },
  });
});

test('a program is not on JSR, and a file of it is reported, as is one that differs', () => {
  const cli = folder('cli');
  assert.is(jsrManifest(cli, RANGES), undefined);
  assert.equal(jsrProblem(cli, undefined, undefined), []);
  assert.match(jsrProblem(cli, '{}', undefined).join(), /packages\/cli\/jsr\.json: .* delete the file/);
  assert.match(jsrProblem(folder('api'), '{}', '{"a":1}').join(), /packages\/api\/jsr\.json: .*--update/);
});

test.run();
