/** `meshctl cluster`: register, list, revoke, readmit, suspend, resume, deregister. */
import type { Command } from 'commander';
import type { DeregisterOptions } from '../online/actions.ts';
import type { ManagementOptions } from '../online/management-options.ts';
import type { RegisterOptions } from '../online/register-command.ts';
import { clusterName, domainName } from './names.ts';
import { collect, durationOption, managementOptions, oneOf } from './options.ts';
import { addRbac } from './rbac.ts';

export function addCluster(program: Command): void {
  const cluster = program.command('cluster').summary('register, list and revoke clusters');
  managementOptions(
    cluster
      .command('register')
      .argument('<name>', '', clusterName)
      .summary('register a cluster, so that its agent can connect')
      .description(
        'Creates in a cluster the root CA and a one-time token that its agent needs to connect. Then waits for the client certificate of the agent.',
      ),
    'namespace of the server and the agent',
  )
    .option('--kubeconfig <FILE>', 'kubeconfig of the cluster to register')
    .option(
      '--context <NAME>',
      'context of the cluster; this or --kubeconfig is required if the current context is the management cluster',
    )
    .option('--cluster-domain <DOMAIN>', 'DNS domain of its Services, if it is not cluster.local', domainName)
    .addOption(durationOption('--token-ttl', 'lifetime of the token: 1h, at most 24h'))
    .option('--replace', 'register even if the cluster has a valid certificate, and revoke that certificate')
    .option(
      '--direct <FILE>',
      'connect without an agent: the server reaches the cluster by this kubeconfig, which must not refer to files or commands',
    )
    .option('--plugin <MODULE>', 'with --direct: an additional mesh plugin of the server (repeatable)', collect, [])
    .addOption(durationOption('--timeout', 'how long to wait until the cluster is connected; 0s not to wait', '2m'))
    .addHelpText(
      'after',
      '\nExample:\n  meshctl cluster register cluster-1 --mgmt-context mgmt --context east\n  meshctl cluster register cluster-2 --mgmt-context mgmt --direct west.yaml',
    )
    .action(async (name: string, options: RegisterOptions) =>
      (await import('../online/actions.ts')).register(name, options),
    );
  managementOptions(
    cluster
      .command('list')
      .summary('show the registered clusters and whether their agents are connected')
      .description(
        'Lists each KubernetesCluster with its state and the server replica its agent is connected to (in brackets: the last one). OUTPUTS is current if the agent acknowledged all outputs, else it names the reason. INPUTS is the newest change of the cluster that the server has, as agent term/number. LAG is the delay of outputs and inputs. LAST HEARD is the time of the last contact.\nIf no server leads, every cluster is UNKNOWN and the command exits 2.',
      ),
  )
    .addHelpText('after', '\nExample:\n  meshctl cluster list --mgmt-context mgmt')
    .action(async (options: ManagementOptions) => (await import('../online/actions.ts')).list(options));
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
  addRbac(cluster);
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
