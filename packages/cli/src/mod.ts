/** meshctl: the command line of Meshrelay. */
export {};
