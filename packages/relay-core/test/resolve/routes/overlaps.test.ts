/** Overlapping matchers, compared with brute force: a route reported as shadowed is never reached; any other can be. */
import type { PolicyRef } from '@meshrelay/api';
import type { NamedValueMatch, RouteMatchView, StringMatchView } from '@meshrelay/plugin';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { MAX_COMPARED, type OrderedRoute, overlapProblems } from '../../../src/resolve/routes/overlaps.ts';
import { compareSpecificity } from '../../../src/resolve/traffic/match-view.ts';
import { relationOf } from '../../../src/resolve/traffic/relation/match-relation.ts';

interface Request {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly namespace: string;
}

/** As the API documents it. */
function matches(match: RouteMatchView, request: Request): boolean {
  return (
    (match.uri === undefined || fitsPath(match.uri, request.path)) &&
    (match.method === undefined || match.method === request.method) &&
    match.headers.every((one) => fitsValue(one, request.headers[one.name.toLowerCase()])) &&
    match.queryParameters.every((one) => fitsValue(one, request.query[one.name])) &&
    Object.entries(match.sourceLabels ?? {}).every(([name, value]) => request.labels[name] === value) &&
    (match.sourceNamespace === undefined || match.sourceNamespace === request.namespace)
  );
}

function fitsPath(uri: StringMatchView, path: string): boolean {
  const fold = (text: string): string => (uri.ignoreCase ? text.toLowerCase() : text);
  if ('exact' in uri) return fold(path) === fold(uri.exact);
  if ('prefix' in uri) return fold(path).startsWith(fold(uri.prefix));
  if ('suffix' in uri) return fold(path).endsWith(fold(uri.suffix));
  return new RegExp(`^(?:${uri.regex})$`, uri.ignoreCase ? 'i' : '').test(path);
}

function fitsValue({ value, regex, invert }: NamedValueMatch, given: string | undefined): boolean {
  const fits =
    given !== undefined &&
    (value === undefined || (regex ? new RegExp(`^(?:${value})$`).test(given) : value === given));
  return fits !== invert;
}

const PATHS = ['/', '/a', '/A', '/ab', '/a/b', '/a/b.json', '/b', '/c.json', '/x/b'];
/** Lower case only: otherwise `/a` and `/A` together cover a case-insensitive `/a`, and no single route shadows it. */
const text = fc.constantFrom('/a', '/ab', '/a/b', '/b');
const ending = fc.constantFrom('.json', 'b', '/b');
const flag = fc.boolean();
const plainUri: fc.Arbitrary<StringMatchView> = fc.oneof(
  fc.record({ exact: fc.oneof(text, fc.constant('/')), ignoreCase: flag }),
  fc.record({ prefix: text, ignoreCase: flag }),
  fc.record({ suffix: ending, ignoreCase: flag }),
);
const anyUri: fc.Arbitrary<StringMatchView> = fc.oneof(
  plainUri,
  fc.record({ regex: fc.constantFrom('/a.*', '/[ab]', '.*', '/ab?', '/a|/b', '(?:/b)'), ignoreCase: flag }),
);
const plainValue: fc.Arbitrary<NamedValueMatch> = fc
  .record({ name: fc.constantFrom('h', 'H', 'g'), value: fc.constantFrom('1', '2', undefined) })
  .map(({ name, value }) => ({ name, ...(value === undefined ? {} : { value }), regex: false, invert: false }));
const anyValue: fc.Arbitrary<NamedValueMatch> = fc
  .tuple(plainValue, flag, flag)
  .map(([one, regex, invert]) => ({ ...one, regex: regex && one.value !== undefined, invert }));

function matchOf(
  uri: fc.Arbitrary<StringMatchView>,
  value: fc.Arbitrary<NamedValueMatch>,
): fc.Arbitrary<RouteMatchView> {
  const values = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(value, { minLength: 1, maxLength: 2 }) },
  );
  return fc.record(
    {
      uri,
      headers: values,
      queryParameters: values,
      method: fc.constantFrom('GET', 'POST'),
      sourceLabels: fc.constantFrom<Record<string, string>>(
        { app: 'x' },
        { app: 'y' },
        { app: 'x', tier: 't' },
        { tier: 't' },
      ),
      sourceNamespace: fc.constantFrom('n1', 'n2'),
    },
    { requiredKeys: ['headers', 'queryParameters'] },
  );
}

