/** `meshctl pki csr|sign|verify`. */
import type { Command } from 'commander';
import type { CsrFileOptions, SignOptions, VerifyOptions } from '../offline/pki.ts';
import { clusterName } from './names.ts';
import { collect, outputOption } from './options.ts';

export function addPki(program: Command): void {
  const pki = program.command('pki').summary('make and check certificates of the relay, from files alone');
  pki
    .command('csr')
    .summary('make a key and a signing request')
    .description(
      'Makes a key and a request for its certificate. The key is written to a new file that only you can read.',
    )
    .requiredOption('--key-out <FILE>', 'new file for the key')
    .requiredOption('--out <FILE>', 'new file for the request')
    .addHelpText('after', '\nExample:\n  meshctl pki csr --key-out agent.key --out agent.csr')
    .action(async (options: CsrFileOptions) => (await import('../offline/pki.ts')).makeRequest(options));
  pki
    .command('sign <request>')
    .summary('sign a request')
    .description(
      'Signs a request for an agent or a server, by the CA in the files. Of the request only the key is taken; everything else is what the options say. Prints the certificate and those above it, without the root.',
    )
    .requiredOption('--ca <FILE>', 'the signing certificate, then those above it')
    .requiredOption('--ca-key <FILE>', 'its key')
    .option('--agent <CLUSTER>', 'sign for the agent of this cluster', clusterName)
    .option('--trust-domain <DOMAIN>', 'trust domain of the agent', 'relay.meshrelay.local')
    .option('--server <NAME>', 'sign for a server of this DNS name or IP address (repeatable)', collect, [])
    .option('--days <N>', 'how long it is good', '30')
    .addHelpText(
      'after',
      '\nExample:\n  meshctl pki sign agent.csr --ca ca.crt --ca-key ca.key --agent cluster-1 > agent.crt',
    )
    .action(async (request: string, options: SignOptions) =>
      (await import('../offline/pki.ts')).sign(request, options),
    );
  pki
    .command('verify <chain>')
    .summary('say whether a certificate chain would be accepted')
    .description(
      'Judges a chain, the certificate first, as server and agents do, and says whose it is. Exits 0 where it would be accepted, 2 where not, with the reason.',
    )
    .requiredOption('--roots <FILE>', 'the trusted roots')
    .option('--agent', 'as an agent’s certificate')
    .option('--trust-domain <DOMAIN>', 'trust domain of agents', 'relay.meshrelay.local')
    .option('--server <NAME>', 'as the certificate of a server that is dialled by this name')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  meshctl pki verify agent.crt --roots ca.crt --agent\n  meshctl pki verify server.crt --roots ca.crt --server relay.example.com',
    )
    .action(async (chain: string, options: VerifyOptions) =>
      (await import('../offline/pki.ts')).verify(chain, options),
    );
}
