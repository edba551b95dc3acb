// spec.includedRequestHeaders of an AccessLogRecord
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { headerName } from '../../schema/scalar.ts';

/** Names of request headers that are logged; omitted or empty: none. */
export type IncludedRequestHeaders = readonly string[];

export const includedRequestHeaders: SpecField<IncludedRequestHeaders> = {
  schema: list(headerName, { maximum: 100 }),
  examples: [['x-user', 'x-request-id']],
};
