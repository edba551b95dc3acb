/** Rules with equal values and different meanings, in place of a rule of a view. */
import type {
  AccessLogRuleView,
  AccessRuleView,
  CsrfView,
  EndpointsView,
  FaultView,
  HeaderManipulationView,
  MirrorView,
  NamedValueMatch,
  RetriesView,
  RouteMatchView,
  RouteTarget,
  Sourced,
  StringMatchView,
  ViewField,
  VirtualDestinationView,
  WasmFilterView,
} from '@meshrelay/plugin';

/** Rules by what they mean; each must be written differently from all others. */
export type Meanings = Readonly<Record<string, unknown>>;

/** A set of rules, for each object of a view that it fits. */
export interface Family {
  readonly name: string;
  /** The end of the object's path, by names; lists are left out. Empty: the whole view. */
  readonly at: readonly string[];
  /** Only of this function; omitted: of all. */
  readonly call?: string;
  /** @param has whether the mesh supports a field */
  meaningsOf(value: never, has: (field: ViewField) => boolean): Meanings;
}

function family<T>(
  name: string,
  at: readonly string[],
  meaningsOf: (value: T, has: (field: ViewField) => boolean) => Meanings,
): Family {
  return { name, at, meaningsOf };
}

function ofCall<T>(
  name: string,
  call: string,
  meaningsOf: (value: T, has: (field: ViewField) => boolean) => Meanings,
): Family {
  return { name, at: [], call, meaningsOf };
}

const CALL_OF_NAMES = 'translateVirtualDestination';

/** With a character that regular expressions escape. */
const PATH = '/books.pdf';
const ESCAPED = '/books\\.pdf';

/** The kinds of text match that a mesh supports, and the regular expressions that mean something else. */
function textMatches(has: (kind: 'exact' | 'prefix' | 'regex' | 'suffix' | 'ignoreCase') => boolean): Meanings {
  const cases = has('ignoreCase') ? [false, true] : [false];
  return Object.fromEntries(
    cases.flatMap((ignoreCase) => {
      const made: Array<readonly [string, StringMatchView]> = [
        ...(has('exact') ? [['is it', { exact: PATH, ignoreCase }] as const] : []),
        ...(has('prefix') ? [['begins with it', { prefix: PATH, ignoreCase }] as const] : []),
        ...(has('suffix') ? [['ends with it', { suffix: PATH, ignoreCase }] as const] : []),
        ...(has('regex')
          ? [
              ['fits it as a regular expression', { regex: PATH, ignoreCase }] as const,
              ['contains it', { regex: `.*${ESCAPED}.*`, ignoreCase }] as const,
              ['begins like it', { regex: `${PATH}.*`, ignoreCase }] as const,
              ['ends like it', { regex: `.*${PATH}`, ignoreCase }] as const,
              ['has it twice', { regex: `${ESCAPED}${ESCAPED}`, ignoreCase }] as const,
            ]
          : []),
        // The same meaning in two forms, unless the mesh has the first form itself.
        ...(has('regex') && !has('exact') ? [['is it', { regex: ESCAPED, ignoreCase }] as const] : []),
      ];
      return made.map(([label, match]) => [ignoreCase ? `${label}, in any letter case` : label, match]);
    }),
  );
}

/** A header or a parameter: of all rules about its value. */
function namedValues(name: string, inverts: readonly boolean[]): Readonly<Record<string, NamedValueMatch>> {
  const value = 'a.b';
  return Object.fromEntries(
    inverts.flatMap((invert) => {
      const not = invert ? 'not ' : '';
      return [
        [`${name} is ${not}x`, { name, value, regex: false, invert }],
        [`${name} is ${not}y`, { name, value: 'y', regex: false, invert }],
        [`${name} does ${not}fit x`, { name, value, regex: true, invert }],
        [`${name} is ${not}present`, { name, regex: false, invert }],
      ];
    }),
  );
}

function mapped<T>(meanings: Readonly<Record<string, T>>, wrap: (value: T) => unknown): Meanings {
  return Object.fromEntries(Object.entries(meanings).map(([label, value]) => [label, wrap(value)]));
}

function some(isSupported: boolean, meanings: Meanings): Meanings {
  return isSupported ? meanings : {};
}

const ANY: RouteMatchView = { headers: [], queryParameters: [] };

