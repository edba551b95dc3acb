/** `meshctl token create|list|revoke`. */
import type { Command } from 'commander';
import type { TokenCreateOptions, TokenListOptions } from '../online/actions.ts';
import type { ManagementOptions } from '../online/management.ts';
import { clusterName } from './names.ts';
import { durationOption, listOption, managementOptions, outputOption } from './options.ts';

export function addToken(program: Command): void {
  const token = program.command('token').summary('create, list and revoke registration tokens');
  managementOptions(
    token
      .command('create')
      .argument('<cluster>', '', clusterName)
      .summary('create a registration token for a cluster')
      .description(
        'Creates a token with which the agent of this cluster registers once, and prints it; it cannot be shown again. Earlier registration tokens of the cluster are revoked, long-lived ones are not. If you can reach the cluster, meshctl cluster register does this and the rest.',
      )
      .addOption(durationOption('--ttl', 'lifetime: 1h, at most 24h; long-lived 2160h, at most 8760h'))
      .option(
        '--long-lived',
        'a token that is the identity of the agent, for agents without certificates (relay.mode tls)',
      )
      .option('--replace', 'register even if the cluster has a valid certificate, and revoke that certificate')
      .addOption(outputOption('the token alone, or with its cluster as data'))
      .addHelpText('after', '\nExample:\n  meshctl token create cluster-1 --ttl 15m > token'),
  ).action(async (cluster: string, options: TokenCreateOptions) =>
    (await import('../online/actions.ts')).createTokenFor(cluster, options),
  );
  managementOptions(
    token
      .command('list')
      .argument('[cluster]', '', clusterName)
      .summary('list registration tokens')
      .description(
        'Lists the tokens of all clusters or of one, by id. The tokens themselves are not stored, only their hashes.',
      )
      .addOption(listOption()),
  )
    .addHelpText('after', '\nExample:\n  meshctl token list cluster-1 -o json')
    .action(async (cluster: string | undefined, options: TokenListOptions) =>
      (await import('../online/actions.ts')).tokens(cluster, options),
    );
  managementOptions(
    token
      .command('revoke')
      .argument('<cluster-or-id>', '', clusterName)
      .summary('revoke a token, or all of a cluster')
      .description(
        'Revokes the token with this id, or all tokens of this cluster. A certificate issued for one of them stays valid: see meshctl cluster revoke.',
      ),
  )
    .addHelpText('after', '\nExamples:\n  meshctl token revoke cluster-1\n  meshctl token revoke 0f3a9c1b2d4e')
    .action(async (name: string, options: ManagementOptions) =>
      (await import('../online/actions.ts')).revokeTokensOf(name, options),
    );
}