const ref = (name: string): PolicyRef => ({ kind: 'TrafficPolicy', cluster: '', namespace: 'n', name });

/** Each matcher once, with its own policy and value, in the order in which proxies try them. */
function routesOf(matchers: readonly RouteMatchView[]): OrderedRoute[] {
  return matchers
    .map((match, index): OrderedRoute => {
      const fields = { requestTimeout: { value: `${index + 1}s`, from: [ref(`p${index}`)] } };
      return { match, fields, own: ['requestTimeout'] };
    })
    .sort((a, b) => compareSpecificity(a.match, b.match));
}

const policyOf = ({ fields }: OrderedRoute): string => fields.requestTimeout?.from[0]?.name ?? '';
const reported = (routes: readonly OrderedRoute[], code: string): Set<string> =>
  new Set(
    overlapProblems(routes)
      .filter(({ report }) => report.code === code)
      .flatMap(({ policies }) => policies.map(({ name }) => name)),
  );

const values = fc.constantFrom<Record<string, string>>(
  {},
  { h: '1' },
  { h: '2' },
  { g: '1' },
  { h: '1', g: '2' },
  { h: '3', g: '3' },
);
const request: fc.Arbitrary<Request> = fc.record({
  path: fc.constantFrom(...PATHS),
  method: fc.constantFrom('GET', 'POST', 'PUT'),
  headers: values,
  query: values,
  labels: fc.constantFrom<Record<string, string>>({}, { app: 'x' }, { app: 'y', tier: 't' }, { app: 'x', tier: 't' }),
  namespace: fc.constantFrom('n1', 'n2', 'n3'),
});

test('no request reaches a route reported as never matching', () => {
  fc.assert(
    fc.property(
      fc.array(matchOf(anyUri, anyValue), { minLength: 2, maxLength: 6 }),
      fc.array(request, { minLength: 30, maxLength: 60 }),
      (matchers, requests) => {
        const routes = routesOf(matchers);
        const never = reported(routes, 'ROUTE_SHADOWED');
        for (const one of requests) {
          const first = routes.find(({ match }) => matches(match, one));
          if (first !== undefined) assert.not(never.has(policyOf(first)), JSON.stringify([one, routes]));
        }
      },
    ),
    { numRuns: scaledRuns(500) },
  );
});

/** A request that fits the matcher, and has as little as possible in common with any other matcher. */
function witness({ uri, method, headers, queryParameters, sourceLabels, sourceNamespace }: RouteMatchView): Request {
  const all = (list: readonly NamedValueMatch[], fold: (name: string) => string): Record<string, string> =>
    Object.fromEntries(
      list
        .toSorted((a, b) => Number(a.value !== undefined) - Number(b.value !== undefined))
        .map(({ name, value = 'fresh' }) => [fold(name), value]),
    );
  return {
    path: pathOf(uri),
    method: method ?? 'FRESH',
    headers: all(headers, (name) => name.toLowerCase()),
    query: all(queryParameters, (name) => name),
    labels: sourceLabels ?? {},
    namespace: sourceNamespace ?? 'fresh',
  };
}

function pathOf(uri: StringMatchView | undefined): string {
  if (uri === undefined) return '/fresh~';
  // Upper case fits only case-insensitive matchers.
  const cased = (given: string): string => (uri.ignoreCase ? given.toUpperCase() : given);
  if ('exact' in uri) return cased(uri.exact);
  if ('prefix' in uri) return `${cased(uri.prefix)}fresh~`;
  return 'suffix' in uri ? `/~fresh${cased(uri.suffix)}` : '/';
}

