/** Parsers of option values. What they refuse is told with the name of the option. */
import { parseGoDuration } from '@meshrelay/api';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** For options that may be given more than once. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** For namespaced names that may be given more than once. */
export function collectNamed(value: string, before: readonly string[]): readonly string[] {
  if (/^[a-z0-9]([-a-z0-9]*[a-z0-9])?\/[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(value)) return [...before, value];
  throw new InvalidArgumentError('It is no NAMESPACE/NAME of an object; write it like shop/registry-login');
}

/** For names, such as those of namespaces, that may be given more than once. */
export function collectName(value: string, before: readonly string[]): readonly string[] {
  if (/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(value)) return [...before, value];
  throw new InvalidArgumentError('It is no name of an object; write it like istio-system');
}

/** For options with a few values. */
export function oneOf<const V extends string>(...values: readonly V[]): (value: string) => V {
  return (value) => {
    const found = values.find((one) => one === value);
    if (found === undefined) throw new InvalidArgumentError(`It is none of ${values.join(', ')}`);
    return found;
  };
}

/** How a command reaches the management cluster, and where in it the server is. */
export function managementOptions(command: Command): Command {
  return command
    .option('--mgmt-kubeconfig <FILE>', 'kubeconfig of the management cluster')
    .option('--mgmt-context <NAME>', 'its context')
    .option('--namespace <NAME>', 'where the server is', 'meshrelay');
}

/** Which server's HTTP API is asked. */
export function serverOption(description = 'HTTP API of the server'): Option {
  return new Option('--server <URL>', description).default('http://127.0.0.1:8090').env('MESHRELAY_SERVER');
}

/** Who asks it. */
export function serverTokenOption(): Option {
  return new Option('--server-token <FILE>', 'file with the token that the server asks for').env(
    'MESHRELAY_SERVER_TOKEN',
  );
}

/** A whole number from 1 on. */
export function positive(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is no whole number from 1 on');
}

/** An option whose value is a duration, in milliseconds. */
export function durationOption(name: string, description: string, fallback?: string): Option {
  const option = new Option(`${name} <DURATION>`, description).argParser(duration);
  return fallback === undefined ? option : option.default(duration(fallback), fallback);
}

function duration(text: string): number {
  const milliseconds = parseGoDuration(text);
  if (milliseconds === undefined || milliseconds < 0)
    throw new InvalidArgumentError('It is no duration; write it like 90s or 2m');
  return milliseconds;
}
