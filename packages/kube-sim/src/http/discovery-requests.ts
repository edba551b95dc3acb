/** Requests for documents about the API: discovery, OpenAPI, version and health. */
import { createHash } from 'node:crypto';
import { aggregatedDiscovery } from '../discovery/aggregated.ts';
import { coreVersions, groupDocument, groupList, resourceList } from '../discovery/legacy.ts';
import type { JsonObject } from '../object.ts';
import type { OpenApiIndex } from '../openapi/openapi-index.ts';
import type { Catalog } from '../resources/catalog.ts';
import { parseMediaRanges } from './negotiate.ts';
import { goJson, PAGE_NOT_FOUND, type Reply } from './reply.ts';
import type { Route } from './route.ts';

/** Data for these requests. */
export interface ApiDocuments {
  readonly catalog: Catalog;
  readonly openApi: OpenApiIndex;
  /** `host:port` as clients reach the server. */
  readonly address: string;
}

/** The version that the simulator imitates. */
const VERSION = {
  major: '1',
  minor: '34',
  gitVersion: 'v1.34.4+kube-sim',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'none',
  compiler: 'none',
  platform: 'kube-sim',
} as const;
const HEALTH = new Set(['/healthz', '/livez', '/readyz']);

/** Headers that control caching. */
export interface CacheHeaders {
  readonly accept: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** Answers a GET of a non-resource path. */
export function handleDocument(
  documents: ApiDocuments,
  route: Exclude<Route, { kind: 'resource' }>,
  query: URLSearchParams,
  headers: CacheHeaders,
): Reply {
  const { catalog, address } = documents;
  switch (route.kind) {
    case 'discovery': {
      const core = route.level === 'core';
      const version = aggregatedVersion(headers.accept);
      if (version === undefined) return { code: 200, body: core ? coreVersions(address) : groupList(catalog) };
      const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
      return cacheable(
        { ...aggregatedDiscovery(catalog, core), apiVersion: `apidiscovery.k8s.io/${version}` },
        contentType,
        headers,
      );
    }
    case 'group':
      return jsonOr404(groupDocument(catalog, route.group));
    case 'version':
      return jsonOr404(resourceList(catalog, route.group, route.version));
    case 'other':
      return handlePath(documents, route.path, query, headers);
    default:
      return route satisfies never;
  }
}

function aggregatedVersion(accept: string | undefined): string | undefined {
  return parseMediaRanges(accept)
    .find(({ parameters }) => parameters.get('as') === 'APIGroupDiscoveryList')
    ?.parameters.get('v');
}

function jsonOr404(body: JsonObject | undefined): Reply {
  return body === undefined ? PAGE_NOT_FOUND : { code: 200, body };
}

function cacheable(body: object, contentType: string, { ifNoneMatch }: CacheHeaders): Reply {
  const text = `${goJson(body)}\n`;
  const etag = `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"`;
  const caching = { etag, vary: 'Accept', 'cache-control': 'public' };
  if (ifNoneMatch === etag) return { code: 304, body: '', contentType, headers: caching };
  return { code: 200, body: text, contentType, headers: caching };
}

function handlePath({ openApi }: ApiDocuments, path: string, query: URLSearchParams, headers: CacheHeaders): Reply {
  const bare = path.replace(/(?<=.)\/$/, '');
  if (HEALTH.has(bare)) return { code: 200, body: 'ok' };
  if (bare === '/version') return { code: 200, body: VERSION };
  if (bare === '/openapi/v3')
    return { code: 200, body: goJson(openApi.index()), contentType: 'text/plain; charset=utf-8' };
  const match = /^\/openapi\/v3\/(api\/([^/]+)|apis\/([^/]+)\/([^/]+))$/.exec(bare);
  if (match === null) return PAGE_NOT_FOUND;
  const document = openApi.document(match[3] ?? '', match[4] ?? match[2] ?? '');
  if (document === undefined) return PAGE_NOT_FOUND;
  const { text, hash } = document;
  const requested = query.get('hash');
  if (requested !== null && requested !== hash)
    return { code: 301, body: '', headers: { location: `${bare}?hash=${hash}` } };
  const etag = `"${hash}"`;
  const caching = {
    etag,
    vary: 'Accept',
    'cache-control': requested === null ? 'no-cache, private' : 'public, immutable',
  };
  if (headers.ifNoneMatch === etag) return { code: 304, body: '', headers: caching };
  return { code: 200, body: text, contentType: 'application/json', headers: caching };
}
