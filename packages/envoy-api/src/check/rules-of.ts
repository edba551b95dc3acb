/**
 * The rules in the .proto files for a message, a oneof, a field. Options are decoded from bytes each time they are
 * read, so this is done once per descriptor.
 */
import { type DescField, type DescMessage, type DescOneof, getOption } from '@bufbuild/protobuf';
import { disabled, type FieldRules, ignored, required, rules } from '../gen/validate/validate_pb.ts';

/** Whether a message and everything in it has no rules. */
export const isUnchecked: (desc: DescMessage) => boolean = once(
  (desc) => getOption(desc, disabled) || getOption(desc, ignored),
);

/** Whether one member must be set. */
export const mustBeSet: (desc: DescOneof) => boolean = once((desc) => getOption(desc, required));

/** Rules of a field, its items, its keys and values. */
const rulesOf: (desc: DescField) => FieldRules = once((desc) => getOption(desc, rules));

/** A field that may be invalid, itself or in its content. */
export interface CheckedField {
  readonly field: DescField;
  readonly rule: FieldRules;
  /** Whether it may be invalid without being set. */
  readonly requested: boolean;
}

/** Rules of a message. Most fields in Envoy's API have no rule and hold no message. */
export const checkedFields: (desc: DescMessage) => readonly CheckedField[] = once(({ fields }) =>
  fields
    .map((field) => {
      const rule = rulesOf(field);
      return { field, rule, requested: rule.type.case !== undefined || rule.message !== undefined };
    })
    .filter(({ field, requested }) => requested || field.message !== undefined),
);

function once<Desc extends object, Value>(read: (desc: Desc) => Value): (desc: Desc) => Value {
  const known = new WeakMap<Desc, Value>();
  return (desc) => {
    const before = known.get(desc);
    if (before !== undefined) return before;
    const value = read(desc);
    known.set(desc, value);
    return value;
  };
}
