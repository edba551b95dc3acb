/** `meshctl pki csr|sign|verify`. */
import type { Command } from 'commander';
import type { CsrFileOptions, SignOptions, VerifyOptions } from '../offline/pki.ts';
import { clusterName } from './names.ts';
import { collect, outputOption } from './options.ts';

export function addPki(program: Command): void {
  const pki = program.command('pki').summary('create, sign and verify certificates offline');
  pki
    .command('csr')
    .summary('create a key and a signing request')
    .description('Creates a key and a signing request for its certificate. Only you can read the new key file.')
    .requiredOption('--key-out <FILE>', 'new file for the key')
    .requiredOption('--out <FILE>', 'new file for the request')
    .addHelpText('after', '\nExample:\n  meshctl pki csr --key-out agent.key --out agent.csr')
    .action(async (options: CsrFileOptions) => (await import('../offline/pki.ts')).makeRequest(options));
  pki
    .command('sign <request>')
    .summary('sign a request')
    .description(
      'Signs a request for an agent or a server with the CA in the files. Only the key of the request is used; the options give everything else. Prints the certificate and the intermediate CAs, without the root.',
    )
    .requiredOption('--ca <FILE>', 'the signing certificate, followed by its intermediate CAs')
    .requiredOption('--ca-key <FILE>', 'its key')
    .option('--agent <CLUSTER>', 'sign for the agent of this cluster', clusterName)
    .option('--trust-domain <DOMAIN>', 'trust domain of the agent', 'relay.meshrelay.local')
    .option('--server <NAME>', 'sign for a server of this DNS name or IP address (repeatable)', collect, [])
    .option('--days <N>', 'days of validity', '30')
    .addHelpText(
      'after',
      '\nExample:\n  meshctl pki sign agent.csr --ca ca.crt --ca-key ca.key --agent cluster-1 > agent.crt',
    )
    .action(async (request: string, options: SignOptions) =>
      (await import('../offline/pki.ts')).sign(request, options),
    );
  pki
    .command('verify <chain>')
    .summary('verify a certificate chain')
    .description(
      'Verifies a certificate chain, leaf first, the way server and agents do, and prints its identity. Exits 0 if the chain is accepted, 2 with the reason if it is not.',
    )
    .requiredOption('--roots <FILE>', 'the trusted roots')
    .option('--agent', 'verify as the certificate of an agent')
    .option('--trust-domain <DOMAIN>', 'trust domain of agents', 'relay.meshrelay.local')
    .option('--server <NAME>', 'verify as the certificate of a server that clients dial by this name')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  meshctl pki verify agent.crt --roots ca.crt --agent\n  meshctl pki verify server.crt --roots ca.crt --server relay.example.com',
    )
    .action(async (chain: string, options: VerifyOptions) =>
      (await import('../offline/pki.ts')).verify(chain, options),
    );
}
