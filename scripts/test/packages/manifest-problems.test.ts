/** What is wrong with the package.json and the README of a public package. */
import { assert, test } from '@meshrelay/testing';
import type { Manifest, PackageFolder } from '../../packages/manifest.ts';
import { manifestProblems } from '../../packages/manifest-problems.ts';

const REPOSITORY = 'https://github.com/meshrelay/meshrelay';
const CONTEXT = { catalog: { zod: '^4.6.7', pinned: '1.0.0' }, privates: new Set(['@meshrelay/agent']) };

const MANIFEST: Manifest = {
  name: '@meshrelay/api',
  version: '0.0.0',
  keywords: ['kubernetes'],
  homepage: `${REPOSITORY}/tree/main/packages/api#readme`,
  bugs: `${REPOSITORY}/issues`,
  repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: 'packages/api' },
  license: 'Apache-2.0',
  scripts: { prepack: 'node ../../scripts/packages/prepack.mjs' },
  publishConfig: { access: 'public' },
  files: ['dist', '!dist/.tsbuildinfo'],
  sideEffects: false,
  engines: { node: '>=24' },
  dependencies: { zod: 'catalog:', '@meshrelay/kube': 'workspace:^' },
};

function problemsOf(changes: Partial<Manifest>, folder: Partial<PackageFolder> = {}): readonly string[] {
  return manifestProblems(
    { path: 'packages/api', readme: '# api', ...folder, manifest: { ...MANIFEST, ...changes } },
    CONTEXT,
  );
}

test('a complete package has no problem', () => assert.equal(problemsOf({}), []));

test('a private package needs nothing', () => {
  assert.equal(
    manifestProblems(
      { path: 'packages/x', readme: undefined, manifest: { name: 'x', version: '0', private: true } },
      CONTEXT,
    ),
    [],
  );
});

for (const [what, changes, words] of [
  ['keywords', { keywords: [] }, 'needs keywords'],
  [
    'another directory',
    { repository: { ...MANIFEST.repository, directory: 'packages/b' } as never },
    'repository.directory: packages/api',
  ],
  ['no build', { scripts: {} }, 'scripts.prepack'],
  ['build information', { files: ['dist'] }, '!dist/.tsbuildinfo'],
  ['no range of Node', { engines: {} }, 'engines.node'],
  ['an exact workspace range', { dependencies: { '@meshrelay/kube': 'workspace:*' } }, 'expected workspace:^'],
  ['an exact library', { dependencies: { pinned: 'catalog:' } }, 'range of pinned is 1.0.0'],
  ['a private dependency', { dependencies: { '@meshrelay/agent': 'workspace:^' } }, 'which is private'],
] as const) {
  test(`${what} is reported`, () => {
    const problems = problemsOf(changes);
    assert.is(problems.length, 1, problems.join('\n'));
    assert.ok(problems[0]?.startsWith('packages/api: ') && problems[0].includes(words), problems[0]);
  });
}

test('the package of a program puts the program into its dist', () => {
  const scripts = { prepack: `${MANIFEST.scripts?.['prepack']} meshctl` };
  assert.equal(problemsOf({ scripts, files: ['dist/meshctl', 'man'] }), []);
});

test('a mesh plugin has the contract as a peer and does not depend on the core', () => {
  const dependencies = { '@meshrelay/relay-core': 'workspace:^' };
  const repository = { type: 'git', url: `git+${REPOSITORY}.git`, directory: 'packages/plugin-istio' };
  const homepage = `${REPOSITORY}/tree/main/packages/plugin-istio#readme`;
  assert.equal(problemsOf({ dependencies, repository, homepage }, { path: 'packages/plugin-istio' }), [
    'packages/plugin-istio: it needs @meshrelay/plugin as a peer, workspace:^',
    'packages/plugin-istio: it depends on @meshrelay/relay-core; a mesh plugin needs only the contract, as a peer',
  ]);
});

test('a README with relative links, or none, is reported; code and headings are not', () => {
  assert.match(problemsOf({}, { readme: 'see [docs](../../docs/a.md)' }).join(), /links to \.\.\/\.\.\/docs\/a\.md/);
  assert.match(problemsOf({}, { readme: undefined }).join(), /has no README\.md/);
  assert.equal(problemsOf({}, { readme: '[a](https://a.example) [b](#b)\n```ts\n[c](d)\n```\n' }), []);
});

test.run();
