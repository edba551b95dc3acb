// spec.allowedPaths of an AccessPolicy
import type * as z from 'zod/mini';
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { textLike } from '../../schema/scalar.ts';

/** `/exact`, `/prefix*` or `*suffix`; omitted or empty: any. A gRPC method is `/package.Service/Method`. */
export type AllowedPaths = readonly string[];

/** A path of an access rule. */
export const accessPath: z.ZodMiniType<string> = textLike({
  expected: 'a path such as /exact, /prefix* or *suffix, with at most one * at its start or end',
  pattern: /^(\/[^*]*\*?|\*[^*]*)$/,
  maxLength: 4096,
});

export const allowedPaths: SpecField<AllowedPaths> = {
  schema: list(accessPath),
  examples: [['/books', '/books/*', '/shop.Orders/List']],
};
