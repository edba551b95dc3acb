/** The cluster that an installation changes. */
import type { KubeConnection } from '@meshrelay/kube';
import { connectTo, kubeconfigFile } from '../online/connect.ts';
import type { HelmCluster } from './helm.ts';

export interface TargetOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace: string;
  /** Timeout of one request, in milliseconds. */
  readonly requestTimeout: number;
}

/** A connection, and how Helm makes the same one. */
export interface Target extends HelmCluster {
  readonly connection: KubeConnection;
}

/** @throws InputError */
export function targetOf({ kubeconfig, context, namespace, requestTimeout: timeout }: TargetOptions): Target {
  const choice = { kubeconfig, context, option: '--kubeconfig', timeout };
  const connection = connectTo(choice);
  return { connection, kubeconfig: kubeconfigFile(choice), context: connection.context, namespace };
}

/** Such as `context west (https://…)`. */
export function describeTarget({ connection, context }: Pick<Target, 'connection' | 'context'>): string {
  return `context ${context} (${connection.server})`;
}
