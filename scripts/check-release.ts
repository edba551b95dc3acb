/**
 * Builds a release as `npm run release` does, without images; publishes it to an empty registry on loopback, and uses
 * what is there: meshctl and access-log-sink by npx, and a mesh plugin by npm create, whose tests pass. `--keep` leaves
 * the folder, and prints its path.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startLocalRegistry } from './release/local-registry.ts';
import { publishPackages } from './release/publish.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'meshrelay-dry-run-'));
const release = join(folder, 'release');
const run = promisify(execFile);
const problems: string[] = [];
let checks = 0;

try {
  await dryRun();
} catch (error) {
  const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
  problems.push(`${(error as Error).message}\n${stdout}${stderr}`);
} finally {
  if (process.argv.includes('--keep')) console.log(folder);
  else rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
console.log(`${checks} passed, ${problems.length} failed`);

async function dryRun(): Promise<void> {
  const program = join(root, 'scripts/release/main.ts');
  await timed('build', run(process.execPath, [program, '--out', release, '--without-images']));
  const { version } = JSON.parse(readFileSync(join(release, 'release.json'), 'utf8')) as { readonly version: string };
  check('files with another checksum', wrongSums().length, 0);

  await using registry = await startLocalRegistry(join(folder, 'registry'));
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, '.npmrc'), registry.npmrc);
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
  const publication = { folder: release, cwd: project, options: ['--provenance=false'], print: () => undefined };
  const published = await timed('publish', publishPackages(publication));
  check('packages that are published', published > 10, true);
  check('packages that are published again', await timed('publish again', publishPackages(publication)), 0);

  const npm = npmIn(project);
  const meshctl = await timed('npx', npm('exec', '--yes', `@meshrelay/cli@${version}`, '--', 'version'));
  check('npx @meshrelay/cli version', meshctl.split('\n')[0], `meshctl ${version}`);
  await timed('install', npm('install', '--ignore-scripts', `@meshrelay/access-log-sink@${version}`));
  const sink = await run(join(project, 'node_modules/.bin/access-log-sink'), ['--version']);
  check('access-log-sink --version', sink.stdout.split('\n')[0], `access-log-sink ${version}`);

  await timed('create', npm('create', '--yes', `@meshrelay/mesh-plugin@${version}`, 'my-mesh'));
  const created = join(project, 'my-mesh');
  writeFileSync(join(created, '.npmrc'), registry.npmrc);
  const inCreated = npmIn(created);
  await timed('install', inCreated('install', '--ignore-scripts'));
  const tests = await timed('test', inCreated('test'));
  check('tests of a new mesh plugin', /^. fail 0$/m.test(tests) && /^. pass [1-9]/m.test(tests), true);
}

/** Runs npm. Programs of earlier releases with this version must not come from a cache. */
function npmIn(cwd: string): (...args: readonly string[]) => Promise<string> {
  return async (...args) => {
    const cache = args[0] === 'install' ? [] : ['--cache', join(folder, 'cache')];
    const { stdout } = await run('npm', [...args.slice(0, 1), ...cache, ...args.slice(1)], { cwd });
    return stdout;
  };
}

/** Files whose checksum differs. */
function wrongSums(): readonly string[] {
  const lines = readFileSync(join(release, 'SHA256SUMS'), 'utf8').trim().split('\n');
  return lines.filter((line) => {
    const [sum, file = ''] = line.split('  ');
    return (
      createHash('sha256')
        .update(readFileSync(join(release, file)))
        .digest('hex') !== sum
    );
  });
}

function check(what: string, found: unknown, expected: unknown): void {
  if (found === expected) checks += 1;
  else problems.push(`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
}

async function timed<T>(what: string, work: Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work;
  console.log(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}
