/**
 * `npm run e2e`: the story of an installation on real clusters. This process fetches and builds the programs, then runs
 * the story in a network and processes of its own, and removes what those cannot take with them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { removeCgroups } from './lab/cgroups.ts';
import { missingNat, missingRights } from './lab/rights.ts';
import { prepare } from './story/prepare.ts';

const CLUSTERS = fileURLToPath(new URL('../../.cache/clusters', import.meta.url));
const INNER = fileURLToPath(new URL('story/main.ts', import.meta.url));
/** Everything inside ends with its first process, and that with this one. */
const SPACES = [
  ...['--pdeathsig', 'KILL', 'unshare'],
  ...['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'],
];

const groups = groupsOf(process.pid);
const folder = join(CLUSTERS, String(process.pid));
mkdirSync(folder, { recursive: true });
try {
  process.exitCode = await main();
} catch (error) {
  console.log(`${(error as Error).message}\n0 passed, 1 failed`);
  process.exitCode = 1;
} finally {
  await removeCgroups(groups);
  if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true });
  else console.log(`the clusters' logs are in ${folder}`);
}

function groupsOf(pid: number): string {
  return `meshrelay-${pid}-`;
}

/** Removes what runs left that failed or were killed. */
async function removeEnded(): Promise<void> {
  for (const pid of readdirSync(CLUSTERS).map(Number).filter(hasEnded)) {
    await removeCgroups(groupsOf(pid));
    rmSync(join(CLUSTERS, String(pid)), { recursive: true, force: true });
  }
}

function hasEnded(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

async function main(): Promise<number> {
  let missing = missingRights(folder);
  if (missing.length > 0) return skipped(missing);
  await removeEnded();
  const prepared = await prepare(folder, (line) => console.log(line));
  missing = missingNat(prepared.programs.debian.env);
  if (missing.length > 0) return skipped(missing);
  const plan = join(folder, 'plan.json');
  writeFileSync(plan, JSON.stringify({ ...prepared, folder, groups }));
  const story = spawn('setpriv', [...SPACES, process.execPath, INNER, plan], { stdio: 'inherit' });
  if (process.env['MESHRELAY_KEEP'] === '1')
    console.log(
      `run commands between the clusters: nsenter -t ${story.pid} -n ${prepared.programs.kubernetes} kubectl --kubeconfig=${folder}/kubeconfig`,
    );
  const stop = (): void => void story.kill('SIGKILL');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'] as const) process.once(signal, stop);
  const [code] = (await once(story, 'exit')) as [number | null];
  return code ?? 1;
}

/** CI allows no skipping. */
function skipped(missing: readonly string[]): number {
  for (const line of missing) console.log(`SKIPPED ${line}`);
  const required = process.env['CI'] === 'true';
  console.log(`0 passed, ${required ? missing.length : 0} failed`);
  return required ? 1 : 0;
}
