/** Logs, metrics and traces of Meshrelay programs, set up once. */
export {};
