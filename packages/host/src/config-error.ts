/** What is wrong with a program's configuration. */

/** Its message names each field, what was expected, and where the value came from. The program ends with 1. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