test('if all matchers can be analysed, every route that is not reported can be reached', () => {
  let reached = 0;
  fc.assert(
    fc.property(fc.array(matchOf(plainUri, plainValue), { minLength: 1, maxLength: 6 }), (matchers) => {
      const routes = routesOf(matchers);
      const never = reported(routes, 'ROUTE_SHADOWED');
      for (const route of routes) {
        const required = witness(route.match);
        // A matcher may contradict itself, or require one case where another ignores case.
        if (never.has(policyOf(route)) || !matches(route.match, required)) continue;
        const first = routes.find(({ match }) => matches(match, required));
        assert.is(
          first === undefined ? undefined : policyOf(first),
          policyOf(route),
          JSON.stringify([required, routes]),
        );
        reached += 1;
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(reached > 500, `${reached}`);
});

const PARTS = ['uri', 'headers', 'queryParameters', 'method', 'sourceLabels', 'sourceNamespace'] as const;

/** Two matchers that differ in one or two parts, as most related ones do. */
const neighbours: fc.Arbitrary<readonly [RouteMatchView, RouteMatchView]> = fc
  .tuple(matchOf(anyUri, anyValue), matchOf(anyUri, anyValue), fc.subarray([...PARTS], { minLength: 1, maxLength: 2 }))
  .map(([one, other, parts]) => {
    const from = (list: readonly (typeof PARTS)[number][], of: RouteMatchView): Partial<RouteMatchView> =>
      Object.fromEntries(list.filter((part) => of[part] !== undefined).map((part) => [part, of[part]]));
    const retained = PARTS.filter((part) => !parts.includes(part));
    return [one, match({ ...from(retained, one), ...from(parts, other) })];
  });

test('the relation of two matchers holds for their requests', () => {
  fc.assert(
    fc.property(neighbours, fc.array(request, { minLength: 5, maxLength: 10 }), ([earlier, later], others) => {
      const whole = relationOf(earlier, later);
      const fitting = [earlier, later].flatMap((one) => others.map(({ path }) => ({ ...witness(one), path })));
      for (const one of [...others, ...fitting, witness(earlier), witness(later)]) {
        const [byEarlier, byLater] = [matches(earlier, one), matches(later, one)];
        const what = (): string => JSON.stringify([whole, earlier, later, one]);
        if (whole === 'disjoint') assert.not(byEarlier && byLater, what());
        if (whole === 'covers' || whole === 'equal') assert.ok(byEarlier || !byLater, what());
        if (whole === 'within' || whole === 'equal')
          assert.ok(byLater || !byEarlier || isRegexBesideExact(earlier, later), what());
      }
    }),
    { numRuns: scaledRuns(2000) },
  );
});

/** An exact path comes before a regex, so it does not matter whether the regex matches it. */
function isRegexBesideExact({ uri: earlier }: RouteMatchView, { uri: later }: RouteMatchView): boolean {
  return earlier !== undefined && later !== undefined && 'exact' in earlier && 'regex' in later;
}

const prefix = (value: string): StringMatchView => ({ prefix: value, ignoreCase: false });
/** As long as `/ab`, sorted before it, and matching it too. */
const IN_FRONT: StringMatchView = { prefix: '/AB', ignoreCase: true };
const match = (fields: Partial<RouteMatchView>): RouteMatchView => ({ headers: [], queryParameters: [], ...fields });
const header = (name: string, fields: Partial<NamedValueMatch> = {}): NamedValueMatch => ({
  name,
  regex: false,
  invert: false,
  ...fields,
});

test('a matcher behind a wider one is shadowed, and the report names the policy of the wider one', () => {
  const [problem] = overlapProblems(
    routesOf([match({ uri: IN_FRONT }), match({ uri: prefix('/ab'), headers: [header('canary', { value: 'yes' })] })]),
  );
  assert.is(problem?.state, 'DEGRADED');
  assert.equal(problem?.policies, [ref('p1')]);
  assert.is(problem?.report.code, 'ROUTE_SHADOWED');
  assert.equal(problem?.report.related, [ref('p0')]);
  assert.match(
    problem?.report.message ?? '',
    'this matcher never gets requests with path prefix /ab, header canary: the matcher of TrafficPolicy n/p0 (path prefix /AB in any case)',
  );
});

test('the report names the policy that requested the earlier matcher, not others with settings on its route', () => {
  const [requested, wider] = [{ ...ref('asked'), cluster: 'c1' }, ref('wider')];
  const timeout = (value: string, from: PolicyRef) => ({ requestTimeout: { value, from: [from] } });
  const [problem] = overlapProblems([
    {
      match: match({ uri: IN_FRONT }),
      fields: { retries: { value: { attempts: 1 }, from: [wider] }, ...timeout('1s', requested) },
      own: ['requestTimeout'],
    },
    { match: match({ uri: prefix('/ab') }), fields: timeout('2s', ref('later')), own: ['requestTimeout'] },
  ]);
  assert.match(
    problem?.report.message ?? '',
    'the matcher of TrafficPolicy n/asked of cluster c1 (path prefix /AB in any case)',
  );
  assert.equal(problem?.report.related, [requested]);
});

test('a regex next to a prefix is reported as not analysed, once', () => {
  const routes = routesOf([match({ uri: { regex: '/a.*', ignoreCase: false } }), match({ uri: prefix('/a') })]);
  assert.equal([...reported(routes, 'OVERLAP_NOT_ANALYSED')], ['p1']);
  assert.is(overlapProblems(routes)[0]?.state, 'ACCEPTED');
});

test('two headers with one regex path are reported as overlapping, as with one exact path', () => {
  const uri: StringMatchView = { regex: '/a.*', ignoreCase: false };
  const routes = routesOf([match({ uri, headers: [header('a')] }), match({ uri, headers: [header('b')] })]);
  assert.is(reported(routes, 'OVERLAPPING_MATCHERS').size, 1);
});

test('an earlier regex with the same values does not hide one with others', () => {
  const timeout = (value: string, name: string) => ({ requestTimeout: { value, from: [ref(name)] } });
  const route = (uri: StringMatchView, value: string, name: string): OrderedRoute => {
    return { match: match({ uri }), fields: timeout(value, name), own: ['requestTimeout'] };
  };
  const [problem, ...others] = overlapProblems([
    route({ regex: '/a.*', ignoreCase: false }, '1s', 'same'),
    route({ regex: '/.*b', ignoreCase: false }, '2s', 'other'),
    route(prefix('/a'), '1s', 'later'),
  ]).filter(({ policies }) => policies.some(({ name }) => name === 'later'));
  assert.equal([problem?.report.code, problem?.report.related], ['OVERLAP_NOT_ANALYSED', [ref('other')]]);
  assert.equal(others, []);
});

test('two headers with one path are reported as overlapping', () => {
  assert.is(
    reported(routesOf([match({ headers: [header('a')] }), match({ headers: [header('b')] })]), 'OVERLAPPING_MATCHERS')
      .size,
    1,
  );
});

test('no report if the more specific route is first, if both have the same values, or for inherited values', () => {
  assert.equal(
    overlapProblems(routesOf([match({ uri: prefix('/a') }), match({ uri: prefix('/a/b') }), match({})])),
    [],
  );
  const same = routesOf([match({ uri: IN_FRONT }), match({ uri: prefix('/ab') })]).map((route) => ({
    ...route,
    fields: { requestTimeout: { value: '1s', from: [ref('p')] } },
  }));
  assert.equal(overlapProblems(same), []);
  const left = routesOf([match({ uri: IN_FRONT }), match({ uri: prefix('/ab') })]).map((route) => ({
    ...route,
    own: [],
  }));
  assert.equal(overlapProblems(left), []);
});

test('of very many routes the first are compared, and the others report that they are not', () => {
  const many = Array.from({ length: MAX_COMPARED + 3 }, (_, index) =>
    match({ uri: prefix(`/p${String(index).padStart(3, '0')}`) }),
  );
  assert.is(reported(routesOf(many), 'OVERLAP_NOT_ANALYSED').size, 3);
});

test.run();
