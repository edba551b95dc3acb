/** `meshctl cluster rbac`. */
import type { Command } from 'commander';
import type { RbacOptions } from '../offline/rbac.ts';
import { namespacedName, namespaceName, objectName } from './names.ts';
import { collect, manifestOption, repeated } from './options.ts';

export function addRbac(cluster: Command): void {
  cluster
    .command('rbac')
    .summary('print what an agent, or the server, must be allowed to do in a cluster')
    .description(
      'Prints a ServiceAccount with the least rights by which its bearer takes part for a cluster, as the plugins need it: that of an agent, or with --direct that of a kubeconfig for the server. With --server, what the server needs in the management cluster; with both, that of a server which takes part for its own cluster. An admission policy comes with it (Kubernetes 1.30 or later), which keeps the account to what rights cannot be limited to. What is printed later adds to what was applied before.',
    )
    .option('--direct', 'for a server that reaches the cluster by a kubeconfig')
    .option('--server', 'for the server, in the management cluster')
    .option('--token-review', 'with --server: its HTTP API has http.auth.type tokenReview')
    .option(
      '--namespace <NAME>',
      'where the Lease and the OutputLedger are; with --server, where the server is',
      namespaceName,
      'meshrelay',
    )
    .option('--plugin <MODULE>', 'a mesh plugin besides those built in (repeatable)', collect, [])
    .option(
      '--mesh-namespace <NAME>',
      'namespace of a control plane whose CA is to come from a virtual mesh: its Secret cacerts is written (repeatable)',
      repeated(namespaceName),
      [],
    )
    .option(
      '--patch <NAMESPACE/NAME>',
      "an object of a mesh's configuration that Settings consents to having patched, such as istio-system/istio (repeatable)",
      repeated(namespacedName),
      [],
    )
    .option(
      '--envoy-namespace <NAME>',
      'namespace with Envoys that the agent configures: it is given the roots by which they know the agent (repeatable)',
      repeated(namespaceName),
      [],
    )
    .option(
      '--pull-secret <NAMESPACE/NAME>',
      'a Secret by which the agent fetches images of modules for Envoys (repeatable)',
      repeated(namespacedName),
      [],
    )
    .option(
      '--own-secret <NAME>',
      "a Secret of the agent's own namespace that its configuration names, such as relay.clientCertificate.secretName (repeatable)",
      repeated(objectName),
      [],
    )
    .addOption(manifestOption())
    .addHelpText(
      'after',
      '\nExample:\n  meshctl cluster rbac --mesh-namespace istio-system --patch istio-system/istio | kubectl --context east apply -f -\n  meshctl cluster rbac --direct | kubectl --context west apply -f -\n  meshctl cluster rbac --server | kubectl --context mgmt apply -f -',
    )
    .action(async (options: RbacOptions) => (await import('../offline/rbac.ts')).printRbac(options));
}
