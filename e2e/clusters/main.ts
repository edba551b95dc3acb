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
import { type DebianPrograms, debianPrograms } from './lab/debian-programs.ts';
import { isolation, missingForAll, missingForKubelets, missingNat } from './lab/rights.ts';
import { prepare } from './story/prepare.ts';

const CLUSTERS = fileURLToPath(new URL('../../.cache/clusters', import.meta.url));
const INNER = fileURLToPath(new URL('story/main.ts', import.meta.url));
/** Everything inside ends with its first process, and that with this one. */
const WITH_US = ['--pdeathsig', 'KILL', 'unshare'];
const ISOLATION =
  'no isolation for processes either: unshare is refused, as root and with user namespaces (kernel.unprivileged_userns_clone, user.max_user_namespaces)';

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

/** How pods of the clusters run. */
interface Nodes {
  /** Undefined if they run as processes. */
  readonly debian?: DebianPrograms;
  /** Why no kubelet runs. */
  readonly missing: readonly string[];
}

async function main(): Promise<number> {
  const missing = missingForAll(folder);
  if (missing.length > 0) return skipped(missing);
  const spaces = isolation();
  const nodes = await nodesHere();
  if (spaces === undefined) return skipped([...nodes.missing, ISOLATION]);
  await removeEnded();
  for (const line of nodes.missing) console.log(`no kubelet can run: ${line}`);
  if (nodes.debian === undefined) console.log("the pods of the charts' Deployments run as processes instead");
  const prepared = await prepare(folder, (line) => console.log(line));
  const plan = join(folder, 'plan.json');
  writeFileSync(plan, JSON.stringify({ ...prepared, debian: nodes.debian, folder, groups }));
  const story = spawn('setpriv', [...WITH_US, ...spaces, process.execPath, INNER, plan], { stdio: 'inherit' });
  if (process.env['MESHRELAY_KEEP'] === '1')
    console.log(
      `run commands between the clusters: nsenter -t ${story.pid} -n ${prepared.programs.kubernetes} kubectl --kubeconfig=${folder}/kubeconfig`,
    );
  const stop = (): void => void story.kill('SIGKILL');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'] as const) process.once(signal, stop);
  const [code] = (await once(story, 'exit')) as [number | null];
  return code ?? 1;
}

/** With kubelets if this machine has the rights and the user does not choose processes. */
async function nodesHere(): Promise<Nodes> {
  const pods = process.env['MESHRELAY_PODS'] ?? '';
  if (pods === 'processes') return { missing: ['MESHRELAY_PODS=processes is set'] };
  if (pods !== '') throw new Error(`MESHRELAY_PODS is ${JSON.stringify(pods)}; expected processes, or no value`);
  const missing = missingForKubelets(folder);
  if (missing.length > 0) return { missing };
  const debian = await debianPrograms((line) => console.log(line));
  const nat = missingNat(debian.env);
  return nat.length > 0 ? { missing: nat } : { debian, missing: [] };
}

/** CI allows no skipping. */
function skipped(missing: readonly string[]): number {
  for (const line of missing) console.log(`SKIPPED ${line}`);
  const required = process.env['CI'] === 'true';
  console.log(`0 passed, ${required ? missing.length : 0} failed`);
  return required ? 1 : 0;
}
