// spec.notPaths of an AccessPolicy
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { accessPath } from './allowed-paths.ts';

/** Paths that do not match, written like `allowedPaths`; omitted or empty: none. */
export type NotPaths = readonly string[];

export const notPaths: SpecField<NotPaths> = { schema: list(accessPath), examples: [['/books/drafts/*']] };
