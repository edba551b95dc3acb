/** Checks of answers that become values of a field: the schema of the field decides. */
import type { TrafficRules } from '@meshrelay/api';
import { InputError } from '../problem.ts';
import { type CreatedKind, fieldProblem } from './field-problem.ts';
import { parseShift, splitPair } from './shift.ts';

/** Returns the text. @throws InputError that says what it must be */
export type Check = (text: string) => string;

/** @param spec a valid spec, except for the value */
function fieldCheck(kind: CreatedKind, field: string, spec: (text: string) => object): Check {
  return (text) => {
    const problem = fieldProblem(kind, spec(text), field);
    if (problem === undefined) return text;
    throw new InputError(problem);
  };
}

/** Text that is not a number stays, so that the schema rejects it. */
function number(text: string): number {
  return /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : (text as unknown as number);
}

function traffic(rules: (text: string) => TrafficRules): Check {
  return fieldCheck('TrafficPolicy', 'spec.policy', (text) => ({ policy: rules(text) }));
}

export const timeout: Check = traffic((requestTimeout) => ({ requestTimeout }));
export const retries: Check = traffic((text) => ({ retries: { attempts: number(text) } }));
export const perTryTimeout: Check = traffic((text) => ({ retries: { attempts: 1, perTryTimeout: text } }));
export const delay: Check = traffic((fixedDelay) => ({ faultInjection: { fixedDelay } }));
export const abort: Check = traffic((text) => ({ faultInjection: { abort: { httpStatus: number(text) } } }));
export const faultPercent: Check = traffic((text) => ({
  faultInjection: { fixedDelay: '1s', percentage: number(text) },
}));
export const headerName: Check = traffic((name) => ({ headerManipulation: { removeRequestHeaders: [name] } }));

const namedHeader: Check = traffic((text) => ({
  headerManipulation: { appendRequestHeaders: Object.fromEntries([splitPair(text)]) },
}));

/** `NAME=VALUE`. */
export function header(text: string): string {
  if (text.includes('=')) return namedHeader(text);
  throw new InputError(`must be NAME=VALUE, such as x-canary=true, got "${text}"`);
}

const TARGET = { name: 'any', namespace: 'any', clusterName: 'any' };
export const weight: Check = traffic((text) => ({
  trafficShift: { destinations: [{ weight: number(text), kubeService: TARGET }, { kubeService: TARGET }] },
}));

/** `WEIGHT=SERVICE[:PORT][,LABEL=VALUE]...`. */
export function shift(text: string): string {
  const share = parseShift(text);
  if (share !== undefined) {
    weight(String(share.weight));
    return text;
  }
  throw new InputError(
    `must be WEIGHT=SERVICE[:PORT][,LABEL=VALUE], such as 90=shop/reviews,version=v1, got "${text}"`,
  );
}

export const pathPrefix: Check = fieldCheck('TrafficPolicy', 'spec.httpRequestMatchers', (prefix) => ({
  httpRequestMatchers: [{ uri: { prefix } }],
}));

export const path: Check = fieldCheck('AccessPolicy', 'spec.allowedPaths', (text) => ({ allowedPaths: [text] }));
export const method: Check = fieldCheck('AccessPolicy', 'spec.allowedMethods', (text) => ({ allowedMethods: [text] }));

const VIRTUAL_DESTINATION = {
  hostname: 'new.global',
  port: { number: 80, protocol: 'HTTP' },
  virtualMesh: { name: 'any', namespace: 'any' },
  localized: {},
};
export const hostname: Check = fieldCheck('VirtualDestination', 'spec.hostname', (text) => ({
  ...VIRTUAL_DESTINATION,
  hostname: text,
}));
export const port: Check = fieldCheck('VirtualDestination', 'spec.port', (text) => ({
  ...VIRTUAL_DESTINATION,
  port: { number: number(text), protocol: 'HTTP' },
}));
