/** `meshctl cluster rbac`. */
import type { Command } from 'commander';
import type { RbacOptions } from '../offline/rbac.ts';
import { namespacedName, namespaceName, objectName } from './names.ts';
import { collect, manifestOption, repeated } from './options.ts';

export function addRbac(cluster: Command): void {
  cluster
    .command('rbac')
    .summary('generate the RBAC of an agent or the server in a cluster')
    .description(
      'Prints a ServiceAccount with the minimal RBAC that the plugins need: for an agent, or with --direct for the kubeconfig of a server. With --server, prints the RBAC of the server in the management cluster; with both, of a server that also manages its own cluster. An admission policy (Kubernetes 1.30 or later) restricts the account where RBAC cannot. Rules that you applied before stay when you apply a new output.',
    )
    .option('--direct', 'for a server that reaches the cluster by a kubeconfig')
    .option('--server', 'for the server, in the management cluster')
    .option('--token-review', 'with --server: its HTTP API has http.auth.type tokenReview')
    .option(
      '-n, --namespace <NAME>',
      'namespace of the Lease and the OutputLedger; with --server, of the server',
      namespaceName,
      'meshrelay',
    )
    .option('--plugin <MODULE>', 'an additional mesh plugin (repeatable)', collect, [])
    .option(
      '--mesh-namespace <NAME>',
      'namespace of a control plane whose CA comes from a virtual mesh: the agent writes its Secret cacerts (repeatable)',
      repeated(namespaceName),
      [],
    )
    .option(
      '--patch <NAMESPACE/NAME>',
      "an object of a mesh's configuration that Settings allow to patch, such as istio-system/istio (repeatable)",
      repeated(namespacedName),
      [],
    )
    .option(
      '--envoy-namespace <NAME>',
      'namespace with Envoys that the agent configures: the agent writes the roots of its own certificate there (repeatable)',
      repeated(namespaceName),
      [],
    )
    .option(
      '--pull-secret <NAMESPACE/NAME>',
      'a Secret with registry credentials for Wasm modules (repeatable)',
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
