/**
 * The rules that Envoy checks first (protoc-gen-validate's, from its .proto files). One resource that breaks them makes
 * Envoy reject its whole response, so they are checked before sending.
 */
import type { DescMessage, DescOneof, Message } from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import { type Any, anyUnpack } from '@bufbuild/protobuf/wkt';
import { registry } from '../messages/registry.ts';
import { fieldProblem, valueProblem } from './field-rules.ts';
import { type CheckedField, checkedFields, isUnchecked, mustBeSet } from './rules-of.ts';

const ANY = 'google.protobuf.Any';
/** Maximum nesting depth; Envoy's own messages have far fewer levels. */
const DEEPEST = 100;

/**
 * The faults of a message, including extensions in it: the path of the field and the broken rule. Empty if it is valid.
 */
export function violations(schema: DescMessage, message: Message): string[] {
  const found: string[] = [];
  check(reflect(schema, message), '', found, 0);
  return found;
}

function check(message: ReflectMessage, path: string, found: string[], depth: number): void {
  const { desc } = message;
  if (depth > DEEPEST) {
    found.push(`${path} is nested more than ${DEEPEST} deep`);
    return;
  }
  if (isUnchecked(desc)) return;
  if (desc.typeName === ANY) {
    const inner = unpacked(message.message as Any);
    if (inner !== undefined) check(inner, path, found, depth + 1);
    return;
  }
  for (const oneof of desc.oneofs) checkOneof(message, oneof, path, found);
  for (const checked of checkedFields(desc)) checkField(message, checked, path, found, depth);
}

function checkOneof(message: ReflectMessage, oneof: DescOneof, path: string, found: string[]): void {
  if (!mustBeSet(oneof) || message.oneofCase(oneof) !== undefined) return;
  const names = oneof.fields.map(({ name }) => name).join(', ');
  found.push(`${path === '' ? message.desc.name : path} must have one of ${names}`);
}

function checkField(
  message: ReflectMessage,
  { field, rule, requested }: CheckedField,
  parent: string,
  found: string[],
  depth: number,
): void {
  const set = message.isSet(field);
  if (!set && !requested) return;
  const path = parent === '' ? field.name : `${parent}.${field.name}`;
  // Members of a oneof have rules only while they are set.
  const problem = set || field.oneof === undefined ? fieldProblem(rule, message, field) : undefined;
  if (problem !== undefined) found.push(`${path} ${problem}`);
  if (!set || rule.message?.skip) return;
  if (field.fieldKind === 'message') check(message.get(field), path, found, depth + 1);
  else if (field.fieldKind === 'list') {
    const items = rule.type.case === 'repeated' ? rule.type.value.items : undefined;
    let index = 0;
    for (const item of message.get(field)) {
      const at = `${path}[${index}]`;
      const bad = items === undefined ? undefined : valueProblem(items, item, field);
      if (bad !== undefined) found.push(`${at} ${bad}`);
      if (field.listKind === 'message') check(item as ReflectMessage, at, found, depth + 1);
      index += 1;
    }
  } else if (field.fieldKind === 'map') {
    const { keys, values } = rule.type.case === 'map' ? rule.type.value : {};
    for (const [key, item] of message.get(field)) {
      const at = `${path}["${key}"]`;
      const bad = (keys && valueProblem(keys, key, field)) ?? (values && valueProblem(values, item, field));
      if (bad !== undefined) found.push(`${at} ${bad}`);
      if (field.mapKind === 'message') check(item as ReflectMessage, at, found, depth + 1);
    }
  }
}

/** Only Envoy can check the content of an unknown extension. */
function unpacked(any: Any): ReflectMessage | undefined {
  const message = anyUnpack(any, registry);
  const schema = message === undefined ? undefined : registry.getMessage(message.$typeName);
  return message === undefined || schema === undefined ? undefined : reflect(schema, message);
}