const ROUTE_MATCH = family<RouteMatchView>('the requests of a route', ['match'], ({ name }, has) => {
  const any: RouteMatchView = { ...ANY, ...(name === undefined ? {} : { name }) };
  return {
    'all requests': any,
    ...mapped(
      textMatches((kind) => has(`match.uri.${kind}`)),
      (uri) => ({ ...any, uri }),
    ),
    ...some(
      has('match.headers'),
      mapped(namedValues('x-reader', [false, true]), (header) => ({ ...any, headers: [header] })),
    ),
    ...some(has('match.headers'), {
      'x-reader is x and is not x': {
        ...any,
        headers: [false, true].map((invert) => ({ name: 'x-reader', value: 'a.b', regex: false, invert })),
      },
    }),
    ...some(
      has('match.queryParameters'),
      mapped(namedValues('page', [false]), (parameter) => ({ ...any, queryParameters: [parameter] })),
    ),
    ...some(has('match.method'), {
      'the method is GET': { ...any, method: 'GET' },
      'the method is PUT': { ...any, method: 'PUT' },
    }),
    ...some(has('source.labels'), {
      'callers with the label a': { ...any, sourceLabels: { app: 'a' } },
      'callers with two labels': { ...any, sourceLabels: { app: 'a', version: 'v1' } },
    }),
    ...some(has('source.namespaces'), {
      'callers of the namespace a': { ...any, sourceNamespace: 'a' },
      'callers of the namespace b': { ...any, sourceNamespace: 'b' },
    }),
    ...some(has('match.headers') && has('match.method'), {
      'the method and the header': {
        ...any,
        method: 'GET',
        headers: [{ name: 'x-reader', value: 'a.b', regex: false, invert: false }],
      },
    }),
  };
});

const TEXT_MATCH = family<StringMatchView>('an origin', ['allowOrigins'], () =>
  textMatches((kind) => kind !== 'ignoreCase'),
);

const ACCESS_RULE = family<AccessRuleView>('an access rule', ['access'], (rule, has) => {
  const excludes = has('access.exclusions');
  const plain: AccessRuleView = {
    ...rule,
    paths: [],
    methods: [],
    ports: [],
    notPaths: [],
    notMethods: [],
    notPorts: [],
  };
  const lists: ReadonlyArray<readonly [string, boolean, Partial<AccessRuleView>]> = [
    ['for one path', has('access.paths'), { paths: ['/a'] }],
    ['for paths that begin alike', has('access.paths'), { paths: ['/a*'] }],
    ['for paths that end alike', has('access.paths'), { paths: ['*/a'] }],
    ['for two paths', has('access.paths'), { paths: ['/a', '/b'] }],
    ['for all paths but one', excludes, { notPaths: ['/a'] }],
    ['for all paths but those that begin alike', excludes, { notPaths: ['/a*'] }],
    ['for one method', has('access.methods'), { methods: ['GET'] }],
    ['for two methods', has('access.methods'), { methods: ['GET', 'PUT'] }],
    ['for all methods but one', excludes, { notMethods: ['GET'] }],
    ['for a path and a method', has('access.paths') && has('access.methods'), { paths: ['/a'], methods: ['GET'] }],
    ['for one path and not for it', has('access.paths') && excludes, { paths: ['/a'], notPaths: ['/a'] }],
    ['for one method and not for it', has('access.methods') && excludes, { methods: ['GET'], notMethods: ['GET'] }],
    ['for one port', has('access.ports'), { ports: [8080] }],
    ['for all ports but one', excludes, { notPorts: [8080] }],
  ];
  const actions = (['ALLOW', 'DENY', 'AUDIT'] as const).filter((action) =>
    has(`access.${action.toLowerCase()}` as ViewField),
  );
  return {
    ...Object.fromEntries(actions.map((action) => [`${action} for all requests`, { ...plain, action }])),
    ...Object.fromEntries(
      lists.flatMap(([label, isSupported, list]) =>
        isSupported ? actions.map((action) => [`${action} ${label}`, { ...plain, action, ...list }]) : [],
      ),
    ),
    ...some(has('access.unauthenticated'), { 'any caller': { ...plain, sources: { kind: 'anyone' } } }),
    ...some(has('access.sources.namespaces'), {
      'a namespace': { ...plain, sources: { kind: 'principals', principals: ['cluster.local/ns/a/*'] } },
    }),
    ...some(has('access.sources.trustDomains'), {
      'a trust domain': { ...plain, sources: { kind: 'principals', principals: ['cluster.local/*'] } },
    }),
    'one account': { ...plain, sources: { kind: 'principals', principals: ['cluster.local/ns/a/sa/b'] } },
    'two accounts': {
      ...plain,
      sources: { kind: 'principals', principals: ['cluster.local/ns/a/sa/b', 'cluster.local/ns/a/sa/c'] },
    },
  };
});

