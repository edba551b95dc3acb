/** Connects with a kubeconfig, or with the in-cluster configuration of a pod. */
import { readFileSync, statSync } from 'node:fs';
import process from 'node:process';
import { KubeError } from '../errors.ts';
import { KubeConnection } from './kube-connection.ts';
import { PooledKubeConfig } from './pooled-kube-config.ts';

/** Source of the address and credential of a cluster. */
export type KubeSource =
  /** A kubeconfig file; paths in it are relative to its folder, exec plugins run. */
  | { readonly file: string }
  /** The text of a kubeconfig, as in a Secret. It must not name a command or a file of this machine. */
  | { readonly text: string }
  /** The ServiceAccount of the pod this process runs in. */
  | { readonly inCluster: true };

/** Options of a connection. */
export interface ConnectOptions {
  /** A context of the kubeconfig; its current one by default. */
  readonly context?: string;
  /** Timeout in milliseconds of a request other than a watch; 30,000 by default. */
  readonly timeout?: number;
  /**
   * Name of this replica, sent in the `User-Agent`. The cluster's audit log thus distinguishes replicas with the same
   * credential.
   */
  readonly replica?: string;
}

/**
 * Prepares a connection; nothing is sent before the first request.
 * @throws KubeError RELAY_E_KUBE_CONFIG when the source is unusable
 */
export function connect(source: KubeSource, options: ConnectOptions = {}): KubeConnection {
  const config = new PooledKubeConfig();
  const where = 'file' in source ? source.file : 'text' in source ? 'inline kubeconfig' : 'in-cluster configuration';
  load(config, source, where);
  if (options.context !== undefined) config.setCurrentContext(options.context);
  checkContext(config, where);
  if ('text' in source) refuseLocalReferences(config, where);
  // The client joins server and path as text.
  for (const cluster of config.clusters) Object.assign(cluster, { server: cluster.server.replace(/\/+$/, '') });
  const { timeout, replica } = options;
  return new KubeConnection(config, {
    ...(timeout === undefined ? {} : { timeout }),
    ...(replica === undefined ? {} : { replica }),
  });
}

function load(config: PooledKubeConfig, source: KubeSource, where: string): void {
  try {
    if ('file' in source) {
      // Read first: on some runtimes the client reports a missing file without its name. A path that is not a regular
      // file may be endless.
      if (!statSync(source.file).isFile()) throw new Error('it is not a file');
      readFileSync(source.file);
      config.loadFromFile(source.file);
    } else if ('text' in source) {
      config.loadFromString(source.text);
    } else {
      config.loadFromCluster();
    }
  } catch (cause) {
    const place = yamlFault(cause);
    const reason = place ?? (cause instanceof Error ? cause.message : String(cause));
    const safeCause = place === undefined ? cause : undefined;
    throw configError(where, `cannot be read as a kubeconfig (${reason})`, 'give a valid one', safeCause);
  }
  if ('inCluster' in source && process.env['KUBERNETES_SERVICE_HOST'] === undefined) {
    throw configError(where, 'KUBERNETES_SERVICE_HOST is not set', 'run in a pod or give a kubeconfig');
  }
}

/** Position and reason of invalid YAML. The parser's own error quotes the text, including tokens and keys. */
function yamlFault(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || cause.name !== 'YAMLException') return undefined;
  const { reason, mark } = cause as { reason?: unknown; mark?: { readonly line: number; readonly column: number } };
  // Some reasons include a quoted word of the text.
  const why = typeof reason === 'string' && /^[a-z ;,-]+$/i.test(reason) ? reason : 'not valid YAML';
  return mark === undefined ? why : `line ${mark.line + 1}, column ${mark.column + 1}: ${why}`;
}

function checkContext(config: PooledKubeConfig, where: string): void {
  const known = config.contexts.map(({ name }) => name);
  const current = config.getCurrentContext();
  if (!known.includes(current)) {
    const named = current === undefined ? 'no current context is set' : `context ${current} does not exist`;
    throw configError(where, named, known.length === 0 ? 'add one' : `choose one of ${known.join(', ')}`);
  }
  const cluster = config.getCurrentCluster();
  if (!cluster?.server) {
    throw configError(where, `context ${current} names no cluster with a server`, 'add the cluster');
  }
  if (config.getCurrentUser() === null) throw configError(where, `context ${current} names no user`, 'add the user');
  if (cluster.server.startsWith('http:') && !cluster.skipTLSVerify) {
    const next = 'use https, or set insecure-skip-tls-verify on a test cluster';
    throw configError(where, `cluster ${cluster.name} is plain http`, next);
  }
}

/** A kubeconfig of another origin must not run commands here or read files of this machine. */
function refuseLocalReferences(config: PooledKubeConfig, where: string): void {
  const user = config.getCurrentUser();
  const cluster = config.getCurrentCluster();
  const found = [
    user?.exec && 'an exec plugin',
    user?.authProvider && 'an auth provider',
    user?.certFile && 'client-certificate',
    user?.keyFile && 'client-key',
    cluster?.caFile && 'certificate-authority',
  ].filter((reference) => typeof reference === 'string');
  if (found.length === 0) return;
  const next = 'put certificates in as *-data and use a token or client certificate';
  throw configError(where, `refers to this machine (${found.join(', ')})`, next);
}

function configError(where: string, what: string, next: string, cause?: unknown): KubeError {
  return new KubeError('RELAY_E_KUBE_CONFIG', `${where}: ${what}`, { next, cause });
}
