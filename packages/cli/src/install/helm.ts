/** Runs the user's Helm. */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { isAtLeast } from '../online/versions.ts';
import { shellLine } from '../output/shell-line.ts';
import { InputError } from '../problem.ts';

/** The first with `--reset-then-reuse-values`. */
const OLDEST = '3.14';
const GET_IT = 'https://helm.sh/docs/intro/install';

export interface HelmRelease {
  readonly name: string;
  readonly namespace: string;
  /** Such as `deployed`, `failed`, `pending-install`. */
  readonly status: string;
  /** Name and version of its chart. */
  readonly chart: string;
  readonly app_version: string;
}

export interface HelmCluster {
  readonly kubeconfig: string;
  readonly context: string;
  readonly namespace: string;
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The options by which Helm connects to a cluster. */
export function clusterFlags({ kubeconfig, context, namespace }: HelmCluster): readonly string[] {
  return ['--kubeconfig', kubeconfig, '--kube-context', context, '--namespace', namespace];
}

/** @throws InputError if Helm is missing or too old */
export async function checkHelm(): Promise<string> {
  const { code, stdout, stderr } = await run(['version', '--template', '{{.Version}}']);
  if (code !== 0) throw new InputError(`helm version failed: ${lastLine(stderr)}`);
  const version = stdout.trim();
  if (isAtLeast(version, OLDEST)) return version;
  throw new InputError(`helm on the PATH has version ${version}, expected ${OLDEST} or later; get it from ${GET_IT}`);
}

/**
 * @returns what Helm printed
 * @throws InputError with the last message of Helm
 */
export async function helm(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  if (code === 0) return stdout;
  throw new InputError(`helm ${args[0]} failed: ${message(stderr)}`);
}

/** All releases of the cluster, in any status. */
export async function releases(cluster: HelmCluster): Promise<readonly HelmRelease[]> {
  const text = await helm(['list', '--all', '--output', 'json', '--all-namespaces', ...clusterFlags(cluster)]);
  return JSON.parse(text) as readonly HelmRelease[];
}

/** Helm's command as a user would write it. */
export function commandLine(args: readonly string[]): string {
  return shellLine(['helm', ...args]);
}

async function run(args: readonly string[]): Promise<Ran> {
  const child = spawn('helm', args, { stdio: ['ignore', 'pipe', 'pipe'], env: process.env });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  try {
    const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    return { code, stdout, stderr };
  } catch (cause) {
    throw new InputError(
      `helm cannot be started (${cause instanceof Error ? cause.message : String(cause)}); meshctl installs charts by Helm ${OLDEST} or later: get it from ${GET_IT}, or run the command that --print-command prints where Helm is`,
      { cause },
    );
  }
}

/** One line. Warnings come before the error. */
function message(stderr: string): string {
  const begin = stderr.lastIndexOf('Error: ');
  return (begin < 0 ? stderr : stderr.slice(begin + 'Error: '.length)).trim().replaceAll(/\s*\n\s*/g, ' ');
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
