/** Commands of `meshctl cluster` for clusters that are registered. */
import type { Command } from 'commander';
import type { DeregisterOptions } from '../online/actions.ts';
import type { ManagementOptions } from '../online/management.ts';
import { clusterName } from './names.ts';
import { durationOption, managementOptions, oneOf } from './options.ts';

export function addList(cluster: Command): void {
  managementOptions(
    cluster
      .command('list')
      .summary('show the registered clusters and whether their agents are connected')
      .description(
        'Shows each KubernetesCluster as the server judges it, and the server replica its agent is connected to (in brackets: was last). OUTPUTS is current where it has acknowledged all that it is to have, else why not; INPUTS is the newest change of the cluster that the server has, as term of the agent/number; LAG, how far what is sent to it and what it tells are behind; LAST HEARD, since when it is away.\nWhile no server is at work nobody knows how clusters stand: they are UNKNOWN, and the command exits 2.',
      ),
  )
    .addHelpText('after', '\nExample:\n  meshctl cluster list --mgmt-context mgmt')
    .action(async (options: ManagementOptions) => (await import('../online/actions.ts')).list(options));
}

export function addRevoke(cluster: Command): void {
  managementOptions(
    cluster
      .command('revoke')
      .argument('<name>', '', clusterName)
      .summary('end the identity of a cluster’s agent')
      .description(
        'Revokes every certificate and token of a cluster. Its agent is cut off within five seconds and neither connects nor renews again; what it has applied stays. To come back it is registered anew.',
      ),
  )
    .addHelpText('after', '\nExample:\n  meshctl cluster revoke cluster-1')
    .action(async (name: string, options: ManagementOptions) =>
      (await import('../online/actions.ts')).revoke(name, options),
    );
}

export function addReadmit(cluster: Command): void {
  managementOptions(
    cluster
      .command('readmit')
      .argument('<name>', '', clusterName)
      .summary('take a revoked cluster’s certificates of your own issuer again')
      .description(
        'For clusters whose certificates an issuer of yours makes (relay.clientIdentity): one that was revoked is let in again with a certificate made since. Have the issuer make one first; those before stay revoked. A cluster with a certificate of the relay is registered again instead.',
      ),
  )
    .addHelpText('after', '\nExample:\n  meshctl cluster readmit cluster-1')
    .action(async (name: string, options: ManagementOptions) =>
      (await import('../online/actions.ts')).readmit(name, options),
    );
}

export function addSuspend(cluster: Command): void {
  managementOptions(
    cluster
      .command('suspend')
      .argument('<name>', '', clusterName)
      .summary('go on without a cluster')
      .description(
        'Nothing is sent to the cluster any more, and safe mode does not wait for it; what it has stays, and what it told last still counts. For a cluster that is lost, or must not be touched. Audited.',
      ),
  )
    .addHelpText('after', '\nExample:\n  meshctl cluster suspend cluster-1')
    .action(async (name: string, options: ManagementOptions) =>
      (await import('../online/actions.ts')).suspend(name, true, options),
    );
}

export function addResume(cluster: Command): void {
  managementOptions(
    cluster
      .command('resume')
      .argument('<name>', '', clusterName)
      .summary('take a suspended cluster up again')
      .description('Ends meshctl cluster suspend. What changed meanwhile is sent. Audited.'),
  )
    .addHelpText('after', '\nExample:\n  meshctl cluster resume cluster-1')
    .action(async (name: string, options: ManagementOptions) =>
      (await import('../online/actions.ts')).suspend(name, false, options),
    );
}

export function addDeregister(cluster: Command): void {
  managementOptions(
    cluster
      .command('deregister')
      .argument('<name>', '', clusterName)
      .summary('end the registration of a cluster')
      .description(
        'Removes everything of ours from the cluster (--mode drain), revokes the identity of its agent and deletes its KubernetesCluster; then what other clusters have because of it goes. With --mode orphan what the cluster has stays there; --mode force is that for a cluster that will not come back, and waits for nothing. Says first what will be removed, and asks. Audited.',
      ),
  )
    .option(
      '--mode <drain|orphan|force>',
      'what becomes of what the cluster has',
      oneOf('drain', 'orphan', 'force'),
      'drain',
    )
    .option('-y, --yes', 'do not ask; needed where there is no terminal to ask at')
    .addOption(durationOption('--timeout', 'how long draining may take', '5m'))
    .addHelpText(
      'after',
      '\nExample:\n  meshctl cluster deregister cluster-1\n  meshctl cluster deregister cluster-2 --mode force --yes',
    )
    .action(async (name: string, options: DeregisterOptions) =>
      (await import('../online/actions.ts')).deregister(name, options),
    );
}
