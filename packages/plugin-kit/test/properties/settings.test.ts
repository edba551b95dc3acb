/** A plugin must reject unknown settings, and name the field with the error. */
import type { StandardSchema } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { refusesBadSettings } from '../../src/properties/settings.ts';
import { paperFixture, paperPlugin } from '../support/paper-mesh.ts';

/** Accepts only `{ size: <number> }`, unless it is lax. */
function schema(lax: boolean, path: readonly string[] = ['size']): StandardSchema<unknown> {
  return {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate(value) {
        const known = typeof value === 'object' && value !== null && !Array.isArray(value);
        if (!known || (!lax && Object.keys(value).some((name) => name !== 'size')))
          return { issues: [{ message: 'not settings' }] };
        const { size } = value as { size?: unknown };
        return size === undefined || typeof size === 'number' ? { value } : { issues: [{ message: 'too big', path }] };
      },
    },
  };
}

const tested = (settings?: StandardSchema<unknown>) => ({
  plugin: paperPlugin(settings === undefined ? {} : { settings }),
  fixture: paperFixture,
});
const BAD = [{ settings: { size: 'large' }, path: 'size' }];

test('a plugin without settings rejects all settings', () => refusesBadSettings(tested(), []));

test('a plugin with settings rejects bad ones by their path', () => refusesBadSettings(tested(schema(false)), BAD));

test('a plugin that accepts anything, names no path, or is not tried is detected', () => {
  assert.throws(() => refusesBadSettings(tested(schema(true)), BAD), /no such setting/);
  assert.throws(() => refusesBadSettings(tested(schema(false, [])), BAD), /without naming size/);
  assert.throws(() => refusesBadSettings(tested(schema(false)), []), /no badSettings/);
});

test.run();
