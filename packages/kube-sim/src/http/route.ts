/** Parses request paths. */

/** A parsed path below `/api` or `/apis`; absent parts are `''`. */
export type Route =
  | { readonly kind: 'discovery'; readonly level: 'core' | 'groups' }
  | { readonly kind: 'group'; readonly group: string }
  | { readonly kind: 'version'; readonly group: string; readonly version: string }
  | ResourceRoute
  | { readonly kind: 'other'; readonly path: string };

/** A path of a collection, an object or a subresource. */
export interface ResourceRoute {
  readonly kind: 'resource';
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
}

/** Parses a decoded path, without checking that its target exists. */
export function parseRoute(path: string): Route {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decode);
  const [root, ...rest] = parts;
  if (root === 'api') return below('', rest);
  if (root !== 'apis') return { kind: 'other', path };
  const [group, ...after] = rest;
  if (group === undefined) return { kind: 'discovery', level: 'groups' };
  if (after.length === 0) return { kind: 'group', group };
  return below(group, after);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // An invalid percent sign names nothing; the raw path is looked up and answers 404.
    return part;
  }
}

function below(group: string, [version, ...rest]: readonly string[]): Route {
  if (version === undefined) return { kind: 'discovery', level: 'core' };
  if (rest.length === 0) return { kind: 'version', group, version };
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = rest;
  const common = { kind: 'resource', group, version } as const;
  const isNamespaced = first === 'namespaces' && third !== '' && !NAMESPACE_SUBRESOURCES.has(third);
  if (isNamespaced) return { ...common, plural: third, namespace: second, name: fourth, subresource: fifth };
  return { ...common, plural: first, namespace: '', name: second, subresource: third };
}

/** Under `/namespaces/NAME/` these are subresources of the namespace itself, not resources in it. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

const METHOD_VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** The RBAC verb of a request to a resource. */
export function verbOf(method: string, route: ResourceRoute, query: URLSearchParams): string {
  if (query.has('watch') && method === 'GET') return 'watch';
  if (route.name === '' && method === 'GET') return 'list';
  if (route.name === '' && method === 'DELETE') return 'deletecollection';
  return METHOD_VERBS[method] ?? method.toLowerCase();
}
