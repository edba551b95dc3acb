/** The JSONPath subset of printer columns: members, indexes, wildcards and equality filters. */
import type { Json } from '../object.ts';
import { equalJson, isObject } from '../schema/json-values.ts';

/** All matches of a path in a document, in document order. */
export type JsonPath = (document: Json) => Json[];

type Step = (value: Json) => Json[];

const STEP =
  /^(?:\.?\[\s*'((?:[^'\\]|\\.)*)'\s*\]|\.?\[\s*"((?:[^"\\]|\\.)*)"\s*\]|\.?\[(-?\d+)\]|\.?\[\*\]|\.\*|\.?\[\?\(@((?:\.[\w-]+)+)\s*(==|!=)\s*("[^"]*"|'[^']*'|[^)\s]+)\s*\)\]|\.((?:[^.[\\]|\\.)+))/;

/**
 * Compiles a path such as `.status.conditions[?(@.type=="Ready")].status`.
 * @throws SyntaxError naming the unsupported part
 */
export function parseJsonPath(path: string): JsonPath {
  const steps: Step[] = [];
  let rest = path.startsWith('.') || path.startsWith('[') ? path : `.${path}`;
  while (rest !== '' && rest !== '.') {
    const match = STEP.exec(rest);
    if (match === null)
      throw new SyntaxError(`JSON path ${JSON.stringify(path)}: cannot understand ${JSON.stringify(rest)}`);
    steps.push(stepOf(match));
    rest = rest.slice(match[0].length);
  }
  return (document) => steps.reduce<Json[]>((values, step) => values.flatMap(step), [document]);
}

function stepOf(match: RegExpExecArray): Step {
  const [whole, single, double, index, filterPath, operator, operand, name] = match;
  if (index !== undefined) return at(Number(index));
  if (filterPath !== undefined)
    return filter(parseJsonPath(filterPath), operator === '==', parseOperand(operand ?? ''));
  const key = single ?? double ?? name;
  if (key === undefined || whole === '.*') return all;
  return member(key.replaceAll(/\\(.)/g, '$1'));
}

function member(key: string): Step {
  return (value) => (isObject(value) && Object.hasOwn(value, key) ? [value[key] as Json] : []);
}

function at(index: number): Step {
  return (value) => {
    const found = Array.isArray(value) ? value.at(index) : undefined;
    return found === undefined ? [] : [found];
  };
}

const all: Step = (value) => (Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []);

function filter(path: JsonPath, equal: boolean, operand: Json): Step {
  return (value) => all(value).filter((each) => path(each).some((found) => equalJson(found, operand)) === equal);
}

function parseOperand(text: string): Json {
  const quoted = /^(["'])(.*)\1$/.exec(text);
  if (quoted !== null) return quoted[2] ?? '';
  if (text === 'true' || text === 'false') return text === 'true';
  return Number.isNaN(Number(text)) ? text : Number(text);
}
