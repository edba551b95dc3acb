/** Certificates of the relay from files: created and verified by the server's code, without a cluster. */
import { writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import process from 'node:process';
import { errorMessage } from '@meshrelay/host';
import {
  agentIdentity,
  trustDomain as asTrustDomain,
  type CertificateAuthority,
  createCsr,
  generateKey,
  type IssueResult,
  issueAgentCertificate,
  issueServerCertificate,
  PkiError,
  readAuthority,
  readTrustBundle,
  type VerifiedPeer,
  verifyPeer,
  writePrivateKey,
} from '@meshrelay/pki';
import { readSmallFile as read, shownPath } from '../input/small-file.ts';
import { format, type OutputFormat } from '../output/format.ts';
import { InputError } from '../problem.ts';

export interface CsrFileOptions {
  readonly keyOut: string;
  readonly out: string;
}

export interface SignOptions {
  readonly ca: string;
  readonly caKey: string;
  readonly agent?: string;
  readonly trustDomain: string;
  readonly server: readonly string[];
  readonly days: string;
}

export interface VerifyOptions {
  readonly roots: string;
  readonly agent?: boolean;
  readonly trustDomain: string;
  readonly server?: string;
  readonly output: OutputFormat;
}

/** @throws InputError if the files exist already, or cannot be written */
export async function makeRequest({ keyOut, out }: CsrFileOptions): Promise<void> {
  const key = await generateKey('agent');
  writeNew(keyOut, writePrivateKey(key), 0o600);
  writeNew(out, await createCsr({ key }), 0o644);
  process.stdout.write(`key in ${keyOut}, request in ${out}\n`);
}

/** @throws InputError for invalid files, names or requests */
export async function sign(request: string, options: SignOptions): Promise<void> {
  const { agent, server, days: given } = options;
  if ((agent === undefined) === (server.length === 0))
    throw new InputError('give either --agent CLUSTER or --server NAME');
  const days = Number(given);
  if (!(days > 0)) throw new InputError(`--days ${given}: expected a number above 0`);
  const issued = await explained(() => {
    const ca = readAuthority({ certificatePem: read(options.ca), keyPem: read(options.caKey) });
    return issue(ca, read(request), { ...options, days });
  });
  if (!issued.ok) throw new InputError(`${request}: ${issued.message}`);
  process.stdout.write(issued.chainPem);
}

/**
 * Prints whether server and agents would accept a chain.
 * @throws InputError for files that cannot be read
 */
export async function verify(chain: string, options: VerifyOptions): Promise<void> {
  const { agent = false, server, output } = options;
  if (agent === (server !== undefined)) throw new InputError('give either --agent or --server NAME');
  const result = await explained(() => {
    const common = { chain: read(chain), roots: readTrustBundle(read(options.roots)), now: new Date() };
    return server === undefined
      ? verifyPeer({ ...common, purpose: 'agent', trustDomain: asTrustDomain(options.trustDomain) })
      : verifyPeer({ ...common, purpose: 'server', serverName: server });
  });
  if (!result.ok) process.exitCode = 2;
  const found = result.ok
    ? described(result)
    : { accepted: false, reason: result.reason, message: result.message, next: result.next };
  process.stdout.write(
    output !== 'table'
      ? format(found, output)
      : result.ok
        ? `accepted: ${result.identity}, until ${result.expiry.toISOString()}, serial number ${result.serial}\n`
        : `refused (${result.reason}): ${result.message}\n${result.next}\n`,
  );
}

function issue(
  ca: CertificateAuthority,
  csrPem: string,
  { agent, trustDomain, server, days }: Omit<SignOptions, 'days'> & { readonly days: number },
): Promise<IssueResult> {
  const now = new Date();
  if (agent !== undefined)
    return issueAgentCertificate({ ca, csrPem, identity: agentIdentity(asTrustDomain(trustDomain), agent), days, now });
  const isAddress = (name: string): boolean => isIP(name) !== 0;
  return issueServerCertificate({
    ca,
    csrPem,
    dnsNames: server.filter((name) => !isAddress(name)),
    ipAddresses: server.filter(isAddress),
    days,
    now,
  });
}

function described({ identity, cluster, expiry, serial, fingerprint, path }: VerifiedPeer): object {
  return {
    accepted: true,
    identity,
    ...(cluster === undefined ? {} : { cluster }),
    expires: expiry.toISOString(),
    serial,
    fingerprint,
    certificates: path.length,
  };
}

/** Converts errors of keys and certificates to errors for the user, since they are not faults of this program. */
async function explained<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof PkiError ? new InputError(errorMessage(cause), { cause }) : cause;
  }
}

/** Never overwrites a file, nor follows a link. */
function writeNew(path: string, text: string, mode: number): void {
  try {
    writeFileSync(path, text, { mode, flag: 'wx' });
  } catch (cause) {
    throw new InputError(`${shownPath(path)} cannot be written: ${(cause as Error).message}; give a new file`, {
      cause,
    });
  }
}
