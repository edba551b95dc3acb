/** How online commands reach a cluster. */

import process from 'node:process';
import { connect, type KubeConnection } from '@meshrelay/kube';
import { InputError } from '../problem.ts';

/** Connects by a kubeconfig: the one named, else KUBECONFIG, else the user's own. @throws InputError */
export function connectTo(kubeconfig: string | undefined, context: string | undefined): KubeConnection {
  const file = kubeconfig ?? process.env['KUBECONFIG'] ?? `${process.env['HOME'] ?? ''}/.kube/config`;
  try {
    return connect({ file }, context === undefined ? {} : { context });
  } catch (cause) {
    throw new InputError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
