/** Connects online commands to a cluster. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { connect, type KubeConnection } from '@meshrelay/kube';
import { InputError } from '../problem.ts';

/** The cluster's options on the command line. */
export interface ClusterChoice {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** The option that names the kubeconfig, for messages. */
  readonly option: string;
  /** Timeout of one request, in milliseconds. */
  readonly timeout: number;
}

/**
 * Connects with a kubeconfig: the named one, else the first existing one of KUBECONFIG, else the user's default.
 * @throws InputError
 */
export function connectTo({ context, timeout, ...choice }: ClusterChoice): KubeConnection {
  const file = kubeconfigFile(choice);
  try {
    return connect({ file }, { timeout, ...(context === undefined ? {} : { context }) });
  } catch (cause) {
    throw new InputError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/**
 * The file that {@link connectTo} reads.
 * @throws InputError if it does not exist
 */
export function kubeconfigFile({ kubeconfig, option }: Pick<ClusterChoice, 'kubeconfig' | 'option'>): string {
  const file = kubeconfig ?? usersOwn(option);
  if (file === '') throw new InputError(`${option} is empty; give the path of a kubeconfig`);
  if (!existsSync(file)) throw new InputError(`no kubeconfig at ${file}; give one with ${option} FILE`);
  return file;
}

function usersOwn(option: string): string {
  const named = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  const candidates = named.length > 0 ? named : [join(homedir(), '.kube', 'config')];
  const found = candidates.find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new InputError(`no kubeconfig at ${candidates.join(', ')}; give one with ${option} FILE`);
}
