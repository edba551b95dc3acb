/** Authentication by an OpenID provider: its keys verify a token, and the configuration lists who may read. */
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Guard } from './guard.ts';

export interface OidcOptions {
  /** URL of the provider, as in the `iss` claim. */
  readonly issuer: string;
  /** Required audience of tokens: the client's id. */
  readonly audience: string;
  /** Claim that names the user. */
  readonly usernameClaim: string;
  /** Claim that lists the user's groups. */
  readonly groupsClaim: string;
  readonly allowedUsers: readonly string[];
  readonly allowedGroups: readonly string[];
}

/** Public-key signatures only: with a shared secret, every verifier could also sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const CLOCK_TOLERANCE = '60s';
const DISCOVERY_TIMEOUT_MS = 5_000;

export function byOidc(options: OidcOptions, now: () => Date): Guard {
  const keys = new ProviderKeys(options.issuer);
  return async (token) => {
    const payload = await verified(token, await keys.get(), options, now);
    if (typeof payload === 'string') return { admitted: false, reason: 'unknown', message: payload };
    const user = payload[options.usernameClaim];
    if (typeof user !== 'string' || user === '')
      return {
        admitted: false,
        reason: 'unknown',
        message: `the token has no claim ${options.usernameClaim}; set http.auth.usernameClaim to one it has`,
      };
    if (options.usernameClaim === 'email' && !isVerified(payload))
      return {
        admitted: false,
        reason: 'unknown',
        message: `the provider reports that the address ${user} is not verified (email_verified); verify it there, or set http.auth.usernameClaim to a claim that users cannot choose, such as sub`,
      };
    const groups = groupsOf(payload[options.groupsClaim]);
    if (options.allowedUsers.includes(user) || groups.some((group) => options.allowedGroups.includes(group)))
      return { admitted: true, user };
    const message = `user ${user} is neither in http.auth.allowedUsers nor in a group of http.auth.allowedGroups`;
    return { admitted: false, reason: 'forbidden', message };
  };
}

/**
 * The rule of Kubernetes: a token without the `email_verified` claim is accepted; if the claim exists, it must be true.
 */
function isVerified({ email_verified: verified }: JWTPayload): boolean {
  return verified === undefined || verified === true;
}

/** The claims, or the reason why the token is rejected. */
async function verified(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience }: OidcOptions,
  now: () => Date,
): Promise<JWTPayload | string> {
  const desired = { issuer, audience, algorithms: ALGORITHMS, clockTolerance: CLOCK_TOLERANCE, currentDate: now() };
  try {
    const { payload } = await jwtVerify(token, keys, { ...desired, requiredClaims: ['exp'] });
    return payload;
  } catch (error) {
    if (!isAboutToken(error)) throw error;
    return `the token is not accepted: ${error.message}; get another one from the provider`;
  }
}

/** Other errors, such as a provider that does not answer, say nothing about the token. */
function isAboutToken(error: unknown): error is errors.JOSEError {
  if (!(error instanceof errors.JOSEError)) return false;
  const { JWKSInvalid, JWKSTimeout, JOSEError } = errors;
  return !(error instanceof JWKSInvalid || error instanceof JWKSTimeout || error.code === JOSEError.code);
}

function groupsOf(claim: unknown): string[] {
  return Array.isArray(claim) ? claim.filter((group) => typeof group === 'string') : [];
}

/** The provider's keys, found by its discovery document at first use. */
class ProviderKeys {
  readonly #issuer: string;
  #keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(issuer: string) {
    this.#issuer = issuer;
  }

  get(): Promise<JWTVerifyGetKey> {
    if (this.#keys !== undefined) return this.#keys;
    const keys = this.#discover();
    this.#keys = keys;
    keys.catch(() => {
      this.#keys = undefined;
    });
    return keys;
  }

  async #discover(): Promise<JWTVerifyGetKey> {
    const url = `${this.#issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const response = await fetch(url, { signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS), redirect: 'error' });
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    const { issuer, jwks_uri: keys } = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
    if (issuer !== this.#issuer)
      throw new Error(`${url} is for issuer "${String(issuer)}"; set http.auth.issuer to that`);
    if (typeof keys !== 'string') throw new Error(`${url} names no jwks_uri`);
    return createRemoteJWKSet(new URL(keys), { timeoutDuration: DISCOVERY_TIMEOUT_MS });
  }
}
