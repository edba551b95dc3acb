/** Creates a policy from answers: those given as flags, and in a terminal those to questions. */
import { existsSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { decodeObject, type KubeObject, NETWORKING_API_VERSION } from '@meshrelay/api';
import type { PlanDocument } from '@meshrelay/relay-core';
import type { Command } from 'commander';
import { policyName } from '../commands/names.ts';
import { format } from '../output/format.ts';
import { shellLine } from '../output/shell-line.ts';
import { planText } from '../plan/plan-text.ts';
import { InputError, inputError } from '../problem.ts';
import type { Asker } from './asker.ts';
import type { Authoring } from './authoring.ts';
import type { CreateFleet } from './create-fleet.ts';
import { openFleet } from './open-fleet.ts';
import type { CreateOptions, CreateTarget } from './options.ts';
import type { Check } from './values.ts';

/** The options of a call, and its command, which knows those that were given. */
interface Given<Answers> {
  readonly options: Answers & CreateOptions;
  readonly command: Command;
}

/** The exit code becomes 2 if the policy would not be accepted. */
export async function create<Answers>(
  authoring: Authoring<Answers>,
  name: string | undefined,
  given: Given<Answers>,
): Promise<void> {
  const { kind } = authoring;
  const { options, command } = given;
  refuseMisuse(authoring, name, given);
  await using fleet = await openFleet(options);
  if (name !== undefined) refuseTaken(fleet, placeOf(kind, name, options));
  const named = name ?? (await askName(authoring, fleet, { options, asker: await terminal() }));
  const isAnswered = authoring.missing(options).length === 0;
  const answered = isAnswered ? {} : await authoring.ask(options, fleet.known, await terminal());
  const answers = { ...options, ...answered };
  const object = objectOf(authoring, answers, { fleet, name: named });
  const document = fleet.plan(object);
  process.stderr.write(planText(document));
  if (fleet.unplanned !== undefined) process.stderr.write(`${fleet.unplanned}\n`);
  const state = stateOf(document, object);
  if (state !== 'ACCEPTED') process.exitCode = 2;
  const decided = isDecided(options, command) ? options : undefined;
  const target = decided ?? (await askTarget(fleet, await terminal()));
  if (name === undefined || !isAnswered || decided === undefined) {
    const call = callOf(command, named, { options, answers, target: decided === undefined ? target : {} });
    process.stderr.write(`The same without questions:\n  ${call}\n`);
  }
  await put(object, target, fleet);
}

function refuseMisuse<Answers>(
  authoring: Authoring<Answers>,
  name: string | undefined,
  { options, command }: Given<Answers>,
): void {
  refuseValues(authoring, { options, command });
  const problem = authoring.problem(options);
  if (problem !== undefined) throw new InputError(problem);
  if (options.apply === true && options.cluster.length > 0)
    throw new InputError('--apply needs the management cluster; leave out --cluster, or write a file with --out FILE');
  if (options.out !== undefined && existsSync(options.out))
    throw new InputError(`--out ${options.out}: it exists; give a new file`);
  if (hasTerminal()) return;
  const missing = [
    ...(name === undefined ? ['a name'] : []),
    ...authoring.missing(options),
    ...(isDecided(options, command) ? [] : ['--apply, --out FILE or -o yaml']),
  ];
  if (missing.length > 0) throw new InputError(`there is no terminal for questions; give ${missing.join(', and ')}`);
}

/** Names the flag of a value that does not fit its field. */
function refuseValues<Answers>({ values }: Authoring<Answers>, { options, command }: Given<Answers>): void {
  const checks = Object.entries(values) as ReadonlyArray<readonly [string, Check]>;
  const given = options as Readonly<Record<string, unknown>>;
  for (const [question, check] of checks) {
    const flag = command.options.find((option) => option.attributeName() === question)?.long;
    const texts = (given[question] ?? []) as string | readonly string[];
    for (const text of [texts].flat()) {
      try {
        check(text);
      } catch (cause) {
        if (!(cause instanceof InputError)) throw cause;
        throw new InputError(`${flag} ${text}: ${cause.message}`, { cause });
      }
    }
  }
}

/** Questions need keys and a screen; stdout may be a file. */
function hasTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Loaded on demand: most calls ask nothing. */
async function terminal(): Promise<Asker> {
  return new (await import('./terminal-asker.ts')).TerminalAsker();
}

function isDecided({ apply, out }: CreateTarget, command: Command): boolean {
  return apply === true || out !== undefined || command.getOptionValueSource('output') === 'cli';
}

interface NamedObject {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** `NAME`, in the namespace of the server, or `NAMESPACE/NAME`. */
function placeOf(kind: string, text: string, { namespace: server }: CreateOptions): NamedObject {
  const [first = '', second] = text.split('/');
  return second === undefined ? { kind, namespace: server, name: first } : { kind, namespace: first, name: second };
}

function refuseTaken({ known }: CreateFleet, { kind, namespace, name }: NamedObject): void {
  const taken = known.policies.some(
    ({ ref }) => ref.kind === kind && ref.cluster === '' && ref.namespace === namespace && ref.name === name,
  );
  if (taken)
    throw new InputError(
      `${kind} ${namespace}/${name} exists; choose another name, or change it with kubectl edit ${kind.toLowerCase()} -n ${namespace} ${name}`,
    );
}

function askName(
  { kind }: Pick<Authoring<unknown>, 'kind'>,
  fleet: CreateFleet,
  { options, asker }: { readonly options: CreateOptions; readonly asker: Asker },
): Promise<string> {
  return asker.text({
    message: `What is the name of the ${kind}? NAME, or NAMESPACE/NAME`,
    parse: (text) => {
      const name = policyName(text);
      refuseTaken(fleet, placeOf(kind, name, options));
      return name;
    },
  });
}

/** @throws InputError if a value does not fit its field */
function objectOf<Answers>(
  authoring: Authoring<Answers>,
  answers: Answers & CreateOptions,
  { fleet, name: text }: { readonly fleet: CreateFleet; readonly name: string },
): KubeObject {
  const { kind } = authoring;
  const { namespace, name } = placeOf(kind, text, answers);
  const object = {
    apiVersion: NETWORKING_API_VERSION,
    kind,
    metadata: { name, namespace },
    spec: authoring.spec(answers, { fleet: fleet.known, namespace: answers.namespace }),
  };
  const { problems = [], reports = [] } = decodeObject(object);
  const found = [...problems, ...reports].map(({ message }) => message);
  if (found.length > 0) throw inputError(found);
  return object;
}

interface Answered {
  readonly options: object;
  readonly answers: object;
  /** Empty if flags decide it. */
  readonly target: CreateTarget;
}

/** The call with the answers as flags. */
function callOf(command: Command, name: string, { options, answers, target }: Answered): string {
  const before = options as Readonly<Record<string, unknown>>;
  const now = answers as Readonly<Record<string, unknown>>;
  const flags = command.options.flatMap((option) => {
    const attribute = option.attributeName();
    const value = now[attribute];
    if (value === before[attribute] || value === undefined) return [];
    return [value].flat().flatMap((one) => [option.long ?? '', String(one)]);
  });
  const isNamed = command.args.length > 0;
  return shellLine(['meshctl', ...process.argv.slice(2), ...(isNamed ? [] : [name]), ...flags, ...flagsOf(target)]);
}

function flagsOf({ apply, out, output }: CreateTarget): readonly string[] {
  if (apply === true) return ['--apply'];
  if (out !== undefined) return ['--out', out];
  return output === undefined ? [] : ['-o', output];
}

function stateOf({ policies }: PlanDocument, { kind, metadata }: KubeObject): string | undefined {
  return policies.find(
    ({ policy }) => policy.kind === kind && policy.namespace === metadata.namespace && policy.name === metadata.name,
  )?.after;
}

async function askTarget({ create: apply }: CreateFleet, asker: Asker): Promise<CreateTarget> {
  const choice = await asker.one('What now?', [
    { value: 'file', label: 'write it to a file' },
    { value: 'print', label: 'print it' },
    ...(apply === undefined ? [] : [{ value: 'apply', label: 'apply it to the management cluster' } as const]),
  ]);
  if (choice === 'print') return { output: 'yaml' };
  if (choice === 'apply') return { apply: true };
  const out = await asker.text({
    message: 'Which file?',
    parse: (path) => {
      if (path === '') throw new InputError('give a path, such as policy.yaml');
      if (existsSync(path)) throw new InputError(`${path} exists; give a new file`);
      return path;
    },
  });
  return { out };
}

async function put(
  object: KubeObject,
  { apply, out, output = 'yaml' }: CreateTarget,
  fleet: CreateFleet,
): Promise<void> {
  const { kind, metadata } = object;
  const place = `${metadata.namespace}/${metadata.name}`;
  if (apply === true) {
    await fleet.create?.(object);
    process.stdout.write(`${kind} ${place} is created; meshctl describe policy ${place} shows its state\n`);
  } else if (out === undefined) process.stdout.write(format(object, output));
  else {
    writeNew(out, format(object, output));
    process.stdout.write(`${kind} ${place} is in ${out}; kubectl apply -f ${out} applies it\n`);
  }
}

function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (cause) {
    throw new InputError(`--out ${path}: ${(cause as Error).message}`, { cause });
  }
}
