/** Credentials for a registry from a Secret of type `kubernetes.io/dockerconfigjson`. */
import { Buffer } from 'node:buffer';
import { ModuleError } from '../module-error.ts';

/** A user of a registry. */
export interface RegistryUser {
  readonly username: string;
  readonly password: string;
}

interface DockerAuth {
  readonly auth?: unknown;
  readonly username?: unknown;
  readonly password?: unknown;
}

/** The key of the Secret's data. */
export const DOCKER_CONFIG = '.dockerconfigjson';

/**
 * Returns the user for exactly this registry; undefined if the Secret names none.
 * @throws ModuleError if the Secret cannot be read; the message does not contain its content
 */
export function userOf(json: string, registry: string, secret: string): RegistryUser | undefined {
  const auths = authsOf(json, secret);
  const found = Object.entries(auths).find(
    ([server]) => hostOf(server) === registry || isDockerHub(hostOf(server), registry),
  );
  if (found === undefined) return undefined;
  const { auth, username, password } = found[1] as DockerAuth;
  if (typeof username === 'string' && typeof password === 'string') return { username, password };
  const text = typeof auth === 'string' ? Buffer.from(auth, 'base64').toString('utf8') : '';
  const colon = text.indexOf(':');
  if (colon < 1) throw unreadable(secret);
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

function authsOf(json: string, secret: string): Record<string, unknown> {
  try {
    const { auths } = JSON.parse(json) as { readonly auths?: unknown };
    if (typeof auths === 'object' && auths !== null) return auths as Record<string, unknown>;
  } catch {
    // The parser's message may contain a part of the Secret.
  }
  throw unreadable(secret);
}

function unreadable(secret: string): ModuleError {
  return new ModuleError(
    `Secret ${secret} has no readable ${DOCKER_CONFIG}; create it with kubectl create secret docker-registry`,
    'changed',
  );
}

/** `https://host:port/v1/` and `host:port` are the same registry. */
function hostOf(server: string): string {
  return server.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
}

function isDockerHub(server: string, registry: string): boolean {
  return registry === 'registry-1.docker.io' && (server === 'index.docker.io' || server === 'docker.io');
}