const NO_HEADERS: HeaderManipulationView = { requestAdd: {}, requestRemove: [], responseAdd: {}, responseRemove: [] };

const HEADERS = family<Sourced<HeaderManipulationView>>('changed headers', ['actions', 'headers'], ({ from }) =>
  mapped(
    {
      'added to requests': { ...NO_HEADERS, requestAdd: { 'x-a': 'b' } },
      'added to responses': { ...NO_HEADERS, responseAdd: { 'x-a': 'b' } },
      'removed from requests': { ...NO_HEADERS, requestRemove: ['x-a'] },
      'removed from responses': { ...NO_HEADERS, responseRemove: ['x-a'] },
      'added to both': { ...NO_HEADERS, requestAdd: { 'x-a': 'b' }, responseAdd: { 'x-a': 'b' } },
      'removed from both': { ...NO_HEADERS, requestRemove: ['x-a'], responseRemove: ['x-a'] },
      'two added': { ...NO_HEADERS, requestAdd: { 'x-a': 'b', 'x-b': 'a' } },
      'two removed': { ...NO_HEADERS, requestRemove: ['x-a', 'x-b'] },
      'two added, values exchanged': { ...NO_HEADERS, requestAdd: { 'x-a': 'a', 'x-b': 'b' } },
    },
    (value) => ({ from, value }),
  ),
);

const FAULT = family<Sourced<FaultView>>('a fault', ['actions', 'fault'], ({ from }) =>
  mapped<FaultView>(
    {
      'a delay of all requests': { delayMs: 2000 },
      'a delay of a half': { delayMs: 2000, percentage: 50 },
      'a delay of a hundredth': { delayMs: 2000, percentage: 1 },
      'an abort of all requests': { abortStatus: 503 },
      'an abort of a half': { abortStatus: 503, percentage: 50 },
      both: { delayMs: 2000, abortStatus: 503 },
    },
    (value) => ({ from, value }),
  ),
);

const CSRF = family<Sourced<CsrfView>>('protection against forgery', ['actions', 'csrf'], ({ from }) =>
  mapped<CsrfView>(
    {
      enforced: { enabled: true, shadow: false, additionalOrigins: [] },
      evaluated: { enabled: false, shadow: true, additionalOrigins: [] },
      both: { enabled: true, shadow: true, additionalOrigins: [] },
      'enforced for a half': { enabled: true, shadow: false, percentage: 50, additionalOrigins: [] },
    },
    (value) => ({ from, value }),
  ),
);

const RETRIES = family<Sourced<RetriesView>>('retries', ['actions', 'retries'], ({ from }, has) =>
  mapped<RetriesView>(
    {
      none: { attempts: 0 },
      one: { attempts: 1 },
      two: { attempts: 2 },
      ...(has('route.retries.remoteLocalities')
        ? { 'two, anywhere': { attempts: 2, retryRemoteLocalities: true } }
        : {}),
      ...(has('route.retries.retryOn')
        ? {
            'two, on resets': { attempts: 2, retryOn: ['reset'] },
            'two, on two conditions': { attempts: 2, retryOn: ['reset', '5xx'] },
          }
        : {}),
    },
    (value) => ({ from, value }),
  ),
);

const MIRROR = family<Sourced<MirrorView>>('a mirror', ['actions', 'mirror'], ({ from, value: { target } }) =>
  mapped<MirrorView>(
    {
      'of all requests': { target },
      'of a half': { target, percentage: 50 },
      'of a hundredth': { target, percentage: 1 },
    },
    (value) => ({ from, value }),
  ),
);

