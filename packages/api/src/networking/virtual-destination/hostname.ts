// spec.hostname of a VirtualDestination
import type { SpecField } from '../../schema/field.ts';
import { textLike } from '../../schema/scalar.ts';

/** The host name that callers use: any name of at least two labels, or the name of the backend Services. */
export type VirtualHostname = string;

export const hostname: SpecField<VirtualHostname> = {
  schema: textLike({
    expected: 'a DNS name of at least two parts, such as reviews.global: lower case letters, digits, - and .',
    pattern: /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)+$/,
    maxLength: 253,
  }),
  examples: ['books.global'],
};
