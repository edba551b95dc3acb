/**
 * For two values of one rule, a golden case shows that the later one is a conflict. plugin-kit checks the property that
 * rules are independent.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { crds } from '@meshrelay/api/crds';
import { assert, test } from '@meshrelay/testing';
import { parse } from 'yaml';

/** All fields of `spec.policy`, as the CRD has them. */
function rulesOfPolicies(): string[] {
  const crd = crds.find(({ spec }) => spec.names.kind === 'TrafficPolicy');
  const schema = crd?.spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec']?.properties?.['policy'];
  return Object.keys(schema?.properties ?? {}).sort();
}

test('golden cases show a conflict about every rule, with the winner and both values', () => {
  const golden = new URL('./golden/', import.meta.url);
  const policies = readdirSync(golden).flatMap(
    (name): StatusRow[] => parse(readFileSync(new URL(`${name}/report.yaml`, golden), 'utf8')) ?? [],
  );
  const conflicts = policies
    .flatMap(({ targets }) => targets.flatMap(({ reports }) => reports))
    .filter(
      ({ code, message }) =>
        code === 'CONFLICT' && / was accepted earlier and sets .* to .* but this policy sets /.test(message),
    );
  const shown = new Set(conflicts.map(({ field }) => field));
  assert.equal(
    rulesOfPolicies().filter((rule) => !shown.has(`spec.policy.${rule}`)),
    [],
  );
});

interface StatusRow {
  readonly targets: ReadonlyArray<{
    readonly reports: ReadonlyArray<{ readonly code: string; readonly field?: string; readonly message: string }>;
  }>;
}

test.run();
