/** A registry with one image, on loopback. */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { RegistryUser } from '../../src/wasm/oci/pull-secret.ts';
import { type Host, host } from './hosts.ts';

export interface RegistryContent {
  readonly layers: readonly { readonly mediaType: string; readonly bytes: Uint8Array }[];
  /** Authentication scheme; omitted: none. */
  readonly scheme?: 'Basic' | 'Bearer';
  readonly user?: RegistryUser;
  /** Declared token URL; omitted: the registry itself. */
  readonly tokenUrl?: string;
}

export interface Registry extends Host {
  manifest: Buffer;
  /** Digest of its initial manifest. */
  readonly digest: string;
  readonly blobs: Map<string, Uint8Array>;
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

export async function registry({ layers, scheme, user, tokenUrl }: RegistryContent): Promise<Registry> {
  const blobs = new Map(layers.map(({ bytes }) => [digestOf(bytes), bytes]));
  const described = layers.map(({ mediaType, bytes }) => ({ mediaType, digest: digestOf(bytes), size: bytes.length }));
  const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, layers: described }));
  const basic = `Basic ${Buffer.from(`${user?.username}:${user?.password}`).toString('base64')}`;
  const files = await host((request, response) => {
    const url = new URL(request.url ?? '', files.origin);
    const { authorization } = request.headers;
    if (url.pathname === '/token') {
      if (authorization !== basic) response.writeHead(401).end();
      else response.end(JSON.stringify({ token: `for ${url.searchParams.get('scope')}`.replaceAll(' ', '-') }));
      return;
    }
    const required = scheme === 'Bearer' ? 'Bearer for-repository:filters/auth:pull' : basic;
    if (scheme !== undefined && authorization !== required) {
      const challenge =
        scheme === 'Basic'
          ? 'Basic realm="here"' // words: allow realm — a parameter of WWW-Authenticate
          : `Bearer realm="${tokenUrl ?? `${files.origin}/token`}",service="here"`; // words: allow realm — a parameter of WWW-Authenticate
      response.writeHead(401, { 'www-authenticate': challenge }).end();
      return;
    }
    const [, blob] = /\/blobs\/(.*)$/.exec(url.pathname) ?? [];
    const body = blob === undefined ? all.manifest : blobs.get(blob);
    if (body === undefined) response.writeHead(404).end();
    else response.end(body);
  });
  const all = Object.assign(files, { manifest, digest: digestOf(manifest), blobs });
  return all;
}

/** A file archive (tar). */
export function archive(files: ReadonlyArray<readonly [name: string, bytes: Uint8Array]>): Buffer {
  const blocks = files.flatMap(([name, bytes]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(bytes.length.toString(8).padStart(11, '0'), 124);
    header.write('0', 156);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
