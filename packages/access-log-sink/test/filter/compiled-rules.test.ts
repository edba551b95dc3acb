/** Rules retain matching entries, and show the headers that they include. */
import { assert, test } from '@meshrelay/testing';
import { blankFields, type WritableFields } from '../../src/entry/access-log-fields.ts';
import { compileRules } from '../../src/filter/compiled-rules.ts';
import type { LogFilter, LogRule } from '../../src/filter/log-rule.ts';

const rule = (filters: readonly LogFilter[], more: Partial<LogRule> = {}): LogRule => ({
  name: 'r',
  filters,
  includedRequestHeaders: [],
  includedResponseHeaders: [],
  includedResponseTrailers: [],
  includedFilterStateObjects: [],
  ...more,
});
const http = (fields: Partial<WritableFields>): WritableFields => ({ ...blankFields('http'), ...fields });
const status = (value: number, comparator: 'EQ' | 'GE' | 'LE'): LogFilter => ({
  statusCodeMatcher: { value, comparator },
});

test('statuses are compared as specified', () => {
  const retained = (filter: LogFilter): number[] =>
    [199, 200, 201].filter((each) => compileRules([rule([filter])]).keeps(http({ status: each })));
  assert.equal(retained(status(200, 'EQ')), [200]);
  assert.equal(retained(status(200, 'GE')), [200, 201]);
  assert.equal(retained(status(200, 'LE')), [199, 200]);
  assert.ok(compileRules([rule([status(0, 'EQ')])]).keeps(http({})), 'a request without a response');
  assert.not(compileRules([rule([status(0, 'GE')])]).keeps({ ...http({}), kind: 'tcp' }), 'a connection');
});

test('headers are compared in any field where Envoy writes them', () => {
  const fields = http({ method: 'POST', path: '/a', userAgent: 'curl/8', requestHeaders: { 'x-team': 'blue' } });
  const keeps = (headerMatcher: LogFilter['headerMatcher'] & object): boolean =>
    compileRules([rule([{ headerMatcher }])]).keeps(fields);
  assert.ok(keeps({ name: ':method', value: 'POST' }));
  assert.ok(keeps({ name: ':path', value: '/a|/b', regex: true }));
  assert.ok(keeps({ name: 'user-agent', value: 'curl/.*', regex: true }));
  assert.not(keeps({ name: 'user-agent', value: 'curl', regex: true }), 'the whole value, not a part');
  assert.ok(keeps({ name: 'x-team' }), 'present');
  assert.not(keeps({ name: 'x-other' }));
  assert.ok(keeps({ name: 'x-other', invertMatch: true }));
  assert.not(keeps({ name: 'x-team', value: 'blue', invertMatch: true }));
});

test('any filter of any rule is enough, a rule without filters keeps all, no rule keeps nothing', () => {
  const rules = compileRules([
    rule([status(500, 'GE'), status(404, 'EQ')]),
    rule([{ headerMatcher: { name: 'x-debug' } }]),
  ]);
  assert.equal([...rules.needs].sort(), ['requestHeaders', 'status']);
  assert.is(rules.always, undefined);
  assert.ok(rules.keeps(http({ status: 404 })));
  assert.ok(rules.keeps(http({ status: 200, requestHeaders: { 'x-debug': '1' } })));
  assert.not(rules.keeps(http({ status: 200 })));
  assert.is(compileRules([rule([])]).always, true);
  assert.is(compileRules([]).always, false);
});

test('an entry shows what its matching rules include', () => {
  const rules = compileRules([
    rule([], { includedRequestHeaders: ['x-a'] }),
    rule([status(500, 'GE')], { includedRequestHeaders: ['x-b'], includedResponseHeaders: ['server'] }),
  ]);
  const shown = (code: number): WritableFields => {
    const fields = http({
      status: code,
      requestHeaders: { 'x-a': '1', 'x-b': '2', cookie: 's' },
      responseHeaders: { server: 'e' },
    });
    rules.show(fields);
    return fields;
  };
  assert.equal({ ...shown(200).requestHeaders }, { 'x-a': '1' });
  assert.is(shown(200).responseHeaders, undefined);
  assert.equal({ ...shown(503).requestHeaders }, { 'x-a': '1', 'x-b': '2' });
  assert.equal({ ...shown(503).responseHeaders }, { server: 'e' });
});

test.run();
