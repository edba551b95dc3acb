/** The Meshrelay management server. */
export {};
