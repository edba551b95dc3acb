/**
 * Fields without an effect are detected, even if other fields of their object have one; fields that a report names are
 * not silent.
 */
import type { MeshPlugin } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { silentFields } from '../../src/cases/silent-fields.ts';
import { expandFleet } from '../../src/mod.ts';
import { loaded } from '../../src/tested-plugin.ts';
import * as fixture from '../guide/fixture.ts';
import { lantern } from '../guide/lantern.ts';

const KINDS = ['TrafficPolicy', 'AccessPolicy'];

/** The silent fields of these policies, all of them for the only Service. */
function silent(plugin: MeshPlugin, ...management: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const spec = { about: '', clusters: { one: { services: { 'books.shop': { ports: ['http:80'] } } } }, management };
  return silentFields([expandFleet(spec, { type: plugin.name, fixture })], KINDS, loaded({ plugin }));
}

const timeout = { TrafficPolicy: 'timeout', spec: { policy: { requestTimeout: '1s' } } };

test('a field that changes an output is not silent', () => {
  assert.equal(silent(lantern, timeout), []);
});

test('a field that a plugin claims to support, but writes nothing for, is silent', () => {
  const deaf: MeshPlugin = { ...lantern, translateDestination: () => {} };
  assert.equal(silent(deaf, timeout), ['TrafficPolicy spec.policy', 'TrafficPolicy spec.policy.requestTimeout']);
});

test('a field that a report names is not silent, nor are the parts of a field reported as not applied', () => {
  const fault = { TrafficPolicy: 'fault', spec: { policy: { faultInjection: { fixedDelay: '1s', percentage: 5 } } } };
  assert.equal(silent(lantern, fault), []);
});

test('a rejected value is not silent, a value next to it is', () => {
  const refused = { AccessPolicy: 'refused', spec: { allowedPorts: [70_000], allowedMethods: ['GET'] } };
  assert.equal(silent(lantern, refused), ['AccessPolicy spec.allowedMethods']);
});

test.run();
