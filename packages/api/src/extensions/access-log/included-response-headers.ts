// spec.includedResponseHeaders of an AccessLogRecord
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { headerName } from '../../schema/scalar.ts';

/** Names of response headers that are logged; omitted or empty: none. */
export type IncludedResponseHeaders = readonly string[];

export const includedResponseHeaders: SpecField<IncludedResponseHeaders> = {
  schema: list(headerName, { maximum: 100 }),
  examples: [['server']],
};
