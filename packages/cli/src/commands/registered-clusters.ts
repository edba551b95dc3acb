/** Commands of `meshctl cluster` for clusters that are registered. */
import type { Command } from 'commander';
import type { DeregisterOptions, ListOptions } from '../online/actions.ts';
import type { ManagementOptions } from '../online/management.ts';
import { clusterName } from './names.ts';
import { durationOption, listOption, managementOptions, oneOf } from './options.ts';

export function addList(cluster: Command): void {
  managementOptions(
    cluster
      .command('list')
      .summary('show the registered clusters and whether their agents are connected')
      .description(
        'Lists each KubernetesCluster with its state and the server replica its agent is connected to (in brackets: the last one). OUTPUTS is current if the agent acknowledged all outputs, else it names the reason. INPUTS is the newest change of the cluster that the server has, as agent term/number. LAG is the delay of outputs and inputs. LAST CONNECTED is the time at which the agent was last connected.\nIf no server leads, every cluster is UNKNOWN and the command exits 2.',
      ),
  )
    .addOption(listOption())
    .addHelpText('after', '\nExamples:\n  meshctl cluster list --context mgmt\n  meshctl cluster list -o wide')
    .action(async (options: ListOptions) => (await import('../online/actions.ts')).list(options));
}

export function addRevoke(cluster: Command): void {
  managementOptions(
    cluster
      .command('revoke')
      .argument('<name>', '', clusterName)
      .summary('revoke the identity of a cluster’s agent')
      .description(
        'Revokes every certificate and token of a cluster. The server disconnects its agent within five seconds; the agent can neither reconnect nor renew. Applied objects stay. To connect the cluster again, register it again.',
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
      .summary('accept certificates of your own issuer again for a revoked cluster')
      .description(
        'For clusters whose certificates come from your own issuer (relay.clientIdentity): accepts a certificate that was issued after the revocation. Issue one first; older certificates stay revoked. If the relay issued the certificate of the cluster, register the cluster again instead.',
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
      .summary('suspend a cluster, so that the server no longer waits for it')
      .description(
        'Stops sending changes to the cluster, and safe mode no longer waits for it. Its objects stay, and the last state it sent remains an input. For a cluster that is lost or must not be changed. Audited.',
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
      .summary('resume a suspended cluster')
      .description('Ends meshctl cluster suspend. The server sends all changes since then. Audited.'),
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
        'Deletes all generated objects from the cluster (--mode drain), revokes the identity of its agent and deletes its KubernetesCluster. Objects in other clusters that depend on it are deleted, too. With --mode orphan the generated objects stay in the cluster. --mode force does the same without waiting, for a cluster that will not come back. The command first lists what it removes and asks for confirmation. Audited.',
      ),
  )
    .option(
      '--mode <drain|orphan|force>',
      'whether generated objects are deleted from the cluster',
      oneOf('drain', 'orphan', 'force'),
      'drain',
    )
    .option('-y, --yes', 'do not ask for confirmation; required without a terminal')
    .addOption(durationOption('--timeout', 'how long draining may take', '5m'))
    .addHelpText(
      'after',
      '\nExample:\n  meshctl cluster deregister cluster-1\n  meshctl cluster deregister cluster-2 --mode force --yes',
    )
    .action(async (name: string, options: DeregisterOptions) =>
      (await import('../online/actions.ts')).deregister(name, options),
    );
}
