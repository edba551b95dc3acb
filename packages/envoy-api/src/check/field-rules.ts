/** Checks one field or value against its rules. */
import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import type { EnumRules, FieldRules } from '../gen/validate/validate_pb.ts';
import { durationProblem } from './duration-rules.ts';
import { type NumberRules, numberProblem } from './number-rules.ts';
import { bytesProblem, stringProblem } from './string-rules.ts';

/** The fault of a field as a whole: missing, too many items, or its single value. */
export function fieldProblem(rule: FieldRules, message: ReflectMessage, field: DescField): string | undefined {
  const set = message.isSet(field);
  const { type } = rule;
  const needed =
    rule.message?.required ||
    ((type.case === 'duration' || type.case === 'any' || type.case === 'timestamp') && type.value.required);
  if (needed && !set) return 'is required';
  if (type.case === 'repeated') return sizeProblem(type.value, 'minItems', 'maxItems', sizeOf(message, field));
  if (type.case === 'map') return sizeProblem(type.value, 'minPairs', 'maxPairs', sizeOf(message, field));
  if (type.case === undefined || (field.fieldKind === 'message' && !set)) return undefined;
  return valueProblem(rule, message.get(field), field);
}

/** The fault of a single value: of a field, an item of a list, a key or value of a map. */
export function valueProblem({ type }: FieldRules, raw: unknown, field: DescField): string | undefined {
  const value = unwrapped(raw);
  switch (type.case) {
    case undefined:
    case 'repeated':
    case 'map':
    case 'any':
    case 'timestamp':
      return undefined;
    case 'bool':
      return !Object.hasOwn(type.value, 'const') || type.value.const === value
        ? undefined
        : `must be ${type.value.const}`;
    case 'string':
      return stringProblem(type.value, value as string);
    case 'bytes':
      return bytesProblem(type.value, value as Uint8Array);
    case 'enum':
      return enumProblem(type.value, value as number, field);
    case 'duration':
      return durationProblem(type.value, (value as ReflectMessage).message as never);
    default:
      return numberProblem(type.value as NumberRules, value as number | bigint);
  }
}

function enumProblem(rules: EnumRules, value: number, field: DescField): string | undefined {
  const { enum: desc } = field as DescField & { readonly enum?: DescEnum };
  if (rules.definedOnly && desc !== undefined && desc.value[value] === undefined)
    return `must not be ${value}, which has no name`;
  if (Object.hasOwn(rules, 'const') && rules.const !== value) return `must be ${rules.const}`;
  if (rules.notIn.includes(value)) return `must not be ${value}`;
  return rules.in.length > 0 && !rules.in.includes(value) ? `must be one of ${rules.in.join(', ')}` : undefined;
}

/** A rule that is not set reads as 0, which means no rule. */
function sizeProblem<Rules extends { readonly ignoreEmpty: boolean }>(
  rules: Rules,
  least: keyof Rules,
  max: keyof Rules,
  size: number,
): string | undefined {
  if (rules.ignoreEmpty && size === 0) return undefined;
  if (Object.hasOwn(rules, least) && size < Number(rules[least]))
    return `must have at least ${rules[least]} entries, has ${size}`;
  if (Object.hasOwn(rules, max) && size > Number(rules[max]))
    return `must have at most ${rules[max]} entries, has ${size}`;
  return undefined;
}

function sizeOf(message: ReflectMessage, field: DescField): number {
  if (field.fieldKind !== 'list' && field.fieldKind !== 'map') return 0;
  return message.get(field).size;
}

/** A number in a message of its own, so that it may be absent. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('desc' in value)) return value;
  const { desc } = value as { readonly desc: DescMessage };
  return isWrapperDesc(desc) ? (value as ReflectMessage).get(desc.field['value'] as DescField) : value;
}
