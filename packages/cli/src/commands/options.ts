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
 * `-o` of a command that prints text or data.
 * @param description of text and JSON, if it needs one
 */
export function outputOption(description = 'text, or the same as data'): Option {
  return new Option('-o, --output <text|json|yaml>', description)
    .argParser(oneOf('text', 'json', 'yaml'))
    .default('text');
}

/** `-o` of a command whose output another program reads. */
export function manifestOption(): Option {
  return new Option('-o, --output <yaml|json>', 'format').argParser(oneOf('yaml', 'json')).default('yaml');
}

/** Options for the connection to the management cluster, the server's namespace in it, and the request timeout. */
export function managementOptions(command: Command, namespace = 'namespace of the server'): Command {
  return command
    .option('--mgmt-kubeconfig <FILE>', 'kubeconfig of the management cluster')
    .option('--mgmt-context <NAME>', 'its context')
    .option('--namespace <NAME>', namespace, namespaceName, 'meshrelay')
    .addOption(requestTimeoutOption());
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
