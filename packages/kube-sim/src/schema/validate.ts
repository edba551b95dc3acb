/**
 * Validates a value against a structural schema, with the texts of the real API server. CEL rules are not evaluated.
 */

import {
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from '../errors/field-error.ts';
import type { Json, JsonObject, SchemaNode } from '../object.ts';
import { item } from './field-path.ts';
import { matchesFormat } from './formats.ts';
import { equalJson, isObject, jsonType } from './json-values.ts';
import { compilePattern } from './pattern.ts';

/**
 * Result of checking one value. `matches` counts the satisfied rules; it selects the alternative of a union to report.
 */
interface Findings {
  readonly errors: FieldError[];
  matches: number;
}

/** Every rule of the schema that the value breaks. `root` is the path of the value itself, `''` for a whole object. */
export function validate(value: Json, schema: SchemaNode, root = ''): FieldError[] {
  return check(value, schema, root).errors;
}

function check(value: Json, schema: SchemaNode, path: string): Findings {
  const findings: Findings = { errors: [], matches: 0 };
  if (!checkType(value, schema, path, findings) && value === null) return findings;
  if (value === null) return findings;
  checkUnions(value, schema, path, findings);
  if (typeof value === 'string') checkString(value, schema, path, findings);
  else if (typeof value === 'number') checkNumber(value, schema, path, findings);
  else if (Array.isArray(value)) checkList(value, schema, path, findings);
  checkEnum(value, schema, path, findings);
  if (isObject(value)) checkMembers(value, schema, path, findings);
  if (findings.errors.length === 0) findings.matches++;
  return findings;
}

function merge(into: Findings, from: Findings): void {
  into.errors.push(...from.errors);
  into.matches += from.matches;
}

function fail(findings: Findings, path: string, value: Json, rule: string): void {
  findings.errors.push(invalid(named(path), value, `${path} in body ${rule}`));
}

/** The root has no name: its errors have the path `<nil>`. */
function named(path: string): string {
  return path === '' ? '<nil>' : path.replace(/^\./, '');
}

function checkType(value: Json, schema: SchemaNode, path: string, findings: Findings): boolean {
  const actual = jsonType(value);
  if (value === null && schema.nullable === true) return true;
  const allowed = allowedTypes(schema);
  if (allowed.length === 0 || allowed.includes(actual)) return true;
  if (actual === 'integer' && allowed.includes('number')) return true;
  const detail = `${path} in body must be of type ${allowed.join(',')}: ${JSON.stringify(actual)}`;
  findings.errors.push(typeInvalid(named(path), actual, detail));
  return false;
}

function allowedTypes(schema: SchemaNode): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined ? [] : [schema.type];
}

function checkString(value: string, schema: SchemaNode, path: string, findings: Findings): void {
  const length = [...value].length;
  if (schema.maxLength !== undefined && length > schema.maxLength)
    findings.errors.push(tooLong(named(path), schema.maxLength));
  if (schema.minLength !== undefined && length < schema.minLength)
    fail(findings, path, value, `should be at least ${schema.minLength} chars long`);
  if (schema.pattern !== undefined && !compilePattern(schema.pattern).test(value))
    fail(findings, path, value, `should match '${schema.pattern}'`);
  if (schema.format !== undefined && !matchesFormat(schema.format, value))
    fail(findings, path, value, `must be of type ${schema.format}: ${JSON.stringify(value)}`);
}

function checkNumber(value: number, schema: SchemaNode, path: string, findings: Findings): void {
  const { maximum, minimum, multipleOf } = schema;
  const exclusiveMaximum = schema.exclusiveMaximum === true;
  const exclusiveMinimum = schema.exclusiveMinimum === true;
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf))
    fail(findings, path, value, `should be a multiple of ${multipleOf}`);
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum))
    fail(findings, path, value, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`);
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum))
    fail(findings, path, value, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`);
}

function checkList(value: readonly Json[], schema: SchemaNode, path: string, findings: Findings): void {
  const { items, minItems, maxItems } = schema;
  if (items !== undefined)
    for (const [index, each] of value.entries()) merge(findings, check(each, items, item(path, index)));
  if (minItems !== undefined && value.length < minItems)
    fail(findings, path, value.length, `should have at least ${minItems} items`);
  if (maxItems !== undefined && value.length > maxItems)
    findings.errors.push(tooMany(named(path), value.length, maxItems));
}

function checkEnum(value: Json, schema: SchemaNode, path: string, findings: Findings): void {
  const allowed = schema.enum;
  if (allowed === undefined || allowed.some((each) => equalJson(each, value))) return;
  const texts = allowed.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
  findings.errors.push(notSupported(named(path), value, texts));
}

function checkMembers(value: JsonObject, schema: SchemaNode, path: string, findings: Findings): void {
  const count = Object.keys(value).length;
  if (schema.minProperties !== undefined && count < schema.minProperties)
    fail(findings, path, count, `should have at least ${schema.minProperties} properties`);
  if (schema.maxProperties !== undefined && count > schema.maxProperties)
    findings.errors.push(tooMany(named(path), count, schema.maxProperties));
  const properties = schema.properties ?? {};
  for (const [key, each] of Object.entries(value)) {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const below = path === '' ? key : `${path}.${key}`;
    if (known !== undefined) merge(findings, check(each, known, below));
    else if (typeof schema.additionalProperties === 'object')
      merge(findings, check(each, schema.additionalProperties, below));
  }
  for (const key of schema.required ?? [])
    if (!Object.hasOwn(value, key)) findings.errors.push(required(named(`${path}.${key}`)));
}

function checkUnions(value: Json, schema: SchemaNode, path: string, findings: Findings): void {
  const name = JSON.stringify(path);
  if (schema.anyOf !== undefined && schema.anyOf.length > 0) {
    const { valid, best } = tryAll(value, schema.anyOf, path);
    if (valid === 0) findings.errors.push(union(`${name} must validate at least one schema (anyOf)`));
    if (valid === 0 && best !== undefined) merge(findings, best);
  }
  if (schema.oneOf !== undefined && schema.oneOf.length > 0) {
    const { valid, best } = tryAll(value, schema.oneOf, path);
    const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
    if (valid !== 1) findings.errors.push(union(`${name} must validate one and only one schema (oneOf). ${found}`));
    if (valid === 0 && best !== undefined) merge(findings, best);
  }
  if (schema.allOf !== undefined) checkAllOf(value, schema.allOf, path, findings);
  if (schema.not !== undefined && check(value, schema.not, path).errors.length === 0)
    findings.errors.push(union(`${name} must not validate the schema (not)`));
}

function checkAllOf(value: Json, schemas: readonly SchemaNode[], path: string, findings: Findings): void {
  const results = schemas.map((each) => check(value, each, path));
  for (const result of results) merge(findings, result);
  const valid = results.filter((result) => result.errors.length === 0).length;
  if (valid === schemas.length) return;
  const tail = valid === 0 ? '. None validated' : '';
  findings.errors.push(union(`${JSON.stringify(path)} must validate all the schemas (allOf)${tail}`));
}

function union(message: string): FieldError {
  return invalid('<nil>', '', message);
}

/** Number of matching alternatives, and the findings of the closest failing one. */
function tryAll(
  value: Json,
  schemas: readonly SchemaNode[],
  path: string,
): { readonly valid: number; readonly best: Findings | undefined } {
  let valid = 0;
  let best: Findings | undefined;
  for (const schema of schemas) {
    const result = check(value, schema, path);
    if (result.errors.length === 0) valid++;
    else if (best === undefined || result.matches > best.matches) best = result;
  }
  return { valid, best };
}
