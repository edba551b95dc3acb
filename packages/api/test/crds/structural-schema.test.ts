// An API server must accept every CRD unchanged.
import { assert, test } from '@meshrelay/testing';
import * as z from 'zod';
import { crds } from '../../src/crds/mod.ts';
import { structuralSchema } from '../../src/crds/structural-schema.ts';
import { kinds } from '../../src/mod.ts';
import { crdFaults, structuralFaults } from '../support/structural-faults.ts';

test('there is a CRD for every kind', () => {
  assert.equal(
    crds.map(({ spec }) => spec.names.kind),
    kinds.map(({ kind }) => kind),
  );
});

for (const crd of crds) {
  test(`${crd.metadata.name} is structural`, () => {
    assert.equal(crdFaults(crd as unknown as Record<string, unknown>), []);
  });
}

test('unions become sibling fields and a rule', () => {
  const crd = crds.find(({ spec }) => spec.names.kind === 'TrafficPolicy');
  const spec = crd?.spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'];
  const fault = spec?.properties?.['policy']?.properties?.['faultInjection'];
  assert.equal(Object.keys(fault?.properties ?? {}), ['fixedDelay', 'abort', 'percentage']);
  assert.equal(fault?.['x-kubernetes-validations'], [
    {
      rule: '[has(self.fixedDelay), has(self.abort)].exists_one(given, given)',
      message: 'must have exactly one of fixedDelay, abort',
    },
  ]);
});

test('a field with a default has it in the CRD', () => {
  const crd = crds.find(({ spec }) => spec.names.kind === 'VirtualMesh');
  const spec = crd?.spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'];
  assert.is(spec?.properties?.['globalAccessPolicy']?.default, 'MESH_DEFAULT');
  assert.is(spec?.properties?.['federation']?.properties?.['hostnameSuffix']?.default, 'global');
});

test('a schema that Kubernetes would reject fails when it is built', () => {
  assert.throws(() => structuralSchema(z.union([z.string(), z.number()])), /a CRD cannot say anyOf/);
  assert.throws(() => structuralSchema(z.string().nullable()), /a CRD cannot say nullable/);
});

test('the checker of structural schemas finds faults', () => {
  assert.equal(structuralFaults({}, 'a').length, 1);
  assert.equal(structuralFaults({ type: 'array' }, 'a'), ['a: items must be specified']);
  assert.equal(structuralFaults({ type: 'object', anyOf: [] }, 'a'), ['a: anyOf is not for structural schemas']);
  assert.equal(structuralFaults({ type: 'string', pattern: '(?=a)' }, 'a'), ['a: pattern is not RE2']);
  assert.equal(structuralFaults({ type: 'object', required: ['b'] }, 'a'), ['a: requires unknown b']);
  assert.equal(structuralFaults({ type: 'integer', default: '1' }, 'a'), ['a: default is invalid']);
  assert.equal(structuralFaults({ type: 'string', enum: ['A'], default: 'B' }, 'a'), ['a: default is invalid']);
  assert.equal(structuralFaults({ type: 'integer', maximum: 3, default: 4 }, 'a'), ['a: default is invalid']);
  assert.equal(structuralFaults({ type: 'integer', maximum: 3, default: 3 }, 'a'), []);
  const rule = { rule: 'has(self.c)', message: 'm' };
  assert.equal(structuralFaults({ type: 'object', 'x-kubernetes-validations': [rule] }, 'a'), ['a: rule knows no .c']);
});

test.run();
