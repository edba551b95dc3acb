/** Rules for the package.json and the README of a package that is published. */
import type { Manifest, PackageFolder } from './manifest.ts';

const REPOSITORY = 'https://github.com/meshrelay/meshrelay';
/** `](target)` of a relative link, which is dead where only the package is. */
const RELATIVE_LINK = /\]\((?![a-z][a-z+.-]*:|#)([^)\s]+)\)/gi;
const CODE = /^```[\s\S]*?^```/gm;
/** The contract, and what a mesh plugin must not need. */
const CONTRACT = '@meshrelay/plugin';
const CORE = '@meshrelay/relay-core';

export interface ManifestContext {
  readonly catalog: Readonly<Record<string, string>>;
  /** Names of the packages that are not published. */
  readonly privates: ReadonlySet<string>;
}

/** One line for each problem, with what to do. */
export function manifestProblems(folder: PackageFolder, context: ManifestContext): readonly string[] {
  const { path, manifest } = folder;
  if (manifest.private === true) return [];
  return [
    ...fieldProblems(path, manifest),
    ...dependencyProblems(manifest, context),
    ...pluginProblems(path, manifest),
    ...readmeProblems(folder),
  ].map((problem) => `${path}: ${problem}`);
}

function fieldProblems(path: string, manifest: Manifest): readonly string[] {
  const expected: ReadonlyArray<readonly [field: string, is: boolean, value: string]> = [
    ['keywords', (manifest.keywords ?? []).length > 0, 'at least one word'],
    [
      'homepage',
      manifest.homepage === `${REPOSITORY}/tree/main/${path}#readme`,
      `${REPOSITORY}/tree/main/${path}#readme`,
    ],
    ['bugs', manifest.bugs === `${REPOSITORY}/issues`, `${REPOSITORY}/issues`],
    ['repository.url', manifest.repository?.url === `git+${REPOSITORY}.git`, `git+${REPOSITORY}.git`],
    ['repository.directory', manifest.repository?.directory === path, path],
    ['license', manifest.license === 'Apache-2.0', 'Apache-2.0'],
    ['scripts.prepack', manifest.scripts?.['prepack']?.startsWith(PREPACK) === true, PREPACK],
    ['publishConfig.access', manifest.publishConfig?.access === 'public', 'public'],
    ['files', leavesOutBuildInfo(manifest), '"!dist/.tsbuildinfo" among its entries'],
    ['sideEffects', manifest.sideEffects === false, 'false'],
    ['engines.node', /^>=\d+/.test(manifest.engines?.['node'] ?? ''), 'a range such as >=24'],
  ];
  return expected.flatMap(([field, is, value]) => (is ? [] : `its package.json needs ${field}: ${value}`));
}

/** The record of the compiler is in `dist`. */
function leavesOutBuildInfo({ files = [] }: Manifest): boolean {
  return !files.includes('dist') || files.includes('!dist/.tsbuildinfo');
}

const PREPACK = 'node ../../scripts/packages/prepack.mjs';

/** A release of one package must not need a release of all others, nor of its libraries. */
function dependencyProblems(
  { dependencies = {}, peerDependencies = {} }: Manifest,
  { catalog, privates }: ManifestContext,
): readonly string[] {
  return Object.entries({ ...dependencies, ...peerDependencies }).flatMap(([name, range]) => {
    if (privates.has(name)) return `it depends on ${name}, which is private; publish that one or do not use it`;
    if (range.startsWith('workspace:'))
      return range === 'workspace:^' ? [] : `its range of ${name} is ${range}; expected workspace:^`;
    const wide = range === 'catalog:' ? (catalog[name] ?? '') : range;
    return wide.startsWith('^') ? [] : `its range of ${name} is ${wide}; expected one that begins with ^`;
  });
}

/** The contract comes from the host, in one version for all plugins. */
function pluginProblems(path: string, { dependencies = {}, peerDependencies = {} }: Manifest): readonly string[] {
  if (!/\/plugin-(?!kit$)/.test(path)) return [];
  return [
    ...(peerDependencies[CONTRACT] === 'workspace:^' ? [] : [`it needs ${CONTRACT} as a peer, workspace:^`]),
    ...[CONTRACT, CORE]
      .filter((name) => Object.hasOwn(dependencies, name))
      .map((name) => `it depends on ${name}; a mesh plugin needs only the contract, as a peer`),
  ];
}

function readmeProblems({ readme }: PackageFolder): readonly string[] {
  if (readme === undefined) return ['it has no README.md'];
  return [...readme.replace(CODE, '').matchAll(RELATIVE_LINK)].map(
    ([, target = '']) => `its README links to ${target}, which npm does not have; link to ${REPOSITORY}/blob/main/...`,
  );
}