const SHIFT = family<Sourced<readonly RouteTarget[]>>(
  'shares of requests',
  ['actions', 'shift'],
  ({ from, value }, has) => {
    const [one, other] = value;
    if (one === undefined || other === undefined || one.hostname === other.hostname) return {};
    const shares = (first: number, second: number) => [
      { ...one, weight: first },
      { ...other, weight: second },
    ];
    const subset = { name: 'version-v2', labels: { version: 'v2' } };
    const headers: HeaderManipulationView = { ...NO_HEADERS, requestAdd: { 'x-a': 'b' } };
    return mapped<readonly RouteTarget[]>(
      {
        'all and none': shares(100, 0),
        'nearly all': shares(100, 1),
        halves: shares(50, 50),
        'the smaller first': shares(1, 99),
        'none and all': shares(0, 100),
        ...(has('route.shift.subset')
          ? {
              'halves, one of a subset': [
                { ...one, weight: 50, subset },
                { ...other, weight: 50 },
              ],
            }
          : {}),
        ...(has('route.shift.headers')
          ? {
              'halves, one with headers': [
                { ...one, weight: 50, headers },
                { ...other, weight: 50 },
              ],
            }
          : {}),
      },
      (targets) => ({ from, value: targets }),
    );
  },
);

const LOG_RULE = family<AccessLogRuleView>('logged requests', ['accessLog'], (rule, has) => {
  const plain: AccessLogRuleView = {
    ...rule,
    filters: [],
    requestHeaders: [],
    responseHeaders: [],
    responseTrailers: [],
    filterState: [],
  };
  return {
    all: plain,
    ...some(
      has('accessLog.filters.header'),
      mapped(namedValues('x-reader', [false, true]), (header) => ({ ...plain, filters: [{ header }] })),
    ),
    ...some(
      has('accessLog.filters.status'),
      Object.fromEntries(
        (['EQ', 'GE', 'LE'] as const).map((comparator) => [
          `a status ${comparator} 500`,
          { ...plain, filters: [{ status: { value: 500, comparator } }] },
        ]),
      ),
    ),
    ...some(has('accessLog.filters.header') && has('accessLog.filters.status'), {
      'either of two': {
        ...plain,
        filters: [
          { status: { value: 500, comparator: 'EQ' } },
          { header: { name: 'x-reader', value: 'a.b', regex: false, invert: false } },
        ],
      },
    }),
  };
});

const WASM_FILTER = family<WasmFilterView>('a module', ['wasm'], (filter, has) => {
  const { phase: _phase, ...rest } = filter;
  const plain: WasmFilterView = { ...rest, context: 'ANY', ports: [], failOpen: false, weight: 0 };
  return {
    plain,
    ...some(has('wasm.failOpen'), { 'requests pass if it fails': { ...plain, failOpen: true } }),
    ...some(has('wasm.inbound'), { 'inbound requests': { ...plain, context: 'SIDECAR_INBOUND' } }),
    ...some(has('wasm.outbound'), { 'outbound requests': { ...plain, context: 'SIDECAR_OUTBOUND' } }),
    ...some(has('wasm.phase'), { 'before authentication': { ...plain, phase: 'AUTHN' } }),
  };
});

const VIRTUAL_DESTINATION = ofCall<VirtualDestinationView>('an order of backends', CALL_OF_NAMES, (view, has) => {
  const [first, second] = view.groups;
  if (first === undefined || second === undefined) return {};
  const orderOf = (one: typeof first, other: typeof second): Partial<VirtualDestinationView> => ({
    failover: { kind: 'static' },
    groups: [
      { ...one, priority: 0 },
      { ...other, priority: 1 },
    ],
  });
  return {
    ...some(has('virtualDestination.static'), {
      'one before the other': { ...view, ...orderOf(first, second) },
      'the other first': { ...view, ...orderOf(second, first) },
      'one only': { ...view, failover: { kind: 'static' }, groups: [{ ...first, priority: 0 }] },
      'the other only': { ...view, failover: { kind: 'static' }, groups: [{ ...second, priority: 0 }] },
    }),
  };
});

const ENDPOINTS = ofCall<EndpointsView>('endpoints', 'translateEndpoints', (view) => {
  const [first] = view.endpoints;
  if (first === undefined || first.kind === 'hostname') return {};
  const second = { ...first, address: first.kind === 'ipv4' ? '203.0.113.77' : '2001:db8::77' };
  return {
    'one endpoint': { ...view, endpoints: [first] },
    'another endpoint': { ...view, endpoints: [second] },
    'two endpoints': { ...view, endpoints: [first, second] },
  };
});

/** All families. */
export const FAMILIES: readonly Family[] = [
  ...[ROUTE_MATCH, TEXT_MATCH, ACCESS_RULE, HEADERS, FAULT, CSRF, RETRIES, MIRROR, SHIFT, LOG_RULE, WASM_FILTER],
  ...[VIRTUAL_DESTINATION, ENDPOINTS],
];
