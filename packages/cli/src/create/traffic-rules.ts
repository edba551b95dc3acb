/** What a TrafficPolicy does to requests: the effects that `meshctl create` offers. */
import type {
  Destination,
  FaultInjection,
  HeaderManipulation,
  TrafficRules,
  WeightedDestination,
} from '@meshrelay/api';
import type { KnownFleet } from '../describe/known-fleet.ts';
import { InputError } from '../problem.ts';
import { type Asker, type Choice, optional } from './asker.ts';
import { ALL, findService, portsOf, serviceChoices, serviceText, subsetsOf } from './choices.ts';
import type { TrafficPolicyAnswers } from './options.ts';
import { parseShift, shiftText, splitPair } from './shift.ts';
import * as check from './values.ts';

type Effect = 'timeout' | 'retries' | 'shift' | 'delay' | 'abort' | 'request-header' | 'response-header';

export const EFFECTS: ReadonlyArray<Choice<Effect> & { readonly flag: string }> = [
  { value: 'timeout', label: 'a timeout', flag: '--timeout' },
  { value: 'retries', label: 'retries when they fail', flag: '--retries' },
  { value: 'shift', label: 'a share of them goes to another version or Service', flag: '--shift' },
  { value: 'delay', label: 'a fault: they are delayed', flag: '--delay' },
  { value: 'abort', label: 'a fault: they get an error', flag: '--abort' },
  { value: 'request-header', label: 'a header is added to them', flag: '--add-request-header' },
  { value: 'response-header', label: 'a header is added to their responses', flag: '--add-response-header' },
];

export function hasEffect(answers: TrafficPolicyAnswers): boolean {
  return Object.keys(trafficRulesWithout(answers)).length > 0 || answers.shift.length > 0;
}

/** Asks for effects if none is given, and for the values of those that are chosen. */
export async function askRules(
  answers: TrafficPolicyAnswers,
  fleet: KnownFleet,
  asker: Asker,
): Promise<Partial<TrafficPolicyAnswers>> {
  if (hasEffect(answers)) return {};
  const message = 'What happens to these requests?';
  const problem = (picked: readonly string[]): string | undefined =>
    picked.includes('delay') && picked.includes('abort') ? 'a policy has one fault: a delay or an error' : undefined;
  const effects = await asker.several({ message, choices: EFFECTS, required: true, problem });
  let rules: Partial<TrafficPolicyAnswers> = {};
  for (const effect of effects) rules = { ...rules, ...(await askEffect(effect as Effect, answers, fleet, asker)) };
  return rules;
}

async function askEffect(
  effect: Effect,
  answers: TrafficPolicyAnswers,
  fleet: KnownFleet,
  asker: Asker,
): Promise<Partial<TrafficPolicyAnswers>> {
  switch (effect) {
    case 'timeout': {
      const message = 'How long may a request take, retries included? Such as 3s:';
      return { timeout: await asker.text({ message, parse: check.timeout }) };
    }
    case 'retries': {
      const retries = await asker.text({ message: 'How many retries?', initial: '2', parse: check.retries });
      const message = 'How long may each try take (empty: as long as the request)';
      const perTryTimeout = await asker.text({ message, parse: optional(check.perTryTimeout) });
      return { retries, ...(perTryTimeout === undefined ? {} : { perTryTimeout }) };
    }
    case 'shift':
      return { shift: await askShift(answers.destination, fleet, asker) };
    case 'delay': {
      const delay = await asker.text({ message: 'How long is the delay? Such as 2s:', parse: check.delay });
      return { delay, ...(await askPercent(asker)) };
    }
    case 'abort': {
      const message = 'Which status do the responses have?';
      return { abort: await asker.text({ message, initial: '503', parse: check.abort }), ...(await askPercent(asker)) };
    }
    case 'request-header': {
      const message = 'Which header is added to requests, as NAME=VALUE?';
      return { addRequestHeader: [await asker.text({ message, parse: check.header })] };
    }
    case 'response-header': {
      const message = 'Which header is added to responses, as NAME=VALUE?';
      return { addResponseHeader: [await asker.text({ message, parse: check.header })] };
    }
  }
}

async function askPercent(asker: Asker): Promise<Partial<TrafficPolicyAnswers>> {
  const message = 'Of how many percent of the requests (empty: of all)';
  const faultPercent = await asker.text({ message, parse: optional(check.faultPercent) });
  return faultPercent === undefined ? {} : { faultPercent };
}

