/** Why a program does not start: invalid configuration, or a request for help. */

/** The message names each field, the expected value, and the source of the actual one. The program exits with 1. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The user requested help. The message goes to stdout, after the program's name; the program exits with 0. */
export class HelpRequested extends Error {
  override readonly name = 'HelpAsked';
}
