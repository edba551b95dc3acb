/** Why a program does not start: what is wrong with its configuration, or that it was only asked for help. */

/** Its message names each field, what was expected, and where the value came from. The program ends with 1. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Somebody asked what a program takes. Its message is for stdout, after the program's name; the program ends with 0. */
export class HelpRequested extends Error {
  override readonly name = 'HelpAsked';
}
