// spec.includedResponseTrailers of an AccessLogRecord
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { headerName } from '../../schema/scalar.ts';

/** Names of response trailers that are logged; omitted or empty: none. */
export type IncludedResponseTrailers = readonly string[];

export const includedResponseTrailers: SpecField<IncludedResponseTrailers> = {
  schema: list(headerName, { maximum: 100 }),
  examples: [['grpc-status']],
};
