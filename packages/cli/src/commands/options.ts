/** Parsers of option values. Their errors are printed with the name of the option. */
import { parseGoDuration } from '@meshrelay/api';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ServerChoice } from '../server/call-server.ts';
import { namespaceName } from './names.ts';

/** For options that may be repeated. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** For options that may be repeated, with a parser for each value. */
export function repeated(parse: (text: string) => string): typeof collect {
  return (text, before) => [...before, parse(text)];
}

/** For options with a fixed set of values. */
export function oneOf<const V extends string>(...values: readonly V[]): (value: string) => V {
  return (value) => {
    const found = values.find((one) => one === value);
    if (found === undefined) throw new InvalidArgumentError(`Expected one of ${values.join(', ')}`);
    return found;
  };
}

/**
 * `-o` of a command that prints tables or other text for people, or data.
 * @param description of both, if it needs one
 */
export function outputOption(description = 'tables and text, or the same as data'): Option {
  return new Option('-o, --output <table|json|yaml>', description)
    .argParser(oneOf('table', 'json', 'yaml'))
    .default('table');
}

/** `-o` of a command that lists things with names. */
export function listOption(description = 'a table, one with more columns, data, or the names alone'): Option {
  return new Option('-o, --output <table|wide|json|yaml|name>', description)
    .argParser(oneOf('table', 'wide', 'json', 'yaml', 'name'))
    .default('table');
}

/** `-o` of a command whose output another program reads. */
export function manifestOption(): Option {
  return new Option('-o, --output <yaml|json>', 'format').argParser(oneOf('yaml', 'json')).default('yaml');
}

/** Options for the connection to the management cluster, the server's namespace in it, and the request timeout. */
export function managementOptions(command: Command): Command {
  return managementConnection(command)
    .option('-n, --namespace <NAME>', 'namespace of the server', namespaceName, 'meshrelay')
    .addOption(requestTimeoutOption());
}

/** Options for the connection to the management cluster, as in kubectl. @param condition when they are used */
export function managementConnection(command: Command, condition = ''): Command {
  return command
    .option('--kubeconfig <FILE>', `kubeconfig of the management cluster${condition}`)
    .option('--context <NAME>', 'its context')
    .addOption(
      new Option('--mgmt-kubeconfig <FILE>', 'the same, as in meshctl cluster register').conflicts('kubeconfig'),
    )
    .addOption(new Option('--mgmt-context <NAME>', 'the same, as in meshctl cluster register').conflicts('context'));
}

/** `-n` and `-A` of a command that shows things in namespaces. @param things such as `workloads` */
export function namespaceFilter(command: Command, things: string): Command {
  return command
    .option('-n, --namespace <NAME>', `${things} of this namespace`, namespaceName)
    .addOption(new Option('-A, --all-namespaces', `${things} of all namespaces, the default`).conflicts('namespace'));
}

/** The option of every command that sends requests to a server. */
export function requestTimeoutOption(): Option {
  return new Option('--request-timeout <DURATION>', 'how long each request to a server may take')
    .argParser(longDuration)
    .default(30_000, '30s');
}

/** The values of {@link serverOptions}. */
export interface ServerOptions {
  readonly server: string;
  readonly serverToken?: string;
  /** Milliseconds. */
  readonly requestTimeout: number;
}

/** Options for the server's HTTP API: its address, the user's token, and the request timeout. */
export function serverOptions(command: Command, description = 'HTTP API of the server'): Command {
  return command
    .addOption(new Option('--server <URL>', description).default('http://127.0.0.1:8090').env('MESHRELAY_SERVER'))
    .addOption(new Option('--server-token <FILE>', 'file with the token for the server').env('MESHRELAY_SERVER_TOKEN'))
    .addOption(requestTimeoutOption());
}

/** The server that the options name. */
export function serverChoice({ server, serverToken: tokenFile, requestTimeout: timeout }: ServerOptions): ServerChoice {
  return { server, tokenFile, timeout };
}

/** An integer of at least 1. */
export function positive(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number of at least 1');
}

/** An option whose value is a duration, in milliseconds. */
export function durationOption(name: string, description: string, fallback?: string): Option {
  const option = new Option(`${name} <DURATION>`, description).argParser(duration);
  return fallback === undefined ? option : option.default(duration(fallback), fallback);
}

/** Rejects zero: a request without a timeout could wait forever. */
function longDuration(text: string): number {
  const milliseconds = duration(text);
  if (milliseconds > 0) return milliseconds;
  throw new InvalidArgumentError('Expected a duration above 0, such as 30s');
}

function duration(text: string): number {
  const milliseconds = parseGoDuration(text);
  if (milliseconds === undefined || milliseconds < 0)
    throw new InvalidArgumentError('Not a duration; write it like 90s or 2m');
  return milliseconds;
}