/** Versions of the chosen Services first, then all Services. */
async function askShift(destinations: readonly string[], fleet: KnownFleet, asker: Asker): Promise<readonly string[]> {
  const called = destinations.filter((name) => name !== ALL).map((name) => findService(fleet, name));
  const versions = called.flatMap((service) =>
    subsetsOf(service).map(([label, value]) => ({ value: `${serviceText(service)},${label}=${value}` })),
  );
  const targets = await asker.several({
    message: 'Which versions or Services share the requests?',
    choices: [...versions, ...serviceChoices(fleet)],
    required: true,
  });
  const shares: string[] = [];
  for (const target of targets) {
    const weight = await asker.text({ message: `Which weight has ${target}?`, parse: check.weight });
    const share = parseShift(`${weight}=${target}`);
    if (share === undefined) throw new Error(`${target} is not a target of a traffic shift`);
    const ports = portsOf(findService(fleet, share.service));
    const port = ports.length > 1 ? await asker.one(`Which port of ${target}?`, ports.map(portChoice)) : undefined;
    shares.push(shiftText({ ...share, ...(port === undefined ? {} : { port: Number(port) }) }));
  }
  return shares;
}

function portChoice(port: number): Choice {
  return { value: String(port) };
}

/** @throws InputError for a target that the fleet does not have, or without the port that it needs */
export function trafficRules(answers: TrafficPolicyAnswers, fleet: KnownFleet): TrafficRules {
  const destinations = answers.shift.map((text) => weighted(text, fleet));
  return {
    ...(destinations.length === 0 ? {} : { trafficShift: { destinations } }),
    ...trafficRulesWithout(answers),
  };
}

/** The rules that name no target. */
function trafficRulesWithout(answers: TrafficPolicyAnswers): TrafficRules {
  const { timeout, retries, perTryTimeout } = answers;
  const faultInjection = faultOf(answers);
  const headerManipulation = headersOf(answers);
  return {
    ...(faultInjection === undefined ? {} : { faultInjection }),
    ...(timeout === undefined ? {} : { requestTimeout: timeout }),
    ...(retries === undefined
      ? {}
      : { retries: { attempts: Number(retries), ...(perTryTimeout === undefined ? {} : { perTryTimeout }) } }),
    ...(Object.keys(headerManipulation).length === 0 ? {} : { headerManipulation }),
  };
}

function faultOf({ delay, abort, faultPercent }: TrafficPolicyAnswers): FaultInjection | undefined {
  if (delay === undefined && abort === undefined) return undefined;
  return {
    ...(delay === undefined ? {} : { fixedDelay: delay }),
    ...(abort === undefined ? {} : { abort: { httpStatus: Number(abort) } }),
    ...(faultPercent === undefined ? {} : { percentage: Number(faultPercent) }),
  };
}

function headersOf(answers: TrafficPolicyAnswers): HeaderManipulation {
  const { addRequestHeader, removeRequestHeader, addResponseHeader, removeResponseHeader } = answers;
  return {
    ...(removeResponseHeader.length === 0 ? {} : { removeResponseHeaders: removeResponseHeader }),
    ...(addResponseHeader.length === 0
      ? {}
      : { appendResponseHeaders: Object.fromEntries(addResponseHeader.map(splitPair)) }),
    ...(removeRequestHeader.length === 0 ? {} : { removeRequestHeaders: removeRequestHeader }),
    ...(addRequestHeader.length === 0
      ? {}
      : { appendRequestHeaders: Object.fromEntries(addRequestHeader.map(splitPair)) }),
  };
}

function weighted(text: string, fleet: KnownFleet): WeightedDestination {
  const share = parseShift(text);
  if (share === undefined) throw new Error(`--shift ${text} was accepted and cannot be read`);
  const { weight, service, port, subset } = share;
  const found = findService(fleet, service);
  if (port === undefined) refuseManyPorts(text, found);
  return {
    weight,
    kubeService: {
      ...found.spec.kubeService.ref,
      ...(subset === undefined ? {} : { subset }),
      ...(port === undefined ? {} : { port }),
    },
  };
}

function refuseManyPorts(text: string, found: Destination): void {
  const ports = portsOf(found);
  if (ports.length > 1)
    throw new InputError(
      `--shift ${text}: ${serviceText(found)} has the ports ${ports.join(', ')}; add one, such as ${serviceText(found)}:${ports[0]}`,
    );
}
