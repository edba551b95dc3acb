/**
 * The rest of an ALLOW where a mesh does not support a DENY: never a denied request, and exactly the rest if it can be
 * expressed.
 */

import type { AccessRuleView, AccessSources } from '@meshrelay/plugin';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { withoutDenied } from '../../src/translate/without-denied.ts';

function rule(
  action: AccessRuleView['action'],
  callers: readonly string[] | 'anyone',
  more: object = {},
): AccessRuleView {
  const sources: AccessSources =
    callers === 'anyone' ? { kind: 'anyone' } : { kind: 'principals', principals: callers };
  const any = { paths: [], methods: [], ports: [], notPaths: [], notMethods: [], notPorts: [], from: [] };
  return { action, sources, ...any, ...more };
}

const who = ({ sources }: AccessRuleView) => (sources.kind === 'anyone' ? 'anyone' : sources.principals);

const [A, B] = ['td/ns/x/sa/a', 'td/ns/x/sa/b'];

const cases: ReadonlyArray<
  [what: string, allow: AccessRuleView, deny: AccessRuleView, left: unknown[], denied: string[], closed: string[]]
> = [
  ['another caller', rule('ALLOW', [A]), rule('DENY', [B]), [[[A], [], []]], [], []],
  ['one of two callers', rule('ALLOW', [A, B]), rule('DENY', [A]), [[[B], [], []]], [A], []],
  ['the only caller: no caller is left', rule('ALLOW', [A]), rule('DENY', [A]), [[[], [], []]], [A], []],
  ['callers by a wildcard', rule('ALLOW', [A, B]), rule('DENY', ['td/ns/x/*']), [[[], [], []]], [A, B], []],
  ['one of a wildcard: that goes', rule('ALLOW', ['td/*', B]), rule('DENY', [A]), [[[B], [], []]], [], ['td/*']],
  ['one of anyone', rule('ALLOW', 'anyone'), rule('DENY', [A]), [[[], [], []]], [], ['anyone']],
  ['anyone at all', rule('ALLOW', [A]), rule('DENY', 'anyone'), [[[], [], []]], [A], []],
  [
    'one of two methods',
    rule('ALLOW', [A, B], { methods: ['GET', 'PUT'] }),
    rule('DENY', [A], { methods: ['PUT'] }),
    [
      [[B], [], ['GET', 'PUT']],
      [[A], [], ['GET']],
    ],
    [A],
    [],
  ],
  [
    'another method',
    rule('ALLOW', [A], { methods: ['GET'] }),
    rule('DENY', [A], { methods: ['PUT'] }),
    [[[A], [], ['GET']]],
    [],
    [],
  ],
  [
    'a path of all: not to be said',
    rule('ALLOW', [A, B]),
    rule('DENY', [A], { paths: ['/admin'] }),
    [[[B], [], []]],
    [],
    [A],
  ],
  [
    'one of two paths, by a wildcard',
    rule('ALLOW', [A], { paths: ['/admin/x', '/books'] }),
    rule('DENY', [A], { paths: ['/admin*'] }),
    [[[A], ['/books'], []]],
    [A],
    [],
  ],
  [
    'a path within a wildcard: not to be said',
    rule('ALLOW', [A], { paths: ['/admin*'] }),
    rule('DENY', [A], { paths: ['/admin/x'] }),
    [[[], ['/admin*'], []]],
    [],
    [A],
  ],
  [
    'what is not excluded: not to be said',
    rule('ALLOW', [A], { paths: ['/books'] }),
    rule('DENY', [A], { notPaths: ['/open'] }),
    [[[], ['/books'], []]],
    [],
    [A],
  ],
];

for (const [what, allow, deny, left, denied, closed] of cases) {
  test(what, () => {
    const found = withoutDenied(allow, deny);
    assert.equal(
      found.rules.map((one) => [who(one), one.paths, one.methods]),
      left,
    );
    assert.equal([found.denied, found.closed], [denied, closed]);
  });
}

const list = <T>(...values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 });
const anyRule = (action: AccessRuleView['action']) =>
  fc
    .record({
      callers: fc.oneof(fc.constant('anyone' as const), list(A, B, 'td/ns/x/*', 'td/ns/y/*', 'td/*')),
      paths: list('/a', '/a*', '/a/b', '*b', '/c', '*'),
      methods: list('GET', 'PUT'),
      ports: list(80, 81),
      notMethods: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, list('GET')),
    })
    .map(({ callers, ...more }) => rule(action, callers, more));

/** Requests that together distinguish all such rules. */
const REQUESTS = [A, B, 'td/ns/y/sa/a', undefined].flatMap((caller) =>
  ['/a', '/a/b', '/ab', '/c', '/b'].flatMap((path) =>
    ['GET', 'PUT', 'POST'].flatMap((method) => [80, 81, 82].map((port) => ({ caller, path, method, port }))),
  ),
);

function fits({ sources, ...one }: AccessRuleView, { caller, path, method, port }: (typeof REQUESTS)[number]): boolean {
  const like = (pattern: string, text: string): boolean =>
    pattern.startsWith('*')
      ? text.endsWith(pattern.slice(1))
      : pattern.endsWith('*')
        ? text.startsWith(pattern.slice(0, -1))
        : pattern === text;
  const isCaller =
    sources.kind === 'anyone' || (caller !== undefined && sources.principals.some((pattern) => like(pattern, caller)));
  return (
    isCaller &&
    (one.paths.length === 0 || one.paths.some((pattern) => like(pattern, path))) &&
    (one.methods.length === 0 || one.methods.includes(method)) &&
    (one.ports.length === 0 || one.ports.includes(port)) &&
    !one.notMethods.includes(method)
  );
}

test('no denied or unlisted request is admitted, and every other one is, unless a caller is closed out', () => {
  fc.assert(
    fc.property(anyRule('ALLOW'), anyRule('DENY'), (allow, deny) => {
      const { rules, closed } = withoutDenied(allow, deny);
      for (const request of REQUESTS) {
        const meant = fits(allow, request) && !fits(deny, request);
        const is = rules.some((one) => fits(one, request));
        assert.ok(!is || meant, `let in: ${JSON.stringify({ allow, deny, request })}`);
        assert.ok(is || !meant || closed.length > 0, `kept out: ${JSON.stringify({ allow, deny, request })}`);
      }
    }),
    { numRuns: scaledRuns(1000) },
  );
});

test.run();
