/** A permission for each of the paths. */
import type { AccessField } from './field.ts';
import { oneOf, path } from './permission.ts';

export const allowedPaths: AccessField<'allowedPaths'> = {
  capabilities: { 'access.paths': 'native' },
  permissions: ({ paths }) => oneOf(paths.map(path)),
};
