/** Minimal registry client to read an image: manifests and blobs, and the token that the registry may require. */
import { Buffer } from 'node:buffer';
import type { Answer, FetchOptions } from '../fetch/fetch-bytes.ts';
import { fetchBytes } from '../fetch/fetch-bytes.ts';
import { ModuleError } from '../module-error.ts';
import type { ImageName } from './image-name.ts';
import type { RegistryUser } from './pull-secret.ts';

const TOKEN_BYTES = 64 * 1024;

export interface RegistryOptions extends FetchOptions {
  readonly user?: RegistryUser | undefined;
  /** Whether the registry has no TLS. Only the agent's own list can allow that. */
  readonly plain: boolean;
}

export class Registry {
  readonly #image: ImageName;
  readonly #options: RegistryOptions;
  #authorization: string | undefined;

  constructor(image: ImageName, options: RegistryOptions) {
    this.#image = image;
    this.#options = options;
  }

  /** @param what `manifests/<reference>` or `blobs/<digest>` @throws ModuleError */
  async read(what: string, accept: string, maxBytes: number): Promise<Answer> {
    const { registry, repository } = this.#image;
    const url = URL.parse(`${this.#options.plain ? 'http' : 'https'}://${registry}/v2/${repository}/${what}`);
    if (url === null) throw new ModuleError(`${registry} is not a host name of a registry`, 'changed');
    let answer = await this.#get(url, accept, maxBytes);
    if (answer.status === 401 && this.#authorization === undefined) {
      this.#authorization = await this.#authorize(answer);
      answer = await this.#get(url, accept, maxBytes);
    }
    if (answer.status === 200) return answer;
    throw this.#refused(answer.status);
  }

  async #get(url: URL, accept: string, maxBytes: number): Promise<Answer> {
    const headers = { accept, ...(this.#authorization === undefined ? {} : { authorization: this.#authorization }) };
    return await fetchBytes(url, { ...this.#options, headers, maxBytes });
  }

  /** The registry names the URL of its token service. It may be any URL, so it is checked like any other. */
  async #authorize({ headers }: Answer): Promise<string> {
    const challenge = headers['www-authenticate'] ?? '';
    const { user } = this.#options;
    if (/^basic\b/i.test(challenge) && user !== undefined) return basic(user);
    const tokenUrl = parameter(challenge, 'realm'); // words: allow realm — a parameter of WWW-Authenticate
    const url = /^bearer\b/i.test(challenge) && tokenUrl !== undefined ? URL.parse(tokenUrl) : null;
    if (url === null) throw this.#refused(401);
    const service = parameter(challenge, 'service');
    if (service !== undefined) url.searchParams.set('service', service);
    url.searchParams.set('scope', `repository:${this.#image.repository}:pull`);
    const answer = await fetchBytes(url, {
      ...this.#options,
      maxBytes: TOKEN_BYTES,
      headers: user === undefined ? {} : { authorization: basic(user) },
    });
    const token = answer.status === 200 ? tokenIn(answer.body) : undefined;
    if (token === undefined) throw this.#refused(answer.status === 200 ? 401 : answer.status);
    return `Bearer ${token}`;
  }

  #refused(status: number): ModuleError {
    const { registry, repository, reference } = this.#image;
    const image = `${repository} (${reference}) of registry ${registry}`;
    if (status === 401 || status === 403)
      return new ModuleError(
        this.#options.user === undefined
          ? `the registry does not allow anonymous pulls of ${image}; set imagePullSecret to a Secret with credentials`
          : `the registry does not allow the user of the imagePullSecret to pull ${image}; grant that permission`,
        'changed',
      );
    if (status === 404) return new ModuleError(`the registry has no image ${image}; check name and tag`, 'changed');
    return new ModuleError(
      `${image} cannot be read: the registry returns ${status}`,
      status >= 500 || status === 429 ? 'later' : 'changed',
    );
  }
}

function basic({ username, password }: RegistryUser): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

/** One parameter of a challenge. */
function parameter(challenge: string, name: string): string | undefined {
  return new RegExp(`[ ,]${name}="([^"]*)"`, 'i').exec(challenge)?.[1];
}

function tokenIn(body: Buffer): string | undefined {
  try {
    const { token, access_token } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    const found = token ?? access_token;
    return typeof found === 'string' && /^[\x21-\x7e]+$/.test(found) ? found : undefined;
  } catch {
    return undefined;
  }
}
