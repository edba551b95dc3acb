/** Composes the parts of the relay that verify and issue identities: who may connect and who gets a certificate. */
import { type KubeConnection, Secrets } from '@meshrelay/kube';
import { TOKENS_SECRET, withSharedToken } from '@meshrelay/pki';
import type { RelayServer } from '@meshrelay/relay-protocol';
import type { GaugeMetric, Logger } from '@meshrelay/telemetry';
import type { AuditLog } from '../audit/audit.ts';
import type { ServerConfig } from '../config/config.ts';
import { AgentIssuer } from './agent-issuer.ts';
import { AgentPeers } from './agent-peers.ts';
import { AgentTokens } from './agent-tokens.ts';
import { loadAuthorities, type RelayAuthorities } from './authorities.ts';
import { CertificateRotator } from './certificate-upkeep.ts';
import { Registrar } from './registrar.ts';
import { Renewals } from './renewals.ts';
import { SessionGuard } from './session-guard.ts';
import { StoredCertificates } from './stored-certificates.ts';
import { Trusts } from './trusts.ts';

export interface IdentityOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly relay: ServerConfig['relay'];
  /** What {@link loadRelay} loads at the start. */
  readonly authorities: Promise<RelayAuthorities>;
  /** @throws RelayError while the registrations are not synced */
  readonly isRegistered: (cluster: string) => Promise<boolean>;
  readonly sessions: () => ReturnType<RelayServer['sessions']>;
  readonly audit: AuditLog;
  readonly expiry: GaugeMetric<'certificate'>;
  readonly onRegistration: (result: 'issued' | 'refused') => void;
  readonly onRenewal: (result: 'issued' | 'refused') => void;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** Runs until disposed. */
export interface Identity extends AsyncDisposable {
  readonly peers: AgentPeers;
  /** Undefined if no token is accepted instead of a certificate. */
  readonly tokens: AgentTokens | undefined;
  readonly registrar: Registrar;
  readonly renewals: Renewals;
  readonly trusts: Trusts;
  readonly upkeep: CertificateRotator;
  readonly certificates: StoredCertificates;
}

/** Reads the Secrets and generates missing ones. @throws KubeError, PkiError, or Error that names the Secret */
export function loadRelay({
  relay,
  ...options
}: Pick<IdentityOptions, 'connection' | 'namespace' | 'relay' | 'now' | 'logger'>): Promise<RelayAuthorities> {
  return loadAuthorities({ ...options, ...relay });
}

/**
 * Watches the Secrets from then on. @throws KubeError, PkiError, or Error that names the
 * Secret
 */
export async function startIdentity(options: IdentityOptions): Promise<Identity> {
  await using cleanup = new AsyncDisposableStack();
  const { connection, namespace, relay, isRegistered, sessions, audit, onRegistration, onRenewal, now } = options;
  const load = (): Promise<RelayAuthorities> => loadRelay(options);
  const authorities = await options.authorities;
  const upkeep = cleanup.use(new CertificateRotator({ ...options, authorities, load }));
  const certificates = cleanup.use(new StoredCertificates(options));
  const { trustDomain, agentCertificateDays: lifetimeDays } = relay;
  const common = { trustDomain, authorities: () => upkeep.current, certificates, audit, now };
  const issuer = new AgentIssuer({ ...common, lifetimeDays });
  const peers = new AgentPeers({ ...common, isRegistered });
  const secrets = new Secrets(connection, namespace);
  const isDeclared = isRegistered;
  const tokens = relay.mode === 'tls' ? cleanup.use(new AgentTokens({ ...options, isRegistered })) : undefined;
  const { allowSharedToken } = relay;
  await secrets.update(TOKENS_SECRET, (before) => withSharedToken(before, allowSharedToken));
  if (allowSharedToken)
    options.logger.warn(
      'a token that all clusters share can register every declared cluster that was not registered before (relay.allowSharedToken)',
    );
  const registrar = new Registrar({
    ...common,
    allowSharedToken,
    secrets,
    issuer,
    isDeclared,
    onResult: onRegistration,
  });
  const renewals = new Renewals({ ...common, peers, issuer, onResult: onRenewal });
  const trusts = new Trusts({ ...common, peers });
  const guard = cleanup.use(new SessionGuard({ ...common, sessions, peers, tokens, logger: options.logger }));
  certificates.listen(() => guard.check());
  tokens?.listen(() => guard.check());
  upkeep.listen(() => void guard.recheck());
  const running = cleanup.move();
  return {
    peers,
    tokens,
    registrar,
    renewals,
    trusts,
    upkeep,
    certificates,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
